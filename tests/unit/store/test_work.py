"""What is left to do: marks, missing tables, shards, counts and states of sources."""

from collections import Counter

import pytest

from metadata_assets.model.counts import Counts
from metadata_assets.store.store import Store


def test_a_mark_made_during_a_merge_survives_it(store: Store) -> None:
    store.work.mark_pending(["a", "b", "a"], "schema")
    seen = store.work.pending()
    assert set(seen) == {"a", "b"}
    store.work.mark_pending(["a"], "tags")
    store.work.clear_pending(seen)
    assert set(store.work.pending()) == {"a"}


def test_a_mark_never_has_the_number_of_one_that_was_cleared(store: Store) -> None:
    store.work.mark_pending(["a"], "schema")
    seen_by_two = store.work.pending()
    store.work.clear_pending(seen_by_two)  # the first of two merges ends
    store.work.mark_pending(["a"], "a change that the second has not seen")
    store.work.clear_pending(seen_by_two)  # the second ends
    assert set(store.work.pending()) == {"a"}


def test_nothing_to_mark_or_to_clear(store: Store) -> None:
    store.work.mark_pending([], "x")
    store.work.clear_pending({})
    store.work.clear_pending({"never marked": 7})
    assert store.work.pending() == {}


def test_a_missing_table_keeps_the_time_since_when(store: Store) -> None:
    store.work.mark_missing(["a", "b", "a"], 10.0)
    store.work.mark_missing(["b", "c"], 20.0)
    assert store.work.missing() == {"a": 10.0, "b": 10.0, "c": 20.0}
    store.work.clear_missing(["a", "unknown", *(f"t{i}" for i in range(1100))])
    assert store.work.missing() == {"b": 10.0, "c": 20.0}
    store.work.mark_missing([], 1.0)


def test_shards_only_grow_until_their_database_goes(store: Store) -> None:
    store.work.grow_shards({"raw": 3, "clean": 1})
    store.work.grow_shards({"raw": 1, "mart": 2})  # a process that knew less does not undo the first
    assert store.work.shards() == {"raw": 3, "clean": 1, "mart": 2}
    store.work.drop_shards(["clean", "unknown"])
    assert store.work.shards() == {"raw": 3, "mart": 2}


def test_a_postponed_mark_stays_and_is_not_due(store: Store) -> None:
    store.work.mark_pending(["a", "b"], "schema")
    store.work.postpone_pending({"a": store.work.pending()["a"]}, 4e9)
    assert set(store.work.due_pending(3e9)) == {"b"}
    assert store.work.due_pending(5e9) == {"a": {"schema"}, "b": {"schema"}}


def test_counts_are_summed_over_partitions_and_runs(store: Store) -> None:
    store.work.record_counts("r1", "hive_schemas", "raw", Counts(5, 1, 2, Counter(gone=1), {"a": "x"}))
    store.work.record_counts("r1", "catalog", "raw", Counts(1, 1))
    store.work.record_counts("r2", "hive_schemas", "mart", Counts(3, 0, 1, Counter(gone=1, late=1)))
    store.work.record_counts("other", "hive_schemas", "raw", Counts(100, 100))
    found = store.work.counts(["r1", "r2", "r1"])
    assert list(found) == ["hive_schemas", "catalog"]
    assert found["hive_schemas"] == Counts(8, 1, 3, Counter(gone=2, late=1), {"a": "x"})
    assert found["hive_schemas"].missing == 0
    assert store.work.counts([]) == {}


@pytest.mark.parametrize("content", [{"a": [1, None, "é"]}, [], 0, "text", None, True])
def test_a_state_is_what_was_set_last(store: Store, content: object) -> None:
    assert store.work.state("sensor") is None
    store.work.set_state("sensor", "before")
    store.work.set_state("sensor", content)
    store.work.set_state("other", 1)
    assert store.work.state("sensor") == content


def test_trouble_is_remembered_until_the_stage_succeeds(store: Store) -> None:
    work = store.work
    work.set_trouble("schemas", ["table:a.b", "table:a.c"], {"table:a.b": "no: rights", "table:a.c": "boo"})
    work.set_trouble("profiles", ["table:a.b"], {"table:a.b": "broken"})
    work.set_trouble("schemas", ["table:a.c"], {})
    assert {s: {k: t.error for k, t in by.items()} for s, by in work.trouble().items()} == {
        "table:a.b": {"schemas": "no: rights", "profiles": "broken"}
    }
    work.set_trouble("schemas", ["table:a.b"], {"table:a.b": "worse"})
    assert work.trouble()["table:a.b"]["schemas"].error == "worse"
