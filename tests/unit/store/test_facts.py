"""Facts: the newest reading wins in whatever order readings arrive, and nothing that was known is lost."""

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metadata_assets.model.claims import Claim, Documentation
from metadata_assets.store.codec import to_json
from metadata_assets.store.facts import Marks, Reading, Written
from metadata_assets.store.seeing import note_seen
from metadata_assets.store.store import Store

A = "table:raw.a"


def said(text: str | None, place: str = "a.yaml:1") -> Documentation:
    return Documentation((Claim("description", text, place),), (), place)


def put(store: Store, text: str | None, order_key: int, *, subject: str = A, source: str = "a.yaml:1") -> Written:
    content = None if text is None else said(text, source)
    return store.facts.put("documentation", [Reading(subject, content, order_key, source)], "run")[subject]


def told(store: Store, subject: str = A) -> object:
    content = store.facts.contents("documentation", [subject]).get(subject)
    return content.claims[0].value if content is not None else None


def test_a_change_is_written_and_the_same_again_is_not(store: Store) -> None:
    assert [put(store, "x", 1), put(store, "x", 2), put(store, "y", 3)] == ["written", "unchanged", "written"]
    assert told(store) == "y"
    assert [f.content.claims[0].value for f in store.facts.history(A)] == ["x", "y"]


def test_an_older_reading_never_wins(store: Store) -> None:
    assert [put(store, "new", 5), put(store, "old", 4), put(store, None, 4)] == ["written", "stale", "stale"]
    assert told(store) == "new"


def test_a_newer_reading_of_the_same_still_bars_an_older_one(store: Store) -> None:
    assert [put(store, "x", 1), put(store, "x", 9), put(store, "y", 5)] == ["written", "unchanged", "stale"]


def test_of_two_readings_with_one_key_the_later_one_stands(store: Store) -> None:
    assert [put(store, "x", 1), put(store, "y", 1)] == ["written", "written"]
    assert told(store) == "y"


def test_of_several_readings_in_one_call_the_newest_is_taken(store: Store) -> None:
    readings = [Reading(A, said(t), k, "s") for t, k in (("b", 2), ("c", 3), ("a", 1), ("d", 3))]
    assert store.facts.put("documentation", readings, "run") == {A: "written"}
    assert told(store) == "d"
    assert len(store.facts.history(A)) == 1


def test_a_tombstone_and_what_comes_after_it(store: Store) -> None:
    assert [put(store, "x", 1), put(store, None, 2), put(store, None, 3)] == ["written", "written", "unchanged"]
    assert told(store) is None
    assert [(f.content, f.content_hash) for f in store.facts.latest("documentation")] == [(None, "")]
    assert store.facts.hashes("documentation") == {}
    assert store.facts.seen("documentation") == {}
    assert store.facts.sources("documentation") == store.facts.texts("documentation") == {}
    assert put(store, "x", 4) == "written"
    assert store.facts.texts("documentation") == {A: to_json(said("x"))}
    assert told(store) == "x"
    assert [f.content is None for f in store.facts.history(A)] == [False, True, False]


def test_a_tombstone_of_what_never_was_is_no_version(store: Store) -> None:
    assert put(store, None, 5) == "unchanged"
    assert put(store, "x", 4) == "stale", "it was seen to be gone at 5"
    assert store.facts.history(A) == []


def test_a_text_that_moved_is_no_new_version_but_its_place_is_known(store: Store) -> None:
    put(store, "x", 1, source="a.yaml:1")
    assert put(store, "x", 2, source="b.yaml:7") == "unchanged"
    (fact,) = store.facts.history(A)
    assert (fact.source, fact.content.place, fact.content.claims[0].place) == ("b.yaml:7", "b.yaml:7", "b.yaml:7")


def test_kinds_and_subjects_do_not_mix(store: Store) -> None:
    put(store, "x", 1)
    put(store, "z", 1, subject="table:raw.b")
    assert store.facts.put("tags", [Reading(A, None, 1, "s")], "run") == {A: "unchanged"}
    assert {s: c.claims[0].value for s, c in store.facts.contents("documentation").items()} == {
        A: "x",
        "table:raw.b": "z",
    }
    assert store.facts.contents("documentation", []) == {}
    assert list(store.facts.contents("documentation", ["table:raw.b", "table:no.where"])) == ["table:raw.b"]


def test_more_subjects_than_fit_into_one_statement(store: Store) -> None:
    readings = [Reading(f"table:raw.t{i:04}", said(str(i)), 1, "s") for i in range(1203)]
    assert set(store.facts.put("documentation", readings, "run").values()) == {"written"}
    assert set(store.facts.put("documentation", readings, "run").values()) == {"unchanged"}
    found = list(store.facts.latest("documentation", [r.subject for r in readings]))
    assert [f.content.claims[0].value for f in found] == [str(i) for i in range(1203)]


def test_a_fact_says_who_when_and_in_which_run(store: Store) -> None:
    before = time.time()
    put(store, "x", 77)
    (fact,) = store.facts.history(A)
    assert (fact.kind, fact.subject, fact.source, fact.order_key, fact.run_id) == (
        "documentation",
        A,
        "a.yaml:1",
        77,
        "run",
    )
    assert before <= fact.recorded_at <= time.time()
    assert before <= store.facts.seen("documentation")[A] <= time.time()


def test_what_no_database_keeps_costs_nothing_but_itself(store: Store) -> None:
    assert put(store, "half a \ud800 and a \x00", 1, source="\udce9.yaml:1") == "written"
    assert told(store) == "half a \ufffd and a \x00"


def test_entries_are_marked_with_the_change_and_only_then(store: Store) -> None:
    reading = Reading(A, said("x"), 1, "s")
    store.facts.put("documentation", [reading], "run", Marks("docs"))
    first = store.work.pending()
    assert set(first) == {A}
    store.work.clear_pending(first)
    store.facts.put("documentation", [reading], "run", Marks("docs"))
    assert store.work.pending() == {}
    changed = Reading(A, said("y"), 2, "s")
    store.facts.put("documentation", [changed], "run", Marks("lineage", lambda subject: [subject + "1", subject + "2"]))
    assert set(store.work.pending()) == {A + "1", A + "2"}


HISTORY = st.lists(st.sampled_from(["a", "b", "c", None]), min_size=1, max_size=8)


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
@given(history=HISTORY, chance=st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_order_of_arrival_ends_like_the_right_one(store: Store, history: list[str | None], chance: object) -> None:
    """Order keys are strictly increasing; arrivals are shuffled, and some come twice."""
    assert hasattr(chance, "shuffle")
    subject = f"table:raw.t{time.time_ns()}"
    arrivals = [*enumerate(history), *enumerate(history)][: len(history) + 3]
    chance.shuffle(arrivals)
    for key, text in arrivals:
        put(store, text, key, subject=subject)
    for key, text in enumerate(history):
        put(store, text, key, subject=subject)
    assert told(store, subject) == history[-1]


def test_what_was_seen_again_is_newly_seen_where_it_is_what_is_known(store: Store) -> None:
    other = "table:raw.b"
    for subject in (A, other):
        put(store, "x", 5, subject=subject)
    first, digest = store.facts.seen("documentation"), store.facts.hashes("documentation")[A]
    note_seen(store.engine, "documentation", {A: digest, other: "something else", "table:raw.c": digest})
    again = store.facts.seen("documentation")
    assert again[A] > first[A]
    assert again.keys() - {A} == {other}
    assert again[other] == first[other]
    assert put(store, "y", 6) == "written", "seeing is not reading: its order key did not move"
