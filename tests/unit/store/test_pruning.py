"""Pruning takes history away and nothing that is still needed."""

import time

import pytest
from sqlalchemy import func, insert, select, update

from metadata_assets.model.counts import Counts
from metadata_assets.model.event import ChangeEvent
from metadata_assets.model.notice import Notice
from metadata_assets.model.table import Database
from metadata_assets.store.data_changes import DataChange
from metadata_assets.store.dead_letters import BadMessage
from metadata_assets.store.event_heads import EventHead
from metadata_assets.store.facts import Reading
from metadata_assets.store.inbox import Arrivals
from metadata_assets.store.pruning import PRUNED_STATE, prune
from metadata_assets.store.store import Store
from metadata_assets.store.tables import column_moves, decisions, facts

DAY = 86_400.0


def versions(store: Store, subject: str) -> list[int]:
    return [f.order_key for f in store.facts.history(subject)]


@pytest.fixture
def old(store: Store) -> Store:
    """A store in which everything happened ten days ago."""
    for key in (1, 2, 3):
        store.facts.put("database", [Reading("database:a", Database("a", str(key)), key, "s")], "run")
    store.facts.put("database", [Reading("database:gone", Database("g"), 1, "s")], "run")
    store.facts.put("database", [Reading("database:gone", None, 2, "s")], "run")
    store.inbox.store([ChangeEvent("table_changed", "table:raw.a", "k", f"id{i}", i, 0.0) for i in range(2)])
    store.inbox.finish([store.inbox.waiting()[0].id], "run", "done")
    store.inbox.take_in(Arrivals(dead=(BadMessage("k", "1", b"a", "r", 7.0),)))
    store.inbox.take_in(Arrivals(dead=(BadMessage("k", "2", b"b", "r", 7.0),)))
    store.inbox.take_in(Arrivals(source="k", read=("1",)))
    store.work.record_counts("run", "x", "raw", Counts(1, 1))
    lives = [
        ChangeEvent("table_changed", "table:raw.a", "k", "m1", 1, time.time(), move="created"),
        ChangeEvent("table_renamed", "table:raw.b", "k", "m2", 2, time.time(), move="renamed", previous="table:raw.a"),
        ChangeEvent("table_dropped", "table:raw.b", "k", "m3", 3, time.time(), move="dropped"),
        ChangeEvent("table_changed", "table:tmp.x", "k", "m4", 4, time.time(), move="created"),
        ChangeEvent("table_dropped", "table:tmp.x", "k", "m5", 5, time.time(), move="dropped"),
    ]
    store.inbox.take_in(Arrivals(tuple(lives), data_changes={"table:raw.a": DataChange(time.time())}))
    heads = [EventHead("k", "table:raw.a", lives[0].order, 1)]
    store.inbox.finish([w.id for w in store.inbox.waiting()][1:], "run", "done", heads)
    for name, table in (("live", "raw.live"), ("former", "raw.a"), ("scratch", "tmp.x")):
        renamed = (("c", name),)
        store.inbox.store([
            ChangeEvent("table_changed", f"table:{table}", "k", name, 6, time.time(), columns_renamed=renamed)
        ])  # fmt: skip
    store.inbox.finish([w.id for w in store.inbox.waiting()][1:], "run", "done")
    store.facts.put("schema", [Reading("table:raw.live", Database("live"), 1, "s")], "run")
    store.notices.note([Notice("a", "warning", "odd")])
    store.notices.mark_sent("log", ["a"], time.time())
    with store.engine.begin() as connection:
        connection.execute(insert(decisions), [{"tag": "t", "scope": "s", "content": "{}", "decided_at": 0.0}])
        for table, column in (("facts", "recorded_at"), ("events", "done_at"), ("dead_letters", "replayed_at"),
                              ("stage_counts", "at"), ("moves", "occurred_at"), ("event_heads", "occurred_at"),
                              ("data_changes", "at"), ("notices", "at"), ("column_moves", "occurred_at")):  # fmt: skip
            connection.exec_driver_sql(f"update {table} set {column} = {column} - {10 * DAY}")
    return store


