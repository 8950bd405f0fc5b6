"""Never delete on doubt: which of the missing tables may be taken out of the catalog now."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from metadata_assets.catalog.limits import DeletionPolicy
from metadata_assets.model.table import TableName


@dataclass(frozen=True, slots=True)
class DeletionPlan:
    """`now` may go; `waiting` are still in their grace; `held_back` would break the cap and need a person."""

    now: frozenset[TableName]
    waiting: frozenset[TableName]
    held_back: frozenset[TableName]
    reason: str = ""


def plan_deletions(
    missing: Mapping[TableName, float],
    confirmed: frozenset[TableName],
    known: Mapping[str, int],
    now: float,
    policy: DeletionPolicy,
) -> DeletionPlan:
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
        kept[f"{weight} reported deletions are due, {policy.max_tables} are allowed at once"] = reported
        weight = 0
    cap = policy.inferred_of(sum(known.values()), weight)
    if len(inferred) > cap:
        kept[f"{len(inferred)} tables are listed no more, {cap} may be deleted for that"] = inferred
    elif inferred and len(inferred) + len(reported) >= sum(known.values()) > 1:
        kept["no table of the catalog is listed any more: that is what a broken metastore looks like"] = inferred
    held_back = frozenset[TableName]().union(*kept.values())
    return DeletionPlan(frozenset(reported | inferred) - held_back, waiting, held_back, "; ".join(kept))


def _weight(reported: set[TableName], known: Mapping[str, int]) -> int:
    """A reported and confirmed cascade was one statement of one person and counts as one. A database that merely
    looks empty counts in full: that is also what a broken metastore looks like."""
    sizes = Counter(table.database for table in reported)
    return sum(1 if size >= known.get(database, 0) else size for database, size in sizes.items())
