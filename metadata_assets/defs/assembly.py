"""Puts the pipeline together from the platform file: assets of all stages, jobs, sensors and the nightly reconcile."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import dagster as dg

from metadata_assets.config import Platform
from metadata_assets.defs import jobs
from metadata_assets.defs.databases import databases_asset
from metadata_assets.defs.entities import entities_asset
from metadata_assets.defs.lineage import lineage_asset
from metadata_assets.defs.profiling import profiles_asset
from metadata_assets.defs.publish import destination_assets
from metadata_assets.defs.resources import Deployments
from metadata_assets.defs.schemas import schemas_asset
from metadata_assets.defs.sensors import sensors
from metadata_assets.defs.specs import specs_assets
from metadata_assets.stages.deployment import platform_file, read_platform


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The assets without jobs, and the keys of the destinations: all in order, and by destination."""

    assets: dg.Definitions
    publishing: tuple[dg.AssetKey, ...]
    by_destination: dict[str, list[dg.AssetKey]]
    resources: dict[str, Any]


def build_pipeline(platform: Platform, environ: Mapping[str, str]) -> Pipeline:
    by_destination = {}
    published = []
    for settings in platform.destinations:
        kind = settings.type if hasattr(settings, "type") else settings.name
        assets = destination_assets(settings.name, kind, settings.grain)
        by_destination[settings.name] = [a.key for a in assets]
        published += assets
    resources = {"deployments": Deployments(environ)}
    stages = [
        databases_asset(),
        schemas_asset(),
        specs_assets(),
        lineage_asset(),
        profiles_asset(),
        entities_asset(),
        *published,
    ]
    definitions = dg.Definitions(assets=stages, resources=resources, executor=dg.in_process_executor)
    return Pipeline(definitions, tuple(k for ks in by_destination.values() for k in ks), by_destination, resources)


def build_definitions(environ: Mapping[str, str]) -> dg.Definitions:
    """Everything of code location 1.

    Raises:
        PlatformError, SpecError: the platform file cannot be used; names the place.
    """
    platform = read_platform(platform_file(environ))
    pipeline = build_pipeline(platform, environ)
    full = jobs.full_catalog_job(pipeline.assets, pipeline.publishing, pipeline.resources)
    running = platform.sensors == "running"
    nightly = dg.ScheduleDefinition(
        name="nightly_reconcile",
        job=full,
        cron_schedule=jobs.NIGHTLY,
        default_status=dg.DefaultScheduleStatus.RUNNING if running else dg.DefaultScheduleStatus.STOPPED,
        description="Events may be lost; once a night everything is compared. What is in order costs no write.",
    )
    return dg.Definitions.merge(
        pipeline.assets,
        dg.Definitions(
            jobs=[full, *jobs.update_jobs(pipeline.publishing)],
            sensors=list(sensors(pipeline.publishing, pipeline.by_destination, running=running)),
            schedules=[nightly],
        ),
    )
