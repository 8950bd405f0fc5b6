"""The inbox: each event once, until somebody has dealt with it; what cannot be read is kept whole."""

from dataclasses import replace
from typing import Any

import pytest

from metadata_assets.model.event import ChangeEvent
from metadata_assets.store.dead_letters import BadMessage
from metadata_assets.store.inbox import Arrivals
from metadata_assets.store.store import Store
from tests.lake import table


def event(number: int, subject: str = "table:raw.a", **details: str) -> ChangeEvent:
    return ChangeEvent("table_changed", subject, "kafka", f"id{number}", number, float(number), details)


def numbers(store: Store, *databases: str) -> list[int]:
    return [w.event.order_key for w in store.inbox.waiting(databases=databases or None)]


def test_an_event_comes_out_as_it_went_in(store: Store) -> None:
    given = ChangeEvent("requested", "table:raw.é", "http", "x", 2**60, 1.5, {"by": "ana", "why": "\ud800\x00"})
    assert store.inbox.store([given]) == 1
    assert [w.event for w in store.inbox.waiting()] == [given]


def test_an_event_is_stored_once(store: Store) -> None:
    assert store.inbox.store([]) == 0
    assert store.inbox.store([event(1), event(2), event(1, "table:raw.b")]) == 2
    assert store.inbox.store([event(2), event(3)]) == 1
    assert [(w.event.order_key, w.event.subject) for w in store.inbox.waiting()] == [
        (1, "table:raw.a"),
        (2, "table:raw.a"),
        (3, "table:raw.a"),
    ]


def test_an_event_that_was_dealt_with_does_not_come_back(store: Store) -> None:
    store.inbox.store([event(1), event(2)])
    store.inbox.finish([store.inbox.waiting()[0].id], "run", "done")
    assert numbers(store) == [2]
    assert store.inbox.store([event(1)]) == 0
    assert numbers(store) == [2]
    assert store.inbox.count_waiting() == 1


def test_finishing_twice_keeps_the_first_outcome(store: Store) -> None:
    store.inbox.store([event(1)])
    ids = [store.inbox.waiting()[0].id]
    store.inbox.finish(ids, "first", "done")
    store.inbox.finish(ids, "second", "again")
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("select run_id, outcome from events").all() == [("first", "done")]


def test_waiting_of_some_databases_is_in_the_order_of_arrival(store: Store) -> None:
    subjects = ["table:raw.b", "table:clean.a", "table:raw.a", "table:raw_old.a", "database:raw", "table:ra%.x"]
    store.inbox.store([event(i, subject) for i, subject in enumerate(subjects)])
    assert numbers(store, "raw") == [0, 2]
    assert numbers(store, "raw", "clean", "none") == [0, 1, 2]
    assert numbers(store, "ra%") == [5], "a name is no pattern"
    assert store.inbox.waiting(databases=[]) == []


def test_waiting_of_some_kinds(store: Store) -> None:
    store.inbox.store([event(1), replace(event(2, "file:a.yaml"), kind="spec_changed")])
    assert [w.event.subject for w in store.inbox.waiting(kinds=["spec_changed"])] == ["file:a.yaml"]
    assert store.inbox.waiting(kinds=["job_changed"]) == []


def test_a_dead_letter_keeps_its_bytes(store: Store) -> None:
    payload = bytes(range(256)) + b"\x00\xff"
    store.inbox.take_in(
        Arrivals(dead=(BadMessage("kafka\x00", "topic/0@7", payload, "not JSON: \x00\ud800" + "x" * 5000, 7.0),))
    )
    store.inbox.take_in(Arrivals(dead=(BadMessage("kafka", "topic/0@8", b"", "empty", 7.0),)))
    first, second = store.dead_letters.open()
    assert (first.source, first.position, first.payload) == ("kafka\ufffd", "topic/0@7", payload)
    assert isinstance(first.payload, bytes)
    assert len(first.reason) == 2000
    assert first.received_at == 7.0
    assert second.payload == b""


def test_a_replayed_dead_letter_is_dead_no_more(store: Store) -> None:
    store.inbox.take_in(Arrivals(dead=(BadMessage("kafka", "1", b"a", "r", 7.0),)))
    store.inbox.take_in(Arrivals(dead=(BadMessage("kafka", "2", b"b", "r", 7.0),)))
    store.inbox.take_in(Arrivals(source="kafka", read=("1", "none")))
    assert [letter.position for letter in store.dead_letters.open()] == ["2"]
    store.inbox.take_in(Arrivals())


def test_a_table_that_an_event_shows_is_read_apart_and_forgotten_once_it_was_taken(store: Store) -> None:
    store.inbox.store([replace(event(1), after=table("raw.a")), event(2)])
    waiting = store.inbox.waiting()
    assert [(w.event.after, w.shows) for w in waiting] == [(None, True), (None, False)]
    ids = [w.id for w in waiting]
    assert store.inbox.shown(ids) == {ids[0]: table("raw.a")}
    store.inbox.finish(ids, "run", "done")
    assert store.inbox.shown(ids) == {}


def test_of_many_those_that_are_due_come_before_those_that_failed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("metadata_assets.store.inbox._PAGE", 2)
    store.inbox.store([event(n, f"table:raw.t{n}") for n in range(7)])
    store.inbox.postpone([w.id for w in store.inbox.waiting()[:3]], 2e10)

    def keys(**more: Any) -> list[int]:
        return [w.event.order_key for w in store.inbox.waiting(**more)]

    assert keys() == list(range(7))
    assert keys(most=2) == [3, 4]
    assert keys(most=5) == [0, 3, 4, 5, 6], "in the order of arrival"
    assert keys(most=9, holds=lambda s: s.endswith(("1", "5"))) == [1, 5]
