"""Asset `pii_profiles`: profiles and suspected personal data."""

from collections.abc import Sequence

import dagster as dg

from metadata_assets.defs import keys
from metadata_assets.defs.report import StageReport, to_table
from metadata_assets.defs.stage import Stage, stage_asset
from metadata_assets.model.table import tables_among
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.profiling import profile_tables
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.shards import shard_of, tables_in

_HEADER = ("table", "column", "tag", "band", "distinct values that passed")


def _run(_: dg.AssetExecutionContext, deployment: Deployment, shards: Sequence[str], scope: Scope) -> StageReport:
    counts = profile_tables(deployment, shards, scope)
    facts, numbers = deployment.store.facts, deployment.store.work.shards()
    profiles = facts.contents("profile", tables_in(facts.hashes("profile"), shards, numbers, Scope(scope.run_id)))
    rows: dict[str, list[tuple[str, ...]]] = {shard: [] for shard in shards}
    for table in tables_among(profiles):
        rows[shard_of(table, numbers)] += [
            (str(table), f.column, f.tag, f.band, f"{f.matched} of {f.distinct}")
            for f in profiles[table.subject].findings
        ]
    shares = {shard: {"findings": dg.MetadataValue.md(to_table(_HEADER, found))} for shard, found in rows.items()}
    return StageReport(counts, shares=shares)


def profiles_asset() -> dg.AssetsDefinition:
    return stage_asset(
        Stage(
            key=keys.PROFILES,
            run=_run,
            description="Column profiles and suspected personal data, each with its rule and counts. Sampled values "
            "never leave memory: neither stored, logged nor shown.",
            deps=[keys.SCHEMAS],
            partitioned=True,
            kinds=frozenset({"duckdb"}),
        )
    )
