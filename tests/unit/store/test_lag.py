"""What a destination lacks follows from what is wanted and what it was given, and from nothing else."""

import time

from metadata_assets.model.entity import DatabaseEntry, TableEntry
from metadata_assets.model.table import Database, TableName
from metadata_assets.store import codec
from metadata_assets.store.facts import Reading
from metadata_assets.store.lag import lagging
from metadata_assets.store.published import Written
from metadata_assets.store.store import Store

ENTRY = TableEntry(TableName("raw", "a"), "managed", owner="ana")


def want(store: Store, content: TableEntry | None, key: int) -> None:
    store.facts.put("entry", [Reading("table:raw.a", content, key, "t")], "run")


def test_everything_that_differs_is_lagging(store: Store) -> None:
    now = time.time()
    want(store, ENTRY, 1)
    assert lagging(store.engine, "atlas", now) == ["table:raw.a"]
    store.published.record("atlas", [Written("table:raw.a", ENTRY)], {})
    assert lagging(store.engine, "atlas", now) == []
    assert lagging(store.engine, "a new one", now) == ["table:raw.a"]
    want(store, None, 2)
    assert lagging(store.engine, "atlas", now) == ["table:raw.a"]
    store.published.record("atlas", [Written("table:raw.a", None)], {})
    assert lagging(store.engine, "atlas", now) == []


def test_a_failure_waits_for_its_next_try(store: Store) -> None:
    want(store, ENTRY, 1)
    store.published.record("atlas", [], {"table:raw.a": "refused"})
    now = time.time()
    assert lagging(store.engine, "atlas", now) == []
    assert lagging(store.engine, "atlas", now + 61) == ["table:raw.a"]


def test_a_database_and_its_entry_have_one_hash() -> None:
    """The lag compares the fact of a database with the entry that was published of it."""
    fact, entry = Database("raw", "c", "o", "l"), DatabaseEntry("raw", "c", "o", "l", {"comment": "metastore"})
    assert codec.to_hash(fact) == codec.to_hash(entry)
