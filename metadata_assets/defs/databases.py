"""Asset `hive_databases`: which databases there are; registers the shards."""

from collections.abc import Sequence

import dagster as dg

from metadata_assets.defs import keys
from metadata_assets.defs.partitions import sync_partitions
from metadata_assets.defs.report import StageReport, to_table
from metadata_assets.defs.stage import Stage, stage_asset
from metadata_assets.stages.databases import read_databases
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.shards import shard_keys


def _run(context: dg.AssetExecutionContext, deployment: Deployment, _: Sequence[str], scope: Scope) -> StageReport:
    counts = read_databases(deployment, scope)
    shards = deployment.store.work.shards()
    sync_partitions(context.instance, shard_keys(shards))
    databases = deployment.store.facts.contents("database").values()
    rows = [(d.name, d.owner or "", d.comment or "", shards.get(d.name, 0)) for d in databases]
    table = dg.MetadataValue.md(to_table(("database", "owner", "comment", "shards"), rows))
    return StageReport(counts, {"databases": table, "shards": dg.MetadataValue.int(sum(shards.values()))})


def databases_asset() -> dg.AssetsDefinition:
    return stage_asset(
        Stage(
            key=keys.DATABASES,
            run=_run,
            description="Databases of the metastore, and the catalog shards (partitions) that they are cut into. A new "
            "database becomes a partition here; one that is dropped goes when its last table is gone.",
            kinds=frozenset({"hive"}),
            pool="metastore",
        )
    )
