"""Which databases there are, and into how many shards each is cut."""

import time
from collections.abc import Collection, Sequence

from metadata_assets.errors import Permanent
from metadata_assets.model.counts import Counts
from metadata_assets.model.subject import Subject
from metadata_assets.model.table import Database, tables_among
from metadata_assets.sources.base import MetastoreSource
from metadata_assets.stages.clock import order_key_now
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.shards import plan_shards
from metadata_assets.store.facts import Reading
from metadata_assets.store.inbox import WaitingEvent

_TABLES_FIRST_SECONDS = 15.0


def read_databases(deployment: Deployment, scope: Scope) -> Counts:
    """List databases, store what is known of each, and set the shards.

    A database that is listed no longer keeps its entry until its last table was removed under the rules of deletion.

    Raises:
        Transient, Permanent: the metastore does not answer, or the listing failed as a whole.
    """
    facts, work = deployment.store.facts, deployment.store.work
    counts = Counts()
    order_key = order_key_now()
    waiting = deployment.store.inbox.waiting()
    events = [w for w in waiting if w.event.kind in ("database_changed", "database_dropped")]
    spoken_of = {t.database for t in tables_among(w.event.subject for w in waiting)}
    with deployment.metastore() as metastore:
        databases = metastore.read_databases()
        sizes = _read_sizes(metastore, databases, counts)
    readings = [Reading(d.subject, d, order_key, "metastore") for d in databases]
    counts.listed += len(readings)
    for subject, outcome in facts.put("database", readings, scope.run_id).items():
        if subject not in counts.errors:
            counts.note(outcome)
    kept = _retire(deployment, {d.subject for d in databases}, order_key, counts, scope)
    known = sizes | dict.fromkeys(kept, 0)
    work.grow_shards(plan_shards(known, work.shards()))
    # A shard that events wait for is still needed, if only to find that nothing of it is left.
    work.drop_shards(set(work.shards()) - set(known) - spoken_of)
    _clear_strays(deployment, known)
    _settle_events(deployment, events, set(kept), scope)
    return counts


def _settle_events(deployment: Deployment, events: Sequence[WaitingEvent], kept: set[str], scope: Scope) -> None:
    """A database that was dropped goes after its tables: until then its event waits."""
    waits = {w.id for w in events if w.event.kind == "database_dropped" and Subject.parse(w.event.subject).name in kept}
    inbox = deployment.store.inbox
    inbox.finish([w.id for w in events if w.id not in waits], scope.run_id, "databases read")
    inbox.postpone(sorted(waits), time.time() + _TABLES_FIRST_SECONDS)


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


def _retire(deployment: Deployment, listed: set[str], order_key: int, counts: Counts, scope: Scope) -> list[str]:
    """Tombstone databases that are neither listed nor hold tables; return the names of those that still do."""
    facts = deployment.store.facts
    gone = [Subject.parse(s) for s in sorted(set(facts.hashes("database")) - listed)]
    with_tables = {t.database for t in tables_among(facts.hashes("schema"))}
    kept = [s.name for s in gone if s.name in with_tables]
    empty = [s for s in gone if s.name not in with_tables]
    facts.put("database", [Reading(str(s), None, order_key, "metastore") for s in empty], scope.run_id)
    counts.listed += len(gone)
    counts.written += len(empty)
    counts.skip("not_listed_but_has_tables", len(kept))
    return kept
