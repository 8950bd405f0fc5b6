"""Jobs: the full catalog in one click, and what sensors request."""

from collections.abc import Sequence
from typing import Any

import dagster as dg

from metadata_assets.defs import keys
from metadata_assets.defs.dead_runs import show_life
from metadata_assets.defs.full_run import FullRun
from metadata_assets.defs.phases import Asked, Step
from metadata_assets.defs.publish import DestinationKeys
from metadata_assets.defs.resources import Deployments
from metadata_assets.model.counts import counted

FULL_CATALOG = "full_catalog"
CATALOG_UPDATE = "catalog_update"
CATALOG_PUBLISH = "catalog_publish"
LINEAGE_UPDATE = "lineage_update"
SPECS_UPDATE = "specs_update"
DATABASES_UPDATE = "databases_update"
NIGHTLY = "0 2 * * *"
# The phases run as runs of their own; this tag leads from them to the run that asked for them.
PARENT_TAG = "metadata/full_catalog_run"


def full_catalog_job(
    pipeline: dg.Definitions, publishing: Sequence[dg.AssetKey], resources: dict[str, Any]
) -> dg.JobDefinition:
    """The whole catalog from whatever state, an empty instance included."""

    @dg.op(description="Runs the phases one after the other; each is a run of its own in the run list.")
    def all_phases(context: dg.OpExecutionContext, deployments: dg.ResourceParam[Deployments]) -> None:
        full = FullRun(context.instance, publishing, Asked(tags={PARENT_TAG: context.run.run_id}))
        show_life(context.instance, context.run)
        job = pipeline.resolve_implicit_global_asset_job_def()
        finished = full.execute(job, lambda step: context.log.info(_line(step)))
        with deployments.opened() as deployment:
            full.conclude(deployment.store, finished)
        if finished.failures:
            raise dg.Failure("; ".join(map(str, finished.failures)), allow_retries=False)

    @dg.job(
        name=FULL_CATALOG,
        description="Backfill of the full catalog: schemas, lineage, profiles, entries, then every destination.",
        executor_def=dg.in_process_executor,
        resource_defs=resources,
    )
    def full_catalog() -> None:
        all_phases()

    return full_catalog


def _line(step: Step) -> str:
    shards = f" for {counted(step.shards, 'shard')}" if step.shards else ""
    return f"{step.phase}: {', '.join(step.assets)}{shards}"


def update_jobs(destinations: Sequence[DestinationKeys]) -> dict[str, Any]:
    """The jobs that sensors request, each for exactly what changed, by name."""
    publishing = [k for d in destinations for k in d.in_order]
    selections = {
        CATALOG_UPDATE: (
            [keys.SCHEMAS, keys.LINEAGE, keys.PROFILES, keys.ENTITIES, *publishing],
            "One shard: its changed tables, the statements that name them, entries, destinations.",
        ),
        CATALOG_PUBLISH: (
            [k for d in destinations for k in d.whole],
            "What destinations hold of no shard, after the shards: glossary, lineage, documents written whole.",
        ),
        SPECS_UPDATE: (list(keys.SPECS), "YAML specs; the tables that they speak of are then updated shard by shard."),
        LINEAGE_UPDATE: ([keys.LINEAGE], "SQL jobs whose text changed; the tables that they fill are then updated."),
        DATABASES_UPDATE: ([keys.DATABASES], "Databases and shards."),
    }
    return {
        name: dg.define_asset_job(name, selection=dg.AssetSelection.assets(*selected), description=description)
        for name, (selected, description) in selections.items()
        if selected
    }
