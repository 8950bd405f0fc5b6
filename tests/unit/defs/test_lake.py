"""The location `hive_catalog`: the store's snapshot up to a cap, and what is left out is said."""

import logging
from pathlib import Path

import dagster as dg
import pytest

from metadata_assets.defs import lake
from metadata_assets.model.entity import TableEntry
from metadata_assets.model.table import TableName
from metadata_assets.store.facts import Reading
from metadata_assets.store.store import Store


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    path = tmp_path / "platform.yaml"
    path.write_text("version: 1\nkind: platform\nmetastore: {type: ddl, path: ddl}\n")
    store = Store.open(f"sqlite:///{tmp_path / 'home/store.db'}")
    entries = [TableEntry(TableName("d", name), "managed", owner="o'neil@x.com") for name in ("c", "a", "b-1", "b_1")]
    store.facts.put("entry", [Reading(e.subject, e, 1, "s") for e in entries], "run")
    store.close()
    return {"METADATA_PLATFORM": str(path), "METADATA_HOME": str(tmp_path / "home")}


def names(definitions: dg.Definitions) -> list[str]:
    return sorted(k.path[-1] for k in definitions.resolve_asset_graph().get_all_asset_keys())


def test_every_table_is_an_asset(environ: dict[str, str]) -> None:
    found = names(lake.build_lake(environ))
    assert (len(found), found[0], found[-1]) == (4, "a", "c")


def test_what_is_above_the_cap_is_counted(
    environ: dict[str, str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(lake, "CAP", 1)
    with caplog.at_level(logging.WARNING):
        assert names(lake.build_lake(environ)) == ["a"]
    assert "shows 1 of 4 tables" in caplog.text


def test_an_empty_store_loads(environ: dict[str, str], tmp_path: Path) -> None:
    assert names(lake.build_lake({**environ, "METADATA_HOME": str(tmp_path / "other")})) == []
