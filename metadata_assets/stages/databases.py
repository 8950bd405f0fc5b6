"""Which databases there are, and into how many shards each is cut."""

import time
from collections.abc import Collection, Iterable, Sequence

from metadata_assets.catalog.deletion import DeletionPlan, plan_databases
from metadata_assets.errors import MetadataError, Permanent
from metadata_assets.model.counts import Counts, counted, first_of
from metadata_assets.model.subject import Subject
from metadata_assets.model.table import Database, tables_among
from metadata_assets.sources.base import MetastoreSource, Overlooked, Overlooking
from metadata_assets.stages.clock import order_key_now
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.shards import plan_shards
from metadata_assets.store.facts import Reading
from metadata_assets.store.inbox import WaitingEvent
from metadata_assets.store.looks import Look, remember_look

# A drop waits for its tables: soon looked at again, and ever later while some are held.
_SOON_SECONDS, _LATE_SECONDS = 15.0, 600.0


def read_databases(deployment: Deployment, scope: Scope) -> Counts:
    """List databases, store what is known of each, and set the shards.

    A database that is listed no longer keeps its entry until its last table was removed, and until it was missing for
    as long and with as few others as a table has to be.

    A metastore without a single table is counted as a failure: nobody keeps one for that, but many a path or pattern
    has a slip. What its source passed over is counted as skipped.

    Raises:
        Transient, Permanent: the metastore does not answer, or the listing failed as a whole.
    """
    facts, work = deployment.store.facts, deployment.store.work
    counts = Counts()
    order_key = order_key_now()
    events = deployment.store.inbox.waiting(kinds=["database_changed", "database_dropped"])
    databases, sizes = _look(deployment, counts)
    listed = {d.name for d in databases}
    dropped = {Subject.parse(w.event.subject).name for w in events if w.event.kind == "database_dropped"}
    now, kept = _plan_retired(deployment, listed, dropped, counts)
    kept |= _unfinished(deployment) - listed
    shards = sizes | dict.fromkeys(kept, 0)
    # The facts come last: sensors compare with them, so a run that was killed before is asked for again.
    work.grow_shards(plan_shards(shards, work.shards()))
    work.drop_shards(set(work.shards()) - set(shards))
    _clear_strays(deployment, shards)
    readings = [Reading(d.subject, d, order_key, "metastore") for d in databases]
    counts.listed += len(readings)
    for subject, outcome in facts.put("database", readings, scope.run_id).items():
        if subject not in counts.errors:
            counts.note(outcome)
    facts.put("database", [Reading(s, None, order_key, "metastore") for s in _subjects(now)], scope.run_id)
    work.clear_missing(_subjects(now))
    _settle_events(deployment, events, kept, scope)
    return counts


def _look(deployment: Deployment, counts: Counts) -> tuple[Sequence[Database], dict[str, int]]:
    """The databases, the number of tables of each, and the counts of what came of the look beside them."""
    try:
        with deployment.metastore() as metastore:
            databases = metastore.read_databases()
            sizes = _read_sizes(metastore, databases, counts)
            overlooked = metastore.read_overlooked() if isinstance(metastore, Overlooking) else Overlooked({}, "")
    except MetadataError as error:
        remember_look(deployment.store, Look(problem=str(error)))
        raise
    for reason, names in overlooked.names.items():
        counts.listed += len(names)
        counts.skip(reason, len(names))
    problem = ""
    if not any(sizes.values()) and not counts.errors:
        problem = _no_table(overlooked)
        counts.listed += 1
        counts.errors["metastore"] = problem
    told = tuple(f"{counted(len(n), 'file')} {r.replace('_', ' ')}: {first_of(n)}" for r, n in overlooked.names.items())
    remember_look(deployment.store, Look(problem, told))
    return databases, sizes


def _no_table(overlooked: Overlooked) -> str:
    passed = [name for names in overlooked.names.values() for name in names]
    told = f"; passed over: {first_of(passed)}" if passed else ""
    expected = (
        overlooked.expected or "does `metastore` in the platform file name the right place, and `databases` in it?"
    )
    return f"no table was found: {expected}{told}"


