"""Publishing: what a destination should hold, the difference, the writing, and the record of it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from metadata_assets.catalog.processes import to_processes
from metadata_assets.errors import MetadataError
from metadata_assets.model.counts import Counts
from metadata_assets.model.entity import (
    Changes,
    DatabaseEntry,
    Entry,
    ProcessEntry,
    Published,
    Receipt,
    TableEntry,
    Wanted,
)
from metadata_assets.model.table import Database, TableName
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.shards import shard_of
from metadata_assets.store.published import Written
from metadata_assets.store.store import Store

Part = Literal["glossary", "tables", "lineage", "catalog"]
_PREFIXES: Mapping[Part, tuple[str, ...]] = {
    "glossary": ("database:", "category:", "term:"),
    "tables": ("table:",),
    "lineage": ("process:",),
    "catalog": ("database:", "category:", "term:", "table:", "process:"),
}


def plan_publication(
    deployment: Deployment, name: str, part: Part, shards: Sequence[str], scope: Scope
) -> tuple[Changes, Mapping[str, Entry]]:
    """The changes that a destination needs, without writing; and the entries they lead to, by subject.

    Args:
        deployment: where the wanted state is known.
        name: the destination.
        part: what of the catalog; `shards` matter for `tables` only.
    """
    wanted, held = _wanted(deployment, name, part, shards, scope)
    changes = deployment.destination(name).diff(wanted, held)
    return changes, {e.subject: e for e in wanted.entries}


def publish(deployment: Deployment, name: str, part: Part, shards: Sequence[str], scope: Scope) -> Counts:
    """Bring a part of a destination to its wanted state, and remember what it holds now.

    Raises:
        Transient, Permanent: the destination as a whole does not answer or refuses.
    """
    wanted, held = _wanted(deployment, name, part, shards, scope)
    try:
        destination = deployment.destination(name)
        changes = destination.diff(wanted, held)
        receipt = destination.apply(changes) if changes.changes else Receipt()
    except MetadataError as error:  # remembered, so that what was not written is tried again and can be asked for
        deployment.store.published.record(name, [], dict.fromkeys(_lagging(wanted, held), str(error)))
        raise
    errors = _errors(name, changes, receipt)
    counts = Counts(changes.listed, len(changes.changes) + len(changes.refused) - len(errors), changes.unchanged)
    counts.errors.update(errors)
    _record(deployment.store, name, wanted, held, _by_entry(changes, errors), receipt)
    return counts


def _lagging(wanted: Wanted, held: Mapping[str, Published]) -> list[str]:
    behind = [e.subject for e in wanted.entries if e.subject not in held or held[e.subject].entry != e]
    return [*behind, *wanted.removed]


def _errors(name: str, changes: Changes, receipt: Receipt) -> dict[str, str]:
    """Subject → error of every change that is not known to have been written."""
    errors = {r.subject: r.reason for r in changes.refused}
    errors |= {o.subject: o.error or "failed" for o in receipt.failed}
    answered = {o.subject for o in receipt.outcomes}
    silent = [c.subject for c in changes.changes if c.subject not in answered]
    return errors | dict.fromkeys(silent, f"destination {name} gave no answer for this change")


def _by_entry(changes: Changes, errors: Mapping[str, str]) -> dict[str, str]:
    """A row belongs to an entry: one failed row makes its entry unpublished, so that the next run tries it again."""
    owners = {c.subject: c.of_entry for c in changes.changes} | {r.subject: r.of_entry for r in changes.refused}
    return {owners.get(subject, subject): error for subject, error in errors.items()}


def _wanted(
    deployment: Deployment, name: str, part: Part, shards: Sequence[str], scope: Scope
) -> tuple[Wanted, dict[str, Published]]:
    store = deployment.store
    entries = {e.subject: e for e in _entries(store, part, shards, scope)}
    prefixes = _PREFIXES[part]
    shard_counts = store.work.shards()
    held = {
        s: p
        for s, p in store.published.held(name).items()
        if s.startswith(prefixes) and _in_scope(s, part, shards, shard_counts, scope)
    }
    removed = frozenset(s for s, p in held.items() if p.entry is not None and s not in entries)
    return Wanted(tuple(entries[s] for s in sorted(entries)), removed, scope.force), held


def _entries(store: Store, part: Part, shards: Sequence[str], scope: Scope) -> Iterable[Entry]:
    facts = store.facts
    if part in ("glossary", "catalog"):
        yield from (_database_entry(d) for d in facts.contents("database").values())
        yield from facts.contents("category").values()
        yield from facts.contents("term").values()
    if part in ("tables", "catalog"):
        yield from _tables(store, part, shards, scope)
    if part in ("lineage", "catalog"):
        yield from processes(store)


def _tables(store: Store, part: Part, shards: Sequence[str], scope: Scope) -> Iterable[TableEntry]:
    shard_counts = store.work.shards()
    for subject, entry in store.facts.contents("entry").items():
        if _in_scope(subject, part, shards, shard_counts, scope):
            yield entry


def _in_scope(subject: str, part: Part, shards: Sequence[str], shard_counts: dict[str, int], scope: Scope) -> bool:
    if part != "tables" or not subject.startswith("table:"):
        return True
    table = TableName.parse(subject.removeprefix("table:"))
    return shard_of(table, shard_counts) in shards and scope.holds(table)


def _database_entry(database: Database) -> DatabaseEntry:
    return DatabaseEntry(database.name, database.comment, database.owner, database.location, {"comment": "metastore"})


def processes(store: Store) -> list[ProcessEntry]:
    """All processes between tables of the catalog."""
    known = {TableName.parse(s.removeprefix("table:")) for s in store.facts.hashes("entry")}
    return to_processes(
        store.facts.contents("script").values(), store.facts.contents("declared_lineage").values(), known
    )


def _record(
    store: Store,
    name: str,
    wanted: Wanted,
    held: Mapping[str, Published],
    failed: Mapping[str, str],
    receipt: Receipt,
) -> None:
    """Remember every entry that the destination now holds as wanted: those written and those that needed no writing."""
    remote = {s: p.remote_id for s, p in held.items()} | {
        o.subject: o.remote_id for o in receipt.written if o.remote_id
    }
    written = [
        Written(e.subject, e, remote.get(e.subject))
        for e in wanted.entries
        if e.subject not in failed and (wanted.force or e.subject not in held or held[e.subject].entry != e)
    ]
    gone = [Written(s, None, remote.get(s)) for s in sorted(wanted.removed) if s not in failed]
    store.published.record(name, [*written, *gone], failed)
