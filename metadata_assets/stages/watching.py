"""Watching for changes: what sensors look at, stored as change events before anything acts on them."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from metadata_assets.model.event import ChangeEvent
from metadata_assets.model.table import Table, TableName
from metadata_assets.sources.base import MetastoreSource
from metadata_assets.stages.clock import order_key_now
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.shards import plan_shards, shard_of
from metadata_assets.stages.specs import VERSIONS_STATE
from metadata_assets.store import codec
from metadata_assets.store.store import Store

_DRIFT_STATE = "drift: where the next look starts"
_SLICE = 200
_RETRY_BUCKET_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class FileChanges:
    """Files that differ from those that were last ingested, and the number of that ingestion."""

    changed: tuple[str, ...]
    serial: int


def watch_specs(deployment: Deployment) -> FileChanges:
    """Compare the spec files with those last ingested; store an event for each that differs.

    Raises:
        Transient, Permanent: the files cannot be listed.
    """
    source = deployment.specs()
    if source is None:
        return FileChanges((), 0)
    state = deployment.store.work.state(VERSIONS_STATE) or {"serial": 0, "versions": {}}
    now: Mapping[str, str] = source.read_versions()
    before: Mapping[str, str] = state["versions"]
    changed = sorted(p for p in now.keys() | before.keys() if now.get(p) != before.get(p))
    deployment.store.inbox.store(_file_event(p, now.get(p), state["serial"]) for p in changed)
    return FileChanges(tuple(changed), state["serial"])


def _file_event(path: str, version: str | None, serial: int) -> ChangeEvent:
    # The serial makes a change back to an older version a new event.
    return ChangeEvent(
        "spec_changed",
        f"file:{path}",
        "specs",
        f"specs:{path}:{version or 'gone'}:{serial}",
        order_key_now(),
        time.time(),
    )


@dataclass(frozen=True, slots=True)
class Drift:
    """What a look at the metastore found. `databases_changed`: the set of databases is another one than is known."""

    events: int
    tables_read: int
    databases_changed: bool


def watch_metastore(deployment: Deployment, seconds: float) -> Drift:
    """Look for drift: tables that are new or missing, by name; and, as far as time allows, tables that differ.

    Names are compared in full at each look. Schemas are read again in a rolling slice, so that every table is looked
    at in turn without a burden on the metastore.

    Args:
        deployment: whose metastore is looked at.
        seconds: how long the slice may take.
    """
    store = deployment.store
    deadline = time.monotonic() + seconds
    with deployment.metastore() as metastore:
        listed = {d.name: metastore.read_table_names(d.name) for d in metastore.read_databases()}
        names = {n for tables in listed.values() for n in tables}
        known = store.facts.hashes("schema")
        events = _by_name(store, names, known, deployment.platform.policies.deletion.grace)
        read, differing = _by_content(store, metastore, sorted(n for n in names if f"table:{n}" in known), deadline)
    known_databases = {s.removeprefix("database:") for s in store.facts.hashes("database")}
    new = set(listed) - known_databases
    if new:
        sizes = {d: len(tables) for d, tables in listed.items()}
        before = store.work.shards()
        store.work.set_shards(before | plan_shards({d: sizes[d] for d in new}, before))
    stored = store.inbox.store([*events, *differing])
    return Drift(stored, read, set(listed) != known_databases)


def _by_name(store: Store, names: set[TableName], known: Mapping[str, str], grace: float) -> list[ChangeEvent]:
    missing = store.work.missing()
    now = time.time()
    found = [_table_event(n, "new", "") for n in sorted(names) if f"table:{n}" not in known]
    for subject in sorted(known):
        name = TableName.parse(subject.removeprefix("table:"))
        since = missing.get(subject)
        if name not in names and (since is None or now - since >= grace):
            found.append(_table_event(name, "missing", f"{known[subject]}:{since or ''}"))
    return found


def _by_content(
    store: Store, metastore: MetastoreSource, names: list[TableName], deadline: float
) -> tuple[int, list[ChangeEvent]]:
    """Read tables again from where the last look stopped, until the time is up or each was read once."""
    hashes = store.facts.hashes("schema")
    start = store.work.state(_DRIFT_STATE) or ""
    rolled = [n for n in names if str(n) > start] + [n for n in names if str(n) <= start]
    events = []
    done = 0
    while done < len(rolled) and time.monotonic() < deadline:
        part = rolled[done : done + _SLICE]
        for answer in metastore.read_tables(part):
            if isinstance(answer, Table):
                digest = codec.to_hash(answer)
                if digest != hashes.get(f"table:{answer.name}"):
                    events.append(_table_event(answer.name, "differs", digest))
        done += len(part)
    if done:
        store.work.set_state(_DRIFT_STATE, str(rolled[done - 1]))
    return done, events


def _table_event(name: TableName, what: str, state: str) -> ChangeEvent:
    """The hour in the identity lets an event whose run could not read the table come again."""
    hour = int(time.time() // _RETRY_BUCKET_SECONDS)
    return ChangeEvent(
        "table_changed",
        f"table:{name}",
        "drift",
        f"drift:{name}:{what}:{state}:{hour}",
        order_key_now(),
        time.time(),
        {"found": what},
    )


@dataclass(frozen=True, slots=True)
class Due:
    """What a shard needs: to read schemas again, to merge entries, or only to try a destination again."""

    schemas: bool = False
    entries: bool = False
    destinations: frozenset[str] = frozenset()


def plan_due(store: Store, destinations: Iterable[str], now: float) -> dict[str, Due]:
    """Shard → what is due there: waiting events, pending marks, and failed publications whose next try is due."""
    counts = store.work.shards()
    schemas = {shard_of(n, counts) for n in _tables(w.event.subject for w in store.inbox.waiting())}
    entries = {shard_of(n, counts) for n in _tables(store.work.pending())}
    failed: dict[str, set[str]] = {}
    for destination in destinations:
        due = [s.subject for s in store.published.failing(destination) if s.retry_at <= now]
        for name in _tables(due):
            failed.setdefault(shard_of(name, counts), set()).add(destination)
    return {
        shard: Due(shard in schemas, shard in entries, frozenset(failed.get(shard, ())))
        for shard in sorted(schemas | entries | set(failed))
    }


def _tables(subjects: Iterable[str]) -> Iterable[TableName]:
    return (TableName.parse(s.removeprefix("table:")) for s in subjects if s.startswith("table:"))