def _unfinished(deployment: Deployment) -> set[str]:
    """Databases of tables that events wait for, that have an entry, or that a destination still shows: without a shard
    nobody would take them out."""
    store = deployment.store
    held = store.published.held_subjects(deployment.destination_names)
    waiting = {d.subject for d in store.inbox.due(float("inf"))}
    subjects = waiting | held | store.facts.hashes("entry").keys()
    return {t.database for t in tables_among(subjects)}


def _settle_events(deployment: Deployment, events: Sequence[WaitingEvent], kept: set[str], scope: Scope) -> None:
    """A database that was dropped goes after its tables: until then its event waits, each time as long as it did."""
    inbox, now = deployment.store.inbox, time.time()
    waits = [w for w in events if w.event.kind == "database_dropped" and Subject.parse(w.event.subject).name in kept]
    inbox.finish(sorted({w.id for w in events} - {w.id for w in waits}), scope.run_id, "databases read")
    for waiting in waits:
        delay = min(max(now - waiting.received_at, _SOON_SECONDS), _LATE_SECONDS)
        inbox.postpone([waiting.id], now + delay)


def _clear_strays(deployment: Deployment, databases: Collection[str]) -> None:
    """Marks of tables in databases that do not exist, such as those of orphan documents: no shard would take them."""
    work = deployment.store.work
    marks = work.pending()
    taken = {t.subject for t in tables_among(marks) if t.database in databases}
    work.clear_pending({s: n for s, n in marks.items() if s not in taken})


def _read_sizes(metastore: MetastoreSource, databases: Sequence[Database], counts: Counts) -> dict[str, int]:
    sizes = {}
    for database in databases:
        try:
            sizes[database.name] = len(metastore.read_table_names(database.name))
        except Permanent as error:  # one database that refuses does not hide the others
            counts.errors[database.subject] = str(error)
            sizes[database.name] = 0
    return sizes


def _plan_retired(
    deployment: Deployment, listed: set[str], dropped: set[str], counts: Counts
) -> tuple[set[str], set[str]]:
    """Of the databases that are not listed any more those that go now, and those that stay for the time being."""
    work, known = deployment.store.work, known_databases(deployment)
    gone = known - listed
    missing = {s.name for s in map(Subject.parse, work.missing()) if s.kind == "database"}
    # Those that are not known any more were taken out by a run that was killed before it could say so here.
    work.clear_missing(_subjects(listed | (missing - known)))
    work.mark_missing(_subjects(gone), time.time(), set(_subjects(gone & dropped)))
    plan = plan_missing_databases(deployment)
    now = gone & plan.now
    counts.listed += len(gone)
    counts.written += len(now)
    counts.skip("not_listed_but_has_tables", len(gone & _with_tables(deployment)))
    counts.skip("missing_in_grace", len(gone & plan.waiting))
    counts.skip("deletion_held_back", len(gone & plan.held_back))
    return now, gone - now


def plan_missing_databases(deployment: Deployment) -> DeletionPlan[str]:
    """What is to become of databases that are listed no longer and hold no table: the rules are those of tables."""
    with_tables = _with_tables(deployment)
    since = deployment.store.work.missing()
    missing = {s.name: since[str(s)] for s in map(Subject.parse, since) if s.kind == "database"}
    empty = {name: moment for name, moment in missing.items() if name not in with_tables}
    total = len(known_databases(deployment))
    reported = {Subject.parse(s) for s in deployment.store.work.reported_missing()}
    confirmed = frozenset(s.name for s in reported if s.kind == "database")
    return plan_databases(empty, confirmed, total, time.time(), deployment.platform.policies.deletion.to_policy())


def known_databases(deployment: Deployment) -> set[str]:
    """The databases of the catalog, those that are listed no longer among them."""
    return {Subject.parse(s).name for s in deployment.store.facts.hashes("database")}


def _with_tables(deployment: Deployment) -> set[str]:
    return {t.database for t in tables_among(deployment.store.facts.hashes("schema"))}


def _subjects(databases: Iterable[str]) -> list[str]:
    return [str(Subject("database", name)) for name in sorted(databases)]
