"""What destinations hold of ours, and when a failure is tried again."""

import time

import pytest

from metadata_assets.model.entity import CategoryEntry, DatabaseEntry, ProcessEntry, TableEntry, TermEntry
from metadata_assets.model.publication import Published
from metadata_assets.model.table import TableName
from metadata_assets.store.codec import to_hash
from metadata_assets.store.published import PublishedState, Standing, Written, parse_entry
from metadata_assets.store.store import Store

ENTRIES = (
    TableEntry(TableName("raw", "a"), "managed"),
    DatabaseEntry("raw"),
    CategoryEntry("person"),
    TermEntry("customer: of a shop"),
    ProcessEntry("job", TableName("raw", "a"), (TableName("raw", "b"),)),
)
TABLE = ENTRIES[0]


def fail(state: PublishedState, error: str = "refused") -> Standing:
    state.record("atlas", [], {TABLE.subject: error})
    (standing,) = state.standings([TABLE.subject])
    return standing


def test_every_kind_of_entry_is_held_as_it_was_written(store: Store) -> None:
    store.published.record("atlas", [Written(e.subject, e, f"guid-{e.subject}") for e in ENTRIES], {})
    assert store.published.held("atlas") == {
        e.subject: Published(e.subject, to_hash(e), e, f"guid-{e.subject}") for e in ENTRIES
    }
    assert store.published.held("sheets") == {}
    assert list(store.published.held("atlas", [TABLE.subject, "table:no.where"])) == [TABLE.subject]
    assert store.published.held("atlas", []) == {}


def test_standings_of_one_destination_are_found_by_the_kind_of_subject(store: Store) -> None:
    store.published.record("atlas", [Written(e.subject, e) for e in ENTRIES], {})
    store.published.record("sheets", [], {"table:raw.b": "refused"})
    found = store.published.standings_at("atlas", ["table", "term"])
    assert set(found) == {TABLE.subject, "term:customer: of a shop"}
    assert found[TABLE.subject].content_hash == to_hash(TABLE)


def test_a_deletion_is_remembered_as_one(store: Store) -> None:
    store.published.record("atlas", [Written(TABLE.subject, TABLE, "guid")], {})
    store.published.record("atlas", [Written(TABLE.subject, None, "guid")], {})
    assert store.published.held("atlas") == {TABLE.subject: Published(TABLE.subject, "", None, "guid")}


def test_a_failure_keeps_what_is_held_and_a_success_ends_it(store: Store) -> None:
    store.published.record("atlas", [Written(TABLE.subject, TABLE, "guid")], {})
    held = store.published.held("atlas")
    assert [fail(store.published).attempts, fail(store.published, "again \x00" + "x" * 3000).attempts] == [1, 2]
    assert store.published.held("atlas") == held
    (failing,) = store.published.failing("atlas")
    assert len(failing.error or "") == 2000
    assert store.published.failing("sheets") == []
    store.published.record("atlas", [Written(TABLE.subject, TABLE, "guid")], {})
    assert store.published.failing("atlas") == []
    assert [s.attempts for s in store.published.standings()] == [0]
    assert store.published.standings()[0].retry_at == 0.0


def test_what_only_ever_failed_is_not_held(store: Store) -> None:
    standing = fail(store.published)
    assert store.published.held("atlas") == {}
    assert (standing.content_hash, standing.written_at, standing.error) == ("", None, "refused")


@pytest.mark.parametrize(
    ("attempts", "minutes"), [(0, 1), (1, 1), (2, 2), (3, 4), (4, 8), (6, 32), (7, 60), (8, 60), (5000, 60)]
)
def test_tries_are_further_and_further_apart_up_to_an_hour(attempts: int, minutes: int) -> None:
    standing = Standing("atlas", "table:raw.a", "", None, "error", attempts, 1000.0, None)
    assert standing.retry_at == 1000.0 + 60.0 * minutes


def test_the_time_of_the_next_try_counts_from_the_failure(store: Store) -> None:
    before = time.time()
    assert before + 60 <= fail(store.published).retry_at <= time.time() + 60


def test_standings_are_ordered_and_of_all_destinations(store: Store) -> None:
    for destination in ("sheets", "atlas"):
        store.published.record(destination, [Written(e.subject, e) for e in ENTRIES], {})
    found = [(s.subject, s.destination) for s in store.published.standings()]
    assert found == sorted((e.subject, d) for e in ENTRIES for d in ("atlas", "sheets"))
    some = store.published.standings([TABLE.subject, *(f"table:x.t{i}" for i in range(1000))])
    assert [(s.subject, s.destination) for s in some] == [(TABLE.subject, "atlas"), (TABLE.subject, "sheets")]


def test_only_what_is_gone_can_be_forgotten(store: Store) -> None:
    store.published.record("atlas", [Written(e.subject, e) for e in ENTRIES[:2]], {"term:x": "error"})
    store.published.record("atlas", [Written("database:raw", None)], {})
    store.published.forget("atlas", [TABLE.subject, "database:raw", "term:x"])
    assert [s.subject for s in store.published.standings()] == [TABLE.subject]


def test_an_entry_is_read_as_what_its_subject_says() -> None:
    assert parse_entry("term:a:b", '{"name": "a:b"}') == TermEntry("a:b")
