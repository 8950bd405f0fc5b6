"""The scratch copy knows everything that is true now; nothing that happens to it reaches the original."""

import tempfile
from pathlib import Path

import pytest
from sqlalchemy import select

from metadata_assets.model.entity import DatabaseEntry
from metadata_assets.model.event import ChangeEvent
from metadata_assets.model.table import Database
from metadata_assets.store.dead_letters import BadMessage
from metadata_assets.store.facts import Reading
from metadata_assets.store.inbox import Arrivals
from metadata_assets.store.published import Written
from metadata_assets.store.scratch import scratch_copy
from metadata_assets.store.store import Store
from metadata_assets.store.tables import metadata


def fill(store: Store) -> None:
    for key in (1, 2):
        readings = [Reading(f"database:d{i:04}", Database(f"d{i}", str(key)), key, "s") for i in range(1100)]
        store.facts.put("database", readings, f"run{key}")
    store.facts.put("database", [Reading("database:d0000", None, 3, "s"), Reading("database:x", None, 3, "s")], "run")
    store.published.record(
        "atlas", [Written("database:d", None), Written("database:f", DatabaseEntry("f"))], {"database:e": "no"}
    )
    store.work.mark_pending(["a", "b"], "r")
    store.work.mark_missing(["m"], 1.0)
    store.work.grow_shards({"raw": 2})
    store.work.set_state("sensor", [1])
    store.inbox.store([ChangeEvent("table_changed", "table:raw.a", "k", "id", 1, 0.0)])
    store.inbox.take_in(Arrivals(dead=(BadMessage("k", "1", b"\x00", "r", 7.0),)))


def rows(store: Store) -> dict[str, list[tuple[object, ...]]]:
    with store.engine.connect() as connection:
        return {
            name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr)
            for name, table in metadata.tables.items()
        }


def state(store: Store) -> list[object]:
    facts = list(store.facts.latest("database"))
    return [
        facts, store.facts.hashes("database"), store.facts.seen("database"), store.published.held("atlas"),
        store.published.standings(), store.work.pending(), store.work.missing(), store.work.shards(),
        store.work.state("sensor"),
    ]  # fmt: skip


def test_the_copy_says_what_the_original_says(store: Store) -> None:
    fill(store)
    with scratch_copy(store) as copy:
        assert state(copy) == state(store)
        assert copy.facts.history("database:d0001")[0].order_key == 2, "history is left out"


def test_the_original_never_changes(store: Store) -> None:
    fill(store)
    before = rows(store)
    with scratch_copy(store) as copy:
        assert copy.facts.put("database", [Reading("database:d0001", None, 9, "s")], "run") == {
            "database:d0001": "written"
        }
        assert copy.facts.put("database", [Reading("database:x", Database("x"), 2, "s")], "run") == {
            "database:x": "stale"
        }
        copy.work.clear_pending(copy.work.pending())
        copy.work.mark_pending(["c"], "r")
        copy.published.record("atlas", [Written("database:e", None)], {})
        copy.work.drop_shards(["raw"])
    assert rows(store) == before


def test_no_file_is_left_behind(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    with scratch_copy(store):
        assert list((tmp_path / "temporary").iterdir())
    assert not list((tmp_path / "temporary").iterdir())
    with pytest.raises(ZeroDivisionError), scratch_copy(store):
        raise ZeroDivisionError
    assert not list((tmp_path / "temporary").iterdir())


def test_a_copy_can_be_copied(store: Store) -> None:
    fill(store)
    with scratch_copy(store) as copy, scratch_copy(copy) as second:
        assert state(second) == state(store)
