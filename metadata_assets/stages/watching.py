"""Watching for changes: what sensors look at, stored as change events before anything acts on them."""

import time
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Literal

from metadata_assets.errors import Permanent
from metadata_assets.model.event import DRIFT, FILES, PIPELINE_SOURCES, ChangeEvent, EventKind
from metadata_assets.model.subject import Subject, SubjectKind
from metadata_assets.model.table import Table, TableName, tables_among
from metadata_assets.sources.base import FileSource, MetastoreSource
from metadata_assets.stages.clock import order_key_now
from metadata_assets.stages.databases import known_databases, plan_missing_databases
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.events.full_look import wanted_full_look
from metadata_assets.stages.ingested import (
    JOB_FILES,
    SPEC_FILES,
    Files,
    known_files,
    refuse_sudden_emptiness,
    serial_of,
)
from metadata_assets.stages.publishing import lacks_processes
from metadata_assets.stages.schemas import SCHEMA_REASON
from metadata_assets.stages.shards import plan_shards, shard_of
from metadata_assets.store import codec
from metadata_assets.store.inbox import PROFILE_ASKED, DueEvents
from metadata_assets.store.lag import lagging
from metadata_assets.store.seeing import note_seen
from metadata_assets.store.store import Store

Wider = Literal["databases", "specs", "jobs", "everything"]
_WIDER: Mapping[EventKind, Wider] = {
    "database_changed": "databases",
    "database_dropped": "databases",
    "spec_changed": "specs",
    "job_changed": "jobs",
}
_DRIFT_STATE = "drift: where the next look starts"
SLICE = 200
# Marks of entries before which lineage and profiles come.
_DERIVING = frozenset({SCHEMA_REASON, PROFILE_ASKED})
_RETRY_BUCKET_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class FileChanges:
    """Files that differ from those that were last ingested, and the number of that ingestion."""

    changed: tuple[str, ...]
    serial: int


def watch_specs(deployment: Deployment) -> FileChanges:
    """Compare the spec files with those last taken in; store an event for each that differs.

    Raises:
        Transient, Permanent: the files cannot be listed.
    """
    return _watch(deployment.store, deployment.specs(), SPEC_FILES, "spec_changed")


def watch_jobs(deployment: Deployment) -> FileChanges:
    """The same for the files of SQL jobs."""
    return _watch(deployment.store, deployment.jobs(), JOB_FILES, "job_changed")


def _watch(store: Store, source: FileSource | None, which: Files, kind: EventKind) -> FileChanges:
    if source is None:
        return FileChanges((), 0)
    now, before, serial = source.read_versions(), known_files(store, which), serial_of(store, which)
    refuse_sudden_emptiness(which.rpartition(" ")[2], len(now), before)
    changed = sorted(p for p in now.keys() | before.keys() if now.get(p) != before.get(p))
    store.inbox.store(_file_event(kind, p, now.get(p), serial) for p in changed)
    return FileChanges(tuple(changed), serial)


def _file_event(kind: EventKind, path: str, version: str | None, serial: int) -> ChangeEvent:
    # The serial makes a change back to an older version a new event.
    return ChangeEvent(
        kind,
        str(Subject("file", path)),
        FILES,
        f"{kind}:{path}:{version or 'gone'}:{serial}",
        order_key_now(),
        time.time(),
    )


@dataclass(frozen=True, slots=True)
class Drift:
    """What a look at the metastore found. `databases_changed`: some are new, back, newly missing, or may go now.

    `refused`: database → why its tables cannot be listed.
    """

    events: int
    tables_read: int
    databases_changed: bool
    refused: Mapping[str, str] = field(default_factory=dict)


def watch_metastore(deployment: Deployment, seconds: float, most: int = SLICE) -> Drift:
    """Look for drift: tables that are new or missing, by name; and, as far as time allows, tables that differ.

    Names are compared in full at each look. Schemas are read again in a rolling slice, so that every table is looked
    at in turn without a burden on the metastore.

    Args:
        deployment: whose metastore is looked at.
        seconds: how long the slice may take.
        most: how many tables the slice may have: whatever the size of the lake, the metastore does not feel it.
    """
    store = deployment.store
    deadline = time.monotonic() + seconds
    with deployment.metastore() as metastore:
        listed, refused = _list_tables(metastore)
        names = {n for tables in listed.values() for n in tables}
        known = {
            s: h for s, h in store.facts.hashes("schema").items() if TableName.of_subject(s).database not in refused
        }
        events = _by_name(store, names, known, deployment.platform.policies.deletion.grace)
        read, differing = _by_content(
            store, metastore, sorted(n for n in names if n.subject in known), (deadline, most)
        )
    databases = known_databases(deployment)
    sizes = {d: len(tables) for d, tables in listed.items() if d not in databases}
    store.work.grow_shards(plan_shards(sizes, store.work.shards()))
    stored = store.inbox.store([*events, *differing])
    return Drift(stored, read, _databases_changed(deployment, listed.keys() | refused.keys(), databases), refused)


