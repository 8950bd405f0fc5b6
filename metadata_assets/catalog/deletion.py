"""Never delete on doubt: which of the missing tables may be taken out of the catalog now."""

from collections.abc import Mapping
from dataclasses import dataclass

from metadata_assets.model.table import TableName

# Below this many tables a share says nothing: a flat number holds.
_SMALL_CATALOG = 200
_SMALL_CATALOG_DELETIONS = 10


@dataclass(frozen=True, slots=True)
class DeletionPolicy:
    """At most `max_tables` a batch and `max_share` of the catalog; `grace` in seconds before an inferred deletion."""

    max_tables: int = 50
    max_share: float = 0.05
    grace: float = 86_400.0


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

    Args:
        missing: table → since when it was not found (epoch seconds).
        confirmed: those whose drop was reported by an event and confirmed by a look-up; they do not wait.
        known: database → number of its tables in the catalog. A database missing with all its tables counts as one.
        now: epoch seconds.
        policy: the caps and the grace.
    """
    due = {t for t, since in missing.items() if t in confirmed or now - since >= policy.grace}
    waiting = frozenset(missing) - due
    total = sum(known.values())
    cap = _SMALL_CATALOG_DELETIONS if total <= _SMALL_CATALOG else max(1, int(total * policy.max_share))
    cap = min(cap, policy.max_tables)
    weight = _weight(due, confirmed, known)
    if weight > cap:
        reason = f"{weight} deletions are due, {cap} are allowed for a catalog of {total} tables"
        return DeletionPlan(frozenset(), waiting, frozenset(due), reason)
    return DeletionPlan(frozenset(due), waiting, frozenset())


def _weight(due: set[TableName], confirmed: frozenset[TableName], known: Mapping[str, int]) -> int:
    """A reported and confirmed cascade was one statement of one person and counts as one. A database that merely
    looks empty counts in full: that is also what a broken metastore looks like."""
    by_database: dict[str, list[TableName]] = {}
    for table in due:
        by_database.setdefault(table.database, []).append(table)
    return sum(
        1 if confirmed.issuperset(tables) and len(tables) >= known.get(database, 0) else len(tables)
        for database, tables in by_database.items()
    )
