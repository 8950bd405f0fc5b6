"""Schemas of tables: read in bulk, stored when they differ, and taken out only when their end is beyond doubt."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from metadata_assets.catalog.deletion import DeletionPlan, plan_deletions
from metadata_assets.errors import Permanent
from metadata_assets.model.counts import Counts
from metadata_assets.model.subject import Subject
from metadata_assets.model.table import ReadFailure, Table, TableName, TableRead, Vanished, tables_among
from metadata_assets.sources.base import MetastoreSource
from metadata_assets.stages.clock import order_key_now
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.shards import ShardTally, databases_of, shard_of
from metadata_assets.store.facts import Marks, Reading
from metadata_assets.store.inbox import WaitingEvent

_BATCH = 200
SCHEMA_REASON = "schema"
_MARKS = Marks(SCHEMA_REASON)
# How long after a failure the same table is read again.
RETRY_SECONDS = 900.0


@dataclass(slots=True)
class _Look:
    """What one look at a shard found besides the tables that were read. `order_key`: when it began."""

    order_key: int
    run_id: str
    tally: ShardTally
    vanished: set[TableName] = field(default_factory=set)
    found: set[TableName] = field(default_factory=set)


def read_schemas(deployment: Deployment, shards: Sequence[str], scope: Scope) -> Counts:
    """Read the tables of these shards: all of them, or only those that waiting events name.

    Raises:
        Transient: the metastore does not answer; nothing is inferred from what was not read.
    """
    store = deployment.store
    order_key = order_key_now()
    shard_counts = store.work.shards()
    events = [e for e in store.inbox.waiting() if _is_of(e, shards, shard_counts)]
    known = _known(deployment, shards, shard_counts)
    look = _Look(order_key, scope.run_id, ShardTally(shards, shard_counts))
    with deployment.metastore() as metastore:
        if scope.everything:
            names, unlisted = _listed(metastore, shards, shard_counts, known, look)
        else:
            names, unlisted = {_table_of(e) for e in events}, set()
        names, unlisted = {n for n in names if scope.holds(n)}, {n for n in unlisted if scope.holds(n)}
        look.vanished |= unlisted
        look.tally.list_all(names | unlisted)
        _read(deployment, metastore, sorted(names), look, scope)
    dropped = {_table_of(e) for e in events if e.event.kind == "table_dropped"} & look.vanished
    _settle_missing(deployment, look, known, dropped)
    counts = look.tally.total()
    looked_at = {n.subject for n in names | unlisted} | {str(Subject("database", d)) for d in databases_of(shards)}
    store.work.set_trouble("hive_schemas", looked_at, counts.errors)
    _settle_events(deployment, events, counts, scope)
    return counts


def _settle_events(deployment: Deployment, events: Sequence[WaitingEvent], counts: Counts, scope: Scope) -> None:
    """What was looked at is dealt with; what could not be read stays in the inbox for another try."""
    if scope.select:
        return
    failed = {e.id for e in events if e.event.subject in counts.errors}
    deployment.store.inbox.finish([e.id for e in events if e.id not in failed], scope.run_id, "schemas read")
    deployment.store.inbox.postpone(sorted(failed), time.time() + RETRY_SECONDS)


def _is_of(event: WaitingEvent, shards: Sequence[str], counts: dict[str, int]) -> bool:
    return any(shard_of(t, counts) in shards for t in tables_among([event.event.subject]))


def _table_of(event: WaitingEvent) -> TableName:
    return TableName.of_subject(event.event.subject)


def _known(deployment: Deployment, shards: Sequence[str], counts: dict[str, int]) -> set[TableName]:
    names = (TableName.of_subject(s) for s in deployment.store.facts.hashes("schema"))
    return {n for n in names if shard_of(n, counts) in shards}


def _listed(
    metastore: MetastoreSource, shards: Sequence[str], counts: dict[str, int], known: set[TableName], look: _Look
) -> tuple[set[TableName], set[TableName]]:
    """Names to read, and known names that a complete listing no longer shows."""
    names: set[TableName] = set()
    databases = set(metastore.read_database_names())
    refused: set[str] = set()
    for database in databases_of(shards):
        if database in databases:
            try:
                names |= {n for n in metastore.read_table_names(database) if shard_of(n, counts) in shards}
            except Permanent as error:  # not to be seen is not to be gone: nothing is inferred for this database
                refused.add(database)
                share = look.tally.of_database(database)
                share.listed += 1
                share.errors[str(Subject("database", database))] = str(error)
    return names, {n for n in known - names if n.database not in refused}


def _read(
    deployment: Deployment, metastore: MetastoreSource, names: Sequence[TableName], look: _Look, scope: Scope
) -> None:
    order_key = order_key_now()
    batch: list[Table] = []
    for answer in _answers(metastore, names):
        match answer:
            case Table():
                batch.append(answer)
            case Vanished(name):
                look.vanished.add(name)
            case ReadFailure(name, reason):
                look.found.add(name)
                look.tally.of(name).errors[name.subject] = reason
        if len(batch) >= _BATCH:
            _write(deployment, batch, order_key, look, scope)
            batch, order_key = [], order_key_now()
    _write(deployment, batch, order_key, look, scope)


def _answers(metastore: MetastoreSource, names: Sequence[TableName]) -> Iterator[TableRead]:
    """Exactly one answer for each name, whatever the source does: a name it forgets is a failure, not a deletion."""
    open_names = set(names)
    for answer in metastore.read_tables(names):
        if answer.name in open_names:
            open_names.remove(answer.name)
            yield answer
    for name in sorted(open_names):
        yield ReadFailure(name, "the metastore source gave no answer for this table")


def _write(deployment: Deployment, batch: Iterable[Table], order_key: int, look: _Look, scope: Scope) -> None:
    tables = {t.subject: t for t in batch}
    readings = [Reading(s, t, order_key, "metastore") for s, t in tables.items()]
    for subject, outcome in deployment.store.facts.put("schema", readings, scope.run_id, _MARKS).items():
        look.found.add(tables[subject].name)
        look.tally.of_subject(subject).note(outcome)


def _settle_missing(deployment: Deployment, look: _Look, known: set[TableName], dropped: set[TableName]) -> None:
    """Count what vanished: not known before, waiting for its grace, held back by a cap, or taken out now."""
    store = deployment.store
    # Those that are not known any more were taken out by a run that was killed before it could say so here.
    settled = {t.subject for t in tables_among(store.work.missing())} - store.facts.hashes("schema").keys()
    store.work.clear_missing([*settled, *(n.subject for n in look.found)])
    lost = look.vanished & known
    look.tally.skip_all("vanished_while_reading", look.vanished - known)
    store.work.mark_missing([n.subject for n in lost], time.time(), {n.subject for n in dropped})
    plan = plan_missing(deployment)
    # With the key of the look: a table that was made again and read since then stays.
    readings: list[Reading[Table]] = [
        Reading(n.subject, None, look.order_key, "metastore: dropped") for n in sorted(lost & plan.now)
    ]
    outcomes = store.facts.put("schema", readings, look.run_id, _MARKS)
    store.work.clear_missing(list(outcomes))
    for subject, outcome in outcomes.items():
        look.tally.of_subject(subject).note(outcome)
    look.tally.skip_all("missing_in_grace", lost & plan.waiting)
    look.tally.skip_all("deletion_held_back", lost & plan.held_back)


def plan_missing(deployment: Deployment) -> DeletionPlan[TableName]:
    """What is to become of the tables that are missing from the metastore."""
    store = deployment.store
    since = store.work.missing()
    missing = {table: since[table.subject] for table in tables_among(since)}
    reported = frozenset(TableName.of_subject(s) for s in store.work.reported_missing())
    known = Counter(t.database for t in tables_among(store.facts.hashes("schema")))
    return plan_deletions(missing, reported, known, time.time(), deployment.platform.policies.deletion.to_policy())