def test_what_is_needed_stays(old: Store) -> None:
    assert prune(old.engine, 5 * DAY) == {
        "superseded facts": 3,
        "finished events": 9,
        "replayed dead letters": 1,
        "stage counts": 1,
        "lives of tables": 2,
        "names of columns": 1,
        "newest events of tables": 1,
        "changes of data": 1,
        "events for listeners": 0,
        "notices": 1,
        "deliveries of notices": 1,
    }
    assert [m.what for m in old.moves.former_names("table:raw.b")] == [], "it was dropped since"
    with old.engine.connect() as connection:
        names = set(connection.scalars(select(column_moves.c.name)))
    assert names == {"live", "former"}, "those of a table that is known, and of one that has another name now"
    assert versions(old, "database:a") == [3]
    assert versions(old, "database:gone") == [2], "that it is gone is the newest that is known"
    assert [w.event.dedupe_id for w in old.inbox.waiting()] == ["id1"]
    assert [letter.position for letter in old.dead_letters.open()] == ["2"]
    with old.engine.connect() as connection:
        assert connection.scalar(select(func.count()).select_from(decisions)) == 1
    assert set(prune(old.engine, 5 * DAY).values()) == {0}


def test_what_is_young_stays(old: Store) -> None:
    assert set(prune(old.engine, 20 * DAY).values()) == {0}
    old.facts.put("database", [Reading("database:a", Database("a", "4"), 4, "s")], "run")
    assert prune(old.engine, 5 * DAY)["superseded facts"] == 3
    assert versions(old, "database:a") == [3, 4], "3 was in force until now"


def test_facts_go_on_after_pruning(old: Store) -> None:
    prune(old.engine, 0)
    put = old.facts.put("database", [Reading("database:a", Database("a", "3"), 4, "s")], "run")
    assert put == {"database:a": "unchanged"}
    assert old.facts.put("database", [Reading("database:a", Database("a", "0"), 2, "s")], "run") == {
        "database:a": "stale"
    }
    old.facts.put("database", [Reading("database:gone", Database("g"), 5, "s")], "run")
    assert versions(old, "database:gone") == [2, 5]


def test_how_far_it_went_is_remembered(old: Store) -> None:
    before = time.time()
    prune(old.engine, 5 * DAY)
    assert before - 5 * DAY <= old.work.state(PRUNED_STATE) <= time.time() - 5 * DAY
    prune(old.engine, 50 * DAY)
    assert old.work.state(PRUNED_STATE) >= before - 5 * DAY, "what is gone does not come back"


def test_where_no_fact_went_all_that_was_true_is_known(store: Store) -> None:
    store.facts.put("database", [Reading("database:a", Database("a"), 1, "s")], "run")
    prune(store.engine, 0)
    assert store.work.state(PRUNED_STATE) is None


def test_a_version_that_became_old_but_is_the_newest_is_kept(store: Store) -> None:
    store.facts.put("database", [Reading("database:a", Database("a"), 1, "s")], "run")
    with store.engine.begin() as connection:
        connection.execute(update(facts).values(recorded_at=0.0))
    assert prune(store.engine, 0)["superseded facts"] == 0
    assert versions(store, "database:a") == [1]


def test_what_was_in_force_within_the_kept_time_stays(store: Store) -> None:
    for key, days in ((1, 200), (2, 100), (3, 1)):
        store.facts.put("database", [Reading("database:a", Database("a", str(key)), key, "s")], "run")
        at = time.time() - days * DAY
        with store.engine.begin() as connection:
            connection.execute(update(facts).where(facts.c.order_key == key).values(recorded_at=at))
    store.facts.put("database", [Reading("database:b", Database("b"), 1, "s")], "run")
    assert prune(store.engine, 30 * DAY)["superseded facts"] == 1
    assert versions(store, "database:a") == [2, 3], "2 held on day -10, though it was written on day -100"
