"""Never delete on doubt: which of the missing tables may be taken out of the catalog now."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from metadata_assets.catalog.limits import DeletionPolicy
from metadata_assets.model.counts import counted
from metadata_assets.model.table import TableName

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DeletionPlan(Generic[T]):
    """`now` may go; `waiting` are still in their grace; `held_back` would break the cap and need a person."""

    now: frozenset[T]
    waiting: frozenset[T]
    held_back: frozenset[T]
    reason: str = ""


def plan_deletions(
    missing: Mapping[TableName, float],
    confirmed: frozenset[TableName],
    known: Mapping[str, int],
    now: float,
    policy: DeletionPolicy,
) -> DeletionPlan[TableName]:
    """Decide about everything that is missing at once, so that the caps hold for the catalog and not for each shard.

    Reported drops have the cap of a batch to themselves: a metastore that stopped to list half of its tables does not
    keep the one table in the catalog that somebody dropped. Inferred ones share what is left of it, have the cap by
    share, and never empty the catalog.

    Args:
        missing: table → since when it was not found (epoch seconds).
        confirmed: those whose drop was reported by an event and confirmed by a look-up; they do not wait.
        known: database → number of its tables in the catalog. A database missing with all its tables counts as one.
        now: epoch seconds.
        policy: the caps and the grace.
    """
    reported = {t for t in missing if t in confirmed}
    inferred = {t for t, since in missing.items() if t not in confirmed and now - since >= policy.grace}
    waiting = frozenset(missing) - reported - inferred
    weight = _weight(reported, known)
    kept: dict[str, set[TableName]] = {}
    if weight > policy.max_tables:
        due = counted(weight, "reported deletion")
        kept[f"{due} due, at most {policy.max_tables} allowed at once"] = reported
        weight = 0
    total = sum(known.values())
    cap = policy.inferred_of(total, weight)
    if reason := _doubt("table", len(inferred), cap, empties=len(inferred) + len(reported) >= total > 1):
        kept[reason] = inferred
    held_back = frozenset[TableName]().union(*kept.values())
    return DeletionPlan(frozenset(reported | inferred) - held_back, waiting, held_back, "; ".join(kept))


def plan_databases(
    missing: Mapping[str, float], confirmed: frozenset[str], total: int, now: float, policy: DeletionPolicy
) -> DeletionPlan[str]:
    """The same for databases, which go once they are empty.

    Args:
        missing: name → since when it was not found (epoch seconds).
        confirmed: those whose drop was reported by an event and confirmed by a listing.
        total: how many of them the catalog has.
        now: epoch seconds.
        policy: the caps and the grace.
    """
    reported = confirmed & missing.keys()
    if len(reported) > policy.max_tables:
        reported = frozenset()  # then they wait like those that nobody reported
    due = frozenset(name for name, since in missing.items() if now - since >= policy.grace) - reported
    reason = _doubt("database", len(due), policy.inferred_of(total), empties=len(due) >= total > 1)
    held_back = due if reason else frozenset[str]()
    return DeletionPlan(reported | due - held_back, frozenset(missing) - due - reported, held_back, reason)


def _doubt(what: str, due: int, cap: int, *, empties: bool) -> str:
    """Why things that merely are not listed must stay; empty where they may go."""
    if due > cap:
        return f"{counted(due, what)} no longer listed, at most {cap} may be deleted for that"
    if due and empties:
        return f"no {what} of the catalog is listed any more: that is what a broken metastore looks like"
    return ""


def _weight(reported: set[TableName], known: Mapping[str, int]) -> int:
    """A reported and confirmed cascade was one statement of one person and counts as one. A database that merely
    looks empty counts in full: that is also what a broken metastore looks like."""
    sizes = Counter(table.database for table in reported)
    return sum(1 if size >= known.get(database, 0) else size for database, size in sizes.items())
