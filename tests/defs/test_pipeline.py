"""The assets wired together: a full catalog from nothing, trouble that stays where it is, updates of one shard."""

import dagster as dg

from metadata_assets.defs import jobs
from metadata_assets.defs.partitions import SHARDS, range_tags, sync_partitions
from metadata_assets.defs.scopes import scope_tags
from metadata_assets.model.event import ChangeEvent
from metadata_assets.model.table import TableName
from metadata_assets.stages.deployment import opened
from tests.defs.conftest import catalog
from tests.lake import table
from tests.memory import World


def statuses(instance: dg.DagsterInstance) -> dict[str, list[str]]:
    """Asset → names of the destinations' runs by status."""
    found: dict[str, list[str]] = {}
    for record in instance.get_run_records():
        run = record.dagster_run
        for key in run.asset_selection or ():
            found.setdefault(key.to_user_string(), []).append(run.status.value)
    return found


def materialised(instance: dg.DagsterInstance, name: str) -> list[str | None]:
    records = instance.fetch_materializations(dg.AssetKey(name), limit=50).records
    return sorted((r.partition_key for r in records), key=str)


def full_catalog(definitions: dg.Definitions, instance: dg.DagsterInstance) -> dg.ExecuteInProcessResult:
    job = definitions.resolve_job_def(jobs.FULL_CATALOG)
    return job.execute_in_process(instance=instance, raise_on_error=False)


def test_full_catalog_from_an_empty_instance_with_counts_and_checks(
    definitions: dg.Definitions, instance: dg.DagsterInstance, world: World
) -> None:
    world.metastore.add(table("raw.a"), table("clean.b"))
    assert full_catalog(definitions, instance).success
    assert list(instance.get_dynamic_partitions(SHARDS.name or "")) == ["clean", "raw"]
    for name in ("hive_schemas", "pii_profiles", "catalog_entities", "memory_tables"):
        assert materialised(instance, name) == ["clean", "raw"], name
    for name in ("hive_databases", "documentation", "sql_lineage", "memory_glossary", "workbook_catalog"):
        assert materialised(instance, name) == [None], name
    event = instance.get_latest_materialization_event(dg.AssetKey("hive_schemas"))
    assert event is not None
    evaluations = [
        r.dagster_event.asset_check_evaluation_data
        for r in instance.all_logs(event.run_id, of_type=dg.DagsterEventType.ASSET_CHECK_EVALUATION)
        if r.dagster_event is not None
    ]
    assert {e.check_name: e.passed for e in evaluations} == dict.fromkeys(
        ("counts_add_up", "few_failures", "no_dead_letters"), True
    )


def test_a_partition_shows_its_own_counts_and_not_those_of_its_run(
    definitions: dg.Definitions, instance: dg.DagsterInstance, world: World
) -> None:
    world.metastore.add(table("raw.a"), table("raw.b"), table("clean.c"))
    world.metastore.failing = {TableName("raw", "b")}
    full_catalog(definitions, instance)
    shown = {
        name: {
            str(r.partition_key): (int(str(m["listed"].value)), int(str(m["failed"].value)), "failures" in m)
            for r in instance.fetch_materializations(dg.AssetKey(name), limit=50).records
            if r.asset_materialization is not None
            for m in [r.asset_materialization.metadata]
        }
        for name in ("hive_schemas", "pii_profiles", "catalog_entities", "memory_tables")
    }
    assert shown["hive_schemas"] == {"raw": (2, 1, True), "clean": (1, 0, False)}
    for name in ("pii_profiles", "catalog_entities", "memory_tables"):
        assert shown[name] == {"raw": (1, 0, False), "clean": (1, 0, False)}, name


def test_a_destination_that_is_down_turns_red_alone(
    definitions: dg.Definitions, instance: dg.DagsterInstance, world: World, environ: dict[str, str]
) -> None:
    world.metastore.add(table("raw.a"))
    catalog(instance, environ)
    assert world.destination is not None
    world.destination.failing = {"table:raw.a"}
    world.metastore.add(table("raw.a", "new int"))
    assert not full_catalog(definitions, instance).success
    last = {name: found[0] for name, found in statuses(instance).items()}
    assert [name for name, status in last.items() if status != "SUCCESS"] == ["memory_tables"]
    with opened(environ) as deployment:
        held = deployment.store.published.held("workbook", ["table:raw.a"])["table:raw.a"].entry
    assert held is not None
    assert [c.name for c in held.columns] == ["new"]  # type: ignore[union-attr]  # a table entry


def test_an_update_of_one_shard_leaves_the_others_alone(
    definitions: dg.Definitions, instance: dg.DagsterInstance, world: World, environ: dict[str, str]
) -> None:
    world.metastore.add(table("raw.a"), table("clean.b"))
    catalog(instance, environ)
    world.metastore.add(table("raw.a", "new int"))
    world.metastore.reads.clear()
    with opened(environ) as deployment:
        deployment.store.inbox.store([ChangeEvent("table_changed", "table:raw.a", "t", "1", 1, 0.0)])
    assert world.destination is not None
    world.destination.applied.clear()
    job = definitions.resolve_job_def(jobs.CATALOG_UPDATE)
    result = job.execute_in_process(
        instance=instance, partition_key="raw", tags=scope_tags(everything=False), raise_on_error=False
    )
    assert result.success
    assert [str(n) for n in world.metastore.reads] == ["raw.a"]
    assert world.destination.applied == ["table:raw.a"]


def test_shards_follow_the_metastore(instance: dg.DagsterInstance) -> None:
    sync_partitions(instance, ["a", "b", "c"])
    sync_partitions(instance, ["a", "c", "d"])
    assert set(instance.get_dynamic_partitions(SHARDS.name or "")) == {"a", "c", "d"}


def test_scattered_shards_become_contiguous_ranges(instance: dg.DagsterInstance) -> None:
    sync_partitions(instance, ["a", "b", "c", "d", "e"])
    ranges = [tuple(tags.values()) for tags in range_tags(instance, ["a", "b", "d"])]
    assert ranges == [("a", "b"), ("d", "d")]