def _list_tables(metastore: MetastoreSource) -> tuple[dict[str, Sequence[TableName]], dict[str, str]]:
    """The tables of each database; and why not, of one that refuses: it hides nothing of the others."""
    listed, refused = {}, {}
    for database in metastore.read_database_names():
        try:
            listed[database] = metastore.read_table_names(database)
        except Permanent as error:
            refused[database] = str(error)
    return listed, refused


def _databases_changed(deployment: Deployment, listed: Set[str], known: set[str]) -> bool:
    """Whether a run of hive_databases would find something to do. One that waits for its grace, or is held back, was
    dealt with: without this each look would start a run for it."""
    missing = {s.name for s in map(Subject.parse, deployment.store.work.missing()) if s.kind == "database"}
    new, gone, back = listed - known, known - listed - missing, listed & missing
    return bool(new or gone or back or plan_missing_databases(deployment).now - listed)


def _by_name(store: Store, names: set[TableName], known: Mapping[str, str], grace: float) -> list[ChangeEvent]:
    missing = store.work.missing()
    now = time.time()
    found = [_table_event(n, "new", "") for n in sorted(names) if n.subject not in known]
    for subject in sorted(known):
        name = TableName.of_subject(subject)
        since = missing.get(subject)
        if name not in names and (since is None or now - since >= grace):
            found.append(_table_event(name, "missing", f"{known[subject]}:{since or ''}"))
    return found


def _by_content(
    store: Store, metastore: MetastoreSource, names: list[TableName], limit: tuple[float, int]
) -> tuple[int, list[ChangeEvent]]:
    """Read tables again from where the last look stopped, until the time is up or enough were read."""
    deadline, most = limit
    hashes = store.facts.hashes("schema")
    start = store.work.state(_DRIFT_STATE) or ""
    rolled = ([n for n in names if str(n) > start] + [n for n in names if str(n) <= start])[:most]
    events = []
    done = 0
    while done < len(rolled) and time.monotonic() < deadline:
        part = rolled[done : done + SLICE]
        found = {a.name: codec.to_hash(a) for a in metastore.read_tables(part) if isinstance(a, Table)}
        differing = {name for name, digest in found.items() if digest != hashes.get(name.subject)}
        events += [_table_event(name, "differs", found[name]) for name in sorted(differing)]
        same = {name.subject: digest for name, digest in found.items() if name not in differing}
        note_seen(store.engine, "schema", same)
        done += len(part)
    if done:
        store.work.set_state(_DRIFT_STATE, str(rolled[done - 1]))
    return done, events


def _table_event(name: TableName, what: str, state: str) -> ChangeEvent:
    """The hour in the identity lets an event whose run could not read the table come again."""
    hour = int(time.time() // _RETRY_BUCKET_SECONDS)
    return ChangeEvent(
        "table_changed",
        name.subject,
        DRIFT,
        f"drift:{name}:{what}:{state}:{hour}",
        order_key_now(),
        time.time(),
        {"found": what},
    )


@dataclass(frozen=True, slots=True)
class Due:
    """What a shard needs: to read schemas, to infer and profile again, to merge entries, or only to publish some."""

    schemas: bool = False
    derived: bool = False
    entries: bool = False
    destinations: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class AllDue:
    """What is due by shard; by destination the kinds of things that it lacks: table, process, term …; and what belongs
    to no shard and comes first, since it decides which shards there are and what they need."""

    shards: Mapping[str, Due]
    lacking: Mapping[str, frozenset[SubjectKind]]
    first: frozenset[Wider] = frozenset()


def plan_due(store: Store, destinations: Iterable[str], now: float) -> AllDue:
    """Everything that is due: waiting events, pending marks, and entries that a destination does not hold as wanted."""
    counts = store.work.shards()
    due = store.inbox.due(now)
    schemas = {shard_of(n, counts) for n in tables_among({d.subject for d in due})}
    marks = store.work.due_pending(now)
    entries = {shard_of(n, counts) for n in tables_among(marks)}
    derived = {shard_of(n, counts) for n in tables_among(s for s, reasons in marks.items() if reasons & _DERIVING)}
    behind: dict[str, set[str]] = {}
    lacking: dict[str, frozenset[SubjectKind]] = {}
    for destination in destinations:
        subjects = lagging(store.engine, destination, now)
        kinds = {Subject.parse(s).kind for s in subjects}
        if lacks_processes(store, destination, now):
            kinds.add("process")
        for name in tables_among(subjects):
            behind.setdefault(shard_of(name, counts), set()).add(destination)
        if kinds:
            lacking[destination] = frozenset(kinds)
    shards = {
        s: Due(s in schemas, s in derived, s in entries, frozenset(behind.get(s, ())))
        for s in sorted(schemas | entries | set(behind))
    }
    return AllDue(shards, lacking, _first(store, due))


def _first(store: Store, due: Iterable[DueEvents]) -> frozenset[Wider]:
    """Sensors that look by themselves ask for their runs themselves."""
    told = {_WIDER[d.kind] for d in due if d.kind in _WIDER and d.source not in PIPELINE_SOURCES}
    return frozenset(told | ({"everything"} if wanted_full_look(store) is not None else set()))
