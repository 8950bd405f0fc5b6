"""Schemas: every listed table ends in exactly one count, and nothing is deleted on doubt."""

import time

import pytest

from metadata_assets.errors import Transient
from metadata_assets.model.event import ChangeEvent
from metadata_assets.model.table import TableName
from metadata_assets.stages.databases import read_databases
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.schemas import read_schemas
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.shards import shard_keys
from tests.lake import table
from tests.memory import World

EVERYTHING = Scope("run")


def read(deployment: Deployment, scope: Scope = EVERYTHING) -> dict[str, object]:
    read_databases(deployment, scope)
    counts = read_schemas(deployment, shard_keys(deployment.store.work.shards()), scope)
    assert counts.missing == 0
    return {
        "written": counts.written,
        "unchanged": counts.unchanged,
        "skipped": dict(counts.skipped),
        "failed": sorted(counts.errors),
    }


def event(kind: str, name: str) -> ChangeEvent:
    return ChangeEvent(kind, f"table:{name}", "test", f"{kind} {name} {time.time_ns()}", 1, time.time())  # type: ignore[arg-type]  # closed set of kinds, given by name here


def known(deployment: Deployment) -> list[str]:
    return sorted(s.removeprefix("table:") for s in deployment.store.facts.hashes("schema"))


def test_a_second_reading_writes_nothing(deployment: Deployment, world: World) -> None:
    world.metastore.add(table("a.one"), table("b.two"))
    assert read(deployment)["written"] == 2
    assert read(deployment) == {"written": 0, "unchanged": 2, "skipped": {}, "failed": []}


def test_one_bad_table_does_not_cost_the_others(deployment: Deployment, world: World) -> None:
    world.metastore.add(*(table(f"a.t{i}") for i in range(5)))
    world.metastore.failing = {TableName("a", "t2")}
    assert read(deployment) == {"written": 4, "unchanged": 0, "skipped": {}, "failed": ["table:a.t2"]}


def test_a_table_that_the_source_forgets_is_a_failure_and_not_a_deletion(deployment: Deployment, world: World) -> None:
    world.metastore.add(table("a.one"), table("a.two"))
    read(deployment)
    world.metastore.forgetful = {TableName("a", "two")}
    assert read(deployment)["failed"] == ["table:a.two"]
    assert known(deployment) == ["a.one", "a.two"]


def test_a_table_gone_between_listing_and_reading_counts_as_vanished(deployment: Deployment, world: World) -> None:
    world.metastore.add(table("a.one"), table("a.two"))
    world.metastore.vanishing = {TableName("a", "two")}
    assert read(deployment)["skipped"] == {"vanished_while_reading": 1}


def test_a_table_that_is_listed_no_more_waits_for_its_grace(deployment: Deployment, world: World) -> None:
    world.metastore.add(table("a.one"), table("a.two"))
    read(deployment)
    del world.metastore.tables[TableName("a", "two")]
    assert read(deployment)["skipped"] == {"missing_in_grace": 1}
    assert known(deployment) == ["a.one", "a.two"]


