"""Puts the pipeline together from the platform file: assets of all stages, jobs, sensors and the nightly reconcile."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import dagster as dg

from metadata_assets.config import Platform
from metadata_assets.defs import jobs, keys
from metadata_assets.defs.databases import databases_asset
from metadata_assets.defs.entities import entities_asset
from metadata_assets.defs.event_sensors import event_assets
from metadata_assets.defs.lineage import lineage_asset
from metadata_assets.defs.profiling import profiles_asset
from metadata_assets.defs.publish import DestinationKeys, destination_assets
from metadata_assets.defs.resources import Deployments
from metadata_assets.defs.schemas import schemas_asset
from metadata_assets.defs.sensors import sensors
from metadata_assets.defs.specs import specs_assets
from metadata_assets.destinations.base import PARTS
from metadata_assets.stages.deployment import platform_file, read_platform


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The assets without jobs, and the keys of the destinations in the order of the platform file."""

    assets: dg.Definitions
    destinations: tuple[DestinationKeys, ...]
    resources: dict[str, Any]

    @property
    def publishing(self) -> tuple[dg.AssetKey, ...]:
        return tuple(k for d in self.destinations for k in d.in_order)


def build_pipeline(platform: Platform, environ: Mapping[str, str]) -> Pipeline:
    destinations = tuple(DestinationKeys(d.name, PARTS[d.grain]) for d in platform.destinations)
    published = []
    for destination, settings in zip(destinations, platform.destinations, strict=True):
        published += destination_assets(destination, getattr(settings, "type", settings.name))
    resources = {"deployments": Deployments(environ)}
    stages: list[dg.AssetsDefinition | dg.AssetSpec] = [
        databases_asset(),
        schemas_asset([keys.events_key(source.name) for source in platform.events]),
        specs_assets(),
        lineage_asset(),
        profiles_asset(),
        entities_asset(),
        *published,
        *event_assets(platform.events),
    ]
    definitions = dg.Definitions(assets=stages, resources=resources, executor=dg.in_process_executor)
    return Pipeline(definitions, destinations, resources)


def build_definitions(environ: Mapping[str, str]) -> dg.Definitions:
    """Everything of code location 1.

    Raises:
        PlatformError: the platform file cannot be used; names the place.
    """
    platform = read_platform(platform_file(environ))
    pipeline = build_pipeline(platform, environ)
    full = jobs.full_catalog_job(pipeline.assets, pipeline.publishing, pipeline.resources)
    updates = jobs.update_jobs(pipeline.destinations)
    runnable = {**updates, jobs.FULL_CATALOG: full}
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
            jobs=list(runnable.values()),
            sensors=list(sensors(pipeline.destinations, runnable, platform)),
            schedules=[nightly],
        ),
    )
