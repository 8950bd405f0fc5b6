"""Old runs go, and what is known of assets and partitions stays."""

from pathlib import Path

import dagster as dg

from metadata_assets.defs.run_history import prune_runs
from tests.defs.test_pipeline import full_catalog, materialised
from tests.lake import table
from tests.memory import World

DAY = 86_400.0


def test_runs_that_nothing_depends_on_go_with_their_events_and_files(
    definitions: dg.Definitions, instance: dg.DagsterInstance, world: World
) -> None:
    world.metastore.add(table("raw.a"), table("clean.b"))
    full_catalog(definitions, instance)
    first = {run.run_id for run in instance.get_runs()}
    assert prune_runs(instance, DAY) == 0, "nothing is old enough"
    full_catalog(definitions, instance)
    runs = {run.run_id: run for run in instance.get_runs()}
    removed = prune_runs(instance, 0.0)
    left = {run.run_id for run in instance.get_runs()}
    # Tables tell of themselves when they change: the first run still holds the newest that is known of them.
    assert [runs[i].asset_selection for i in left & first] == [{dg.AssetKey("catalog_entities")}]
    assert removed == len(first) - 1 + len([i for i in runs if i not in first | left])
    assert instance.get_latest_materialization_event(dg.AssetKey(["hive", "raw", "a"])) is not None
    for name in ("hive_schemas", "catalog_entities", "memory_tables"):
        assert set(materialised(instance, name)) == {"clean", "raw"}, name
    files = {path.stem for path in (Path(instance.root_directory) / "history/runs").glob("*.db")}
    assert not files & (first - left)
    assert prune_runs(instance, 0.0) == 0


def test_the_last_run_of_a_partition_stays_though_another_partition_is_newer(instance: dg.DagsterInstance) -> None:
    shards = dg.DynamicPartitionsDefinition(name="catalog_shard")
    instance.add_dynamic_partitions("catalog_shard", ["a", "b"])

    @dg.asset(partitions_def=shards)
    def schemas() -> None: ...

    runs = [dg.materialize([schemas], instance=instance, partition_key=key).run_id for key in ("a", "a", "b")]
    assert prune_runs(instance, 0.0) == 1
    assert {run.run_id for run in instance.get_runs()} == set(runs[1:])