def test_after_its_grace_it_leaves_the_catalog_and_comes_back_with_the_table(
    deployment: Deployment, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.metastore.add(table("a.one"), table("a.two"))
    read(deployment)
    gone = world.metastore.tables.pop(TableName("a", "two"))
    read(deployment)
    later = time.time() + 25 * 3600
    monkeypatch.setattr("metadata_assets.stages.schemas.time.time", lambda: later)
    assert read(deployment)["written"] == 1
    assert known(deployment) == ["a.one"]
    world.metastore.add(gone)
    assert read(deployment)["written"] == 1
    assert known(deployment) == ["a.one", "a.two"]


def test_a_reported_drop_that_the_look_up_confirms_is_applied_at_once(deployment: Deployment, world: World) -> None:
    world.metastore.add(table("a.one"), table("a.two"))
    read(deployment)
    del world.metastore.tables[TableName("a", "two")]
    deployment.store.inbox.store([event("table_dropped", "a.two")])
    assert read(deployment, Scope("run", everything=False))["written"] == 1
    assert known(deployment) == ["a.one"]


def test_a_reported_drop_of_a_table_that_is_there_changes_nothing(deployment: Deployment, world: World) -> None:
    world.metastore.add(table("a.one"))
    read(deployment)
    deployment.store.inbox.store([event("table_dropped", "a.one")])
    assert read(deployment, Scope("run", everything=False))["unchanged"] == 1
    assert known(deployment) == ["a.one"]


def test_only_tables_with_events_are_read_in_a_run_for_changes(deployment: Deployment, world: World) -> None:
    world.metastore.add(table("a.one"), table("a.two"), table("b.three"))
    read(deployment)
    world.metastore.reads.clear()
    deployment.store.inbox.store([event("table_changed", "a.two")])
    read(deployment, Scope("run", everything=False))
    assert world.metastore.reads == [TableName("a", "two")]
    assert deployment.store.inbox.waiting() == []


def test_a_mass_disappearance_is_held_back(
    deployment: Deployment, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.metastore.add(*(table(f"a.t{i}") for i in range(30)))
    read(deployment)
    world.metastore.tables.clear()
    read(deployment)
    later = time.time() + 25 * 3600
    monkeypatch.setattr("metadata_assets.stages.schemas.time.time", lambda: later)
    assert read(deployment)["skipped"] == {"deletion_held_back": 30}
    assert len(known(deployment)) == 30


def test_a_database_that_refuses_is_not_a_database_without_tables(deployment: Deployment, world: World) -> None:
    world.metastore.add(table("a.one"), table("b.two"))
    read(deployment)
    world.metastore.refusing = {"b"}
    result = read(deployment)
    assert result["failed"] == ["database:b"]
    assert deployment.store.work.missing() == {}


def test_an_outage_deletes_nothing_and_asks_for_another_try(deployment: Deployment, world: World) -> None:
    world.metastore.add(table("a.one"))
    read(deployment)
    world.metastore.down = True
    with pytest.raises(Transient):
        read(deployment)
    assert known(deployment) == ["a.one"]
    assert deployment.store.work.missing() == {}


def test_a_selection_reads_and_counts_only_what_it_names(deployment: Deployment, world: World) -> None:
    world.metastore.add(table("a.one"), table("a.two"), table("b.three"))
    assert read(deployment, Scope("run", select=("a.*", "!a.two")))["written"] == 1
    assert known(deployment) == ["a.one"]


def test_a_large_database_is_cut_into_shards_that_hold_every_table_once(deployment: Deployment, world: World) -> None:
    world.metastore.add(*(table(f"big.t{i}") for i in range(2500)))
    assert read(deployment)["written"] == 2500
    assert shard_keys(deployment.store.work.shards()) == ["big#0", "big#1", "big#2"]


def test_reported_drops_beyond_the_cap_are_held_back_and_not_forgotten(deployment: Deployment, world: World) -> None:
    world.metastore.add(*(table(f"a.t{i}") for i in range(60)), table("a.stays"))
    read(deployment)
    for i in range(60):
        del world.metastore.tables[TableName("a", f"t{i}")]
    deployment.store.inbox.store([event("table_dropped", f"a.t{i}") for i in range(60)])
    assert read(deployment, Scope("run", everything=False))["skipped"] == {"deletion_held_back": 60}
    assert deployment.store.inbox.waiting() == []
    for i in range(20):
        world.metastore.add(table(f"a.t{i}"))
    assert read(deployment)["written"] == 40
    assert len(known(deployment)) == 21


def test_a_run_takes_so_many_events_and_the_rest_asks_for_the_next(
    deployment: Deployment, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("metadata_assets.stages.schemas._MOST_EVENTS", 3)
    world.metastore.add(*(table(f"a.t{n}") for n in range(5)))
    deployment.store.inbox.store([event("table_changed", f"a.t{n}") for n in range(5)])
    for waiting in (2, 0):
        assert read_schemas(deployment, ["a"], Scope("run", everything=False)).missing == 0
        assert deployment.store.inbox.count_waiting() == waiting
        assert {d.subject for d in deployment.store.inbox.due(time.time())} == {
            f"table:a.t{n}" for n in (3, 4)[:waiting]
        }
    assert len(deployment.store.facts.hashes("schema")) == 5
