"""Databases come and go by the rules of tables: nothing is deleted on doubt."""

import time
from functools import partial
from pathlib import Path

import pytest

from metadata_assets.errors import Unreachable
from metadata_assets.model.counts import Counts
from metadata_assets.model.event import ChangeEvent
from metadata_assets.model.table import Database
from metadata_assets.stages.databases import read_databases
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.watching import plan_due, watch_metastore
from metadata_assets.store.looks import Look, last_look
from metadata_assets.store.queries import nothing_known
from tests.lake import table
from tests.memory import World, open_deployment
from tests.unit.stages.conftest import EVERYTHING, run_line

DAY = 86_400.0


@pytest.fixture
def deployment(world_name: str, world: World, tmp_path: Path) -> Deployment:
    return open_deployment(tmp_path, world_name)


def known(deployment: Deployment) -> set[str]:
    return {s.removeprefix("database:") for s in deployment.store.facts.hashes("database")}


def read(deployment: Deployment) -> Counts:
    counts = read_databases(deployment, EVERYTHING)
    assert counts.missing == 0
    return counts


def pass_a_day(deployment: Deployment) -> None:
    missing = deployment.store.work.missing()
    deployment.store.work.clear_missing(list(missing))
    for subject, since in missing.items():
        deployment.store.work.mark_missing([subject], since - DAY)


def test_an_empty_database_that_is_not_listed_waits_for_its_grace(deployment: Deployment, world: World) -> None:
    world.metastore.databases = {d: Database(d) for d in ("raw", "empty")}
    read(deployment)
    del world.metastore.databases["empty"]
    assert dict(read(deployment).skipped) == {"missing_in_grace": 1}
    assert (known(deployment), deployment.store.work.shards()) == ({"raw", "empty"}, {"raw": 1, "empty": 1})
    pass_a_day(deployment)
    assert read(deployment).written == 1
    assert (known(deployment), deployment.store.work.shards()) == ({"raw"}, {"raw": 1})
    assert deployment.store.work.missing() == {}


def test_a_database_that_is_back_is_missing_no_more(deployment: Deployment, world: World) -> None:
    world.metastore.databases = {d: Database(d) for d in ("raw", "empty")}
    read(deployment)
    gone = world.metastore.databases.pop("empty")
    read(deployment)
    world.metastore.databases["empty"] = gone
    assert dict(read(deployment).skipped) == {}
    assert deployment.store.work.missing() == {}


def test_many_databases_at_once_and_the_last_ones_are_held_back(deployment: Deployment, world: World) -> None:
    world.metastore.databases = {f"d{i}": Database(f"d{i}") for i in range(12)}
    read(deployment)
    world.metastore.databases = {"d0": Database("d0")}
    read(deployment)
    pass_a_day(deployment)
    assert dict(read(deployment).skipped) == {"deletion_held_back": 11}
    assert len(known(deployment)) == 12


def test_a_dropped_database_whose_tables_stay_is_looked_at_ever_later(
    deployment: Deployment, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run each time: its tables may stay for a day, as where the drop was of another metastore."""
    world.metastore.add(table("raw.a"))
    run_line(deployment, EVERYTHING)
    world.metastore.databases.clear()
    deployment.store.inbox.store([ChangeEvent("database_dropped", "database:raw", "t", "1", 1, time.time())])
    start, runs = time.time(), 0
    for second in range(0, 3600, 5):
        monkeypatch.setattr(time, "time", partial(float, start + second))
        if "databases" in plan_due(deployment.store, [], time.time()).first:
            read_databases(deployment, EVERYTHING)
            runs += 1
    assert 2 < runs < 15


def test_a_look_asks_for_a_run_only_while_there_is_something_to_do(deployment: Deployment, world: World) -> None:
    def changed() -> bool:
        return watch_metastore(deployment, 0.0).databases_changed

    world.metastore.databases = {d: Database(d) for d in ("raw", "empty")}
    assert changed()
    read(deployment)
    assert not changed()
    gone = world.metastore.databases.pop("empty")
    assert changed()
    read(deployment)
    assert not changed(), "it waits for its grace"
    world.metastore.databases["empty"] = gone
    assert changed()
    del world.metastore.databases["empty"]
    pass_a_day(deployment)
    assert changed()
    read(deployment)
    assert (changed(), known(deployment)) == (False, {"raw"})


def test_a_metastore_without_a_table_is_a_failure_until_it_has_one(deployment: Deployment, world: World) -> None:
    assert list(read(deployment).errors) == ["metastore"]
    world.metastore.databases["raw"] = Database("raw")
    assert "no table was found" in read(deployment).errors["metastore"]
    assert "the last look at the metastore failed: no table was found" in nothing_known(deployment.store)
    world.metastore.add(table("raw.users"))
    assert (read(deployment).errors, last_look(deployment.store)) == ({}, Look())


def test_a_metastore_that_did_not_answer_is_remembered(deployment: Deployment, world: World) -> None:
    world.metastore.down = True
    with pytest.raises(Unreachable):
        read(deployment)
    assert "the last look at the metastore failed: no metastore answers" in nothing_known(deployment.store)


@pytest.mark.parametrize(
    ("files", "databases", "expected"),
    [
        (["users.sql"], "", {"in_no_database_folder": 1}),
        (["lake/raw/users.sql", "lake/raw/orders.sql"], "", {"too_deep": 2}),
        (["raw/users.hql"], "", {"not_a_sql_file": 1}),
        (["raw/users.sql"], ", databases: {include: [sales]}", {}),
        (["raw/users.sql"], ", databases: {exclude: ['raw.*']}", {}),
        ([], "", {}),
    ],
)
def test_a_folder_that_yields_no_table_says_what_was_expected(
    tmp_path: Path, world_name: str, files: list[str], databases: str, expected: dict[str, int]
) -> None:
    (tmp_path / "ddl").mkdir()
    for name in files:
        path = tmp_path / "ddl" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("CREATE TABLE users (id int)")
    platform = f"version: 1\nkind: platform\nmetastore: {{type: ddl, path: ddl{databases}}}\n"
    deployment = open_deployment(tmp_path, world_name, text=platform)
    counts = read_databases(deployment, Scope("run"))
    deployment.store.close()
    assert dict(counts.skipped) == expected
    assert counts.missing == 0
    told = counts.errors["metastore"]
    assert "ddl/<database>/<table>.sql" in told
    assert all(Path(name).name in told for name in files) or databases
    assert ("leaves out" in told) is bool(databases)
