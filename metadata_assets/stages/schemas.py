"""Schemas of tables: read in bulk, stored when they differ, and taken out only when their end is beyond doubt."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from metadata_assets.catalog.deletion import DeletionPlan, plan_deletions
from metadata_assets.errors import Permanent
from metadata_assets.model.counts import Counts
from metadata_assets.model.subject import Subject
from metadata_assets.model.table import ReadFailure, Table, TableName, TableRead, Vanished, tables_among
from metadata_assets.sources.base import MetastoreSource
from metadata_assets.stages.clock import order_key_now
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.notices.breaking import note_breaking_changes
from metadata_assets.stages.renaming import renaming_marks
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.shards import ShardTally, databases_of, shard_of
from metadata_assets.stages.shown_schemas import EventPlan, plan_schemas, read_shown
from metadata_assets.store.facts import Reading, Written
from metadata_assets.store.inbox import WaitingEvent
from metadata_assets.store.store import Store

_BATCH = 200
_MOST_EVENTS = 20_000  # of one run; what waits beyond them is due, and so asks for the next
_NOTED = 500  # changes of one batch that are looked at for what they break
SCHEMA_REASON = "schema"
# How long after a failure the same table is read again.
RETRY_SECONDS = 900.0
# A transaction of the metastore that an event was sent from: how soon to look again, and when to stop waiting for it.
TRANSACTION_RETRY_SECONDS = 15.0
TRANSACTION_SECONDS = 600.0


@dataclass(slots=True)
class _Look:
    """What one look at a shard found besides the tables that were read.

    `order_key` says when it began. `plan` is what waiting events ask for, `known` the tables of the shards so far.
    """

    order_key: int
    run_id: str
    plan: EventPlan
    known: set[TableName]
    tally: ShardTally
    vanished: set[TableName] = field(default_factory=set)
    found: set[TableName] = field(default_factory=set)

    def order_of(self, subject: str, read_at: int) -> int:
        """The order key of what was read at a time: never below that of the event that asked for it."""
        return max(read_at, self.plan.order_of.get(subject, 0))


def read_schemas(deployment: Deployment, shards: Sequence[str], scope: Scope) -> Counts:
    """Read the tables of these shards: all of them, or only those that waiting events name.

    Where events are believed what they show, the metastore is asked only about those that were dropped.

    Raises:
        Transient: the metastore does not answer; nothing is inferred from what was not read.
    """
    store = deployment.store
    order_key = order_key_now()
    shard_counts = store.work.shards()
    events = store.inbox.waiting(
        databases=databases_of(shards), holds=lambda s: _is_of(s, shards, shard_counts), most=_MOST_EVENTS
    )
    known = _known(deployment, shards, shard_counts)
    look = _Look(order_key, scope.run_id, plan_schemas(deployment, events), known, ShardTally(shards, shard_counts))
    with deployment.metastore() as metastore:
        if scope.everything:
            names, unlisted = _listed(metastore, shards, shard_counts, known, look)
        else:
            names, unlisted = look.plan.names, set()
        names, unlisted = {n for n in names if scope.holds(n)}, {n for n in unlisted if scope.holds(n)}
        look.vanished |= unlisted
        look.tally.list_all(names | unlisted)
        _read(deployment, metastore, sorted(names), look, scope)
    if not scope.everything:
        _put_shown(deployment, look, scope)
    dropped = {_table_of(e) for e in events if e.event.kind == "table_dropped"} & look.vanished
    _settle_missing(deployment, look, dropped)
    counts = look.tally.total()
    looked_at = {n.subject for n in names | unlisted | look.found} | {
        str(Subject("database", d)) for d in databases_of(shards)
    }
    store.work.set_trouble("hive_schemas", looked_at, counts.errors)
    _settle_events(deployment, events, look, counts, scope)
    return counts


def _settle_events(
    deployment: Deployment, events: Sequence[WaitingEvent], look: _Look, counts: Counts, scope: Scope
) -> None:
    """What was looked at is dealt with; what could not be read stays in the inbox for another try."""
    if scope.select:
        return
    inbox, now = deployment.store.inbox, time.time()
    failed = {e.id for e in events if e.event.subject in counts.errors}
    early = {e.id for e in events if _is_early(e, look, now)} - failed
    late = look.plan.stale - failed - early
    # The name may be known already, with nothing of what was said of the table under its old one.
    deployment.store.work.mark_pending((e.event.subject for e in events if e.event.kind == "table_renamed"), "renamed")
    inbox.finish(sorted(late), scope.run_id, "came too late: a newer event was taken")
    done = [e.id for e in events if e.id not in failed | early | late]
    inbox.finish(done, scope.run_id, "schemas read", look.plan.heads)
    inbox.postpone(sorted(early), now + TRANSACTION_RETRY_SECONDS)
    inbox.postpone(sorted(failed), now + RETRY_SECONDS)


def _is_early(waiting: WaitingEvent, look: _Look, now: float) -> bool:
    """Whether an event was sent from within a transaction of which the metastore does not show the end yet.

    It may be rolled back as well: after some minutes what the metastore shows is the truth.
    """
    event = waiting.event
    if not event.tentative or now - event.occurred_at > TRANSACTION_SECONDS:
        return False
    name = TableName.of_subject(event.subject)
    return name in (look.found if event.kind == "table_dropped" else look.vanished)


def _is_of(subject: str, shards: Sequence[str], counts: dict[str, int]) -> bool:
    return any(shard_of(t, counts) in shards for t in tables_among([subject]))


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
    _put(
        deployment,
        [Reading(t.subject, t, look.order_of(t.subject, order_key), "metastore") for t in batch],
        look,
        scope,
    )


def _put_shown(deployment: Deployment, look: _Look, scope: Scope) -> None:
    """Take tables from the events that show them, some at a time."""
    shown = [s for s in look.plan.shown if scope.holds(TableName.of_subject(s.subject))]
    look.tally.list_all(TableName.of_subject(s.subject) for s in shown)
    for start in range(0, len(shown), _BATCH):
        part = shown[start : start + _BATCH]
        readings = read_shown(deployment.store.inbox, part)
        _put(deployment, readings, look, scope)
        taken = {s.subject for s in part} - {r.subject for r in readings}
        look.tally.skip_all("taken_by_another_run", tables_among(taken))


def _put(deployment: Deployment, readings: Sequence[Reading[Table]], look: _Look, scope: Scope) -> None:
    marks = renaming_marks(deployment.store, SCHEMA_REASON, [r.subject for r in readings])
    outcomes = deployment.store.facts.put("schema", readings, scope.run_id, marks)
    for subject, outcome in outcomes.items():
        look.found.add(TableName.of_subject(subject))
        look.tally.of_subject(subject).note(outcome)
    _note_breaking(deployment.store, readings, outcomes, look)


def _note_breaking(
    store: Store, readings: Iterable[Reading[Table]], outcomes: Mapping[str, Written], look: _Look
) -> None:
    """Before lineage is inferred again: of a column that is gone, it knows nothing any more."""
    changed = [s for s, outcome in outcomes.items() if outcome == "written" and TableName.of_subject(s) in look.known]
    if changed:
        after = {r.subject: r.content for r in readings}
        note_breaking_changes(store, store.facts.superseded("schema", changed[:_NOTED]), after)


def _settle_missing(deployment: Deployment, look: _Look, dropped: set[TableName]) -> None:
    """Count what vanished: not known before, waiting for its grace, held back by a cap, or taken out now."""
    store = deployment.store
    # Those that are not known any more were taken out by a run that was killed before it could say so here.
    settled = {t.subject for t in tables_among(store.work.missing())} - store.facts.hashes("schema").keys()
    store.work.clear_missing([*settled, *(n.subject for n in look.found)])
    lost = look.vanished & look.known
    look.tally.skip_all("vanished_while_reading", look.vanished - look.known)
    store.work.mark_missing([n.subject for n in lost], time.time(), {n.subject for n in dropped})
    plan = plan_missing(deployment)
    # With the key of the look: a table that was made again and read since then stays.
    readings: list[Reading[Table]] = [
        Reading(n.subject, None, look.order_of(n.subject, look.order_key), "metastore: dropped")
        for n in sorted(lost & plan.now)
    ]
    marks = renaming_marks(store, SCHEMA_REASON, [r.subject for r in readings])
    outcomes = store.facts.put("schema", readings, look.run_id, marks)
    _note_breaking(store, readings, outcomes, look)
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
    reported = frozenset(tables_among(store.work.reported_missing()))
    known = Counter(t.database for t in tables_among(store.facts.hashes("schema")))
    return plan_deletions(missing, reported, known, time.time(), deployment.platform.policies.deletion.to_policy())
