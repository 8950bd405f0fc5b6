"""Sensors: each stores what it saw as change events first; one of them requests runs, at most one a shard."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import dagster as dg

from metadata_assets.config import Platform
from metadata_assets.defs import jobs
from metadata_assets.defs.dead_runs import backfill_under_way, end_dead_runs
from metadata_assets.defs.event_sensors import events_sensor
from metadata_assets.defs.listeners_sensor import listeners_sensor
from metadata_assets.defs.notices_sensor import notices_sensor
from metadata_assets.defs.partitions import SHARDS
from metadata_assets.defs.publish import DestinationKeys
from metadata_assets.defs.requests import busy_shards, plan_first, plan_requests, why_not_now
from metadata_assets.defs.resources import Deployments
from metadata_assets.defs.scopes import scope_tags
from metadata_assets.errors import MetadataError
from metadata_assets.model.counts import counted
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.notices.outages import noting_outages
from metadata_assets.stages.shards import shard_keys
from metadata_assets.stages.watching import FileChanges, plan_due, watch_jobs, watch_metastore, watch_specs

# A tick has 60 s; a look at the metastore takes its share of them and goes on at the next tick.
_DRIFT_SECONDS = 5.0
_FILES_SECONDS = 10
_PENDING_SECONDS = 5
_METASTORE_SECONDS = 30
_TOLD_SECONDS = 300

Result = dg.SensorResult | dg.SkipReason


def specs_sensor(status: dg.DefaultSensorStatus) -> dg.SensorDefinition:
    described = "Watches the YAML specs; files that differ from what was last read start one run."
    return _files_sensor("specs", jobs.SPECS_UPDATE, watch_specs, described, status)


def jobs_sensor(status: dg.DefaultSensorStatus) -> dg.SensorDefinition:
    described = "Watches the SQL jobs; files that differ from what was last read start one run."
    return _files_sensor("jobs", jobs.LINEAGE_UPDATE, watch_jobs, described, status)


def _files_sensor(
    what: Literal["specs", "jobs"],
    job_name: str,
    watch: Callable[[Deployment], FileChanges],
    description: str,
    status: dg.DefaultSensorStatus,
) -> dg.SensorDefinition:
    @dg.sensor(
        name=f"{what}_sensor",
        job_name=job_name,
        minimum_interval_seconds=_FILES_SECONDS,
        default_status=status,
        description=description,
    )
    def _sensor(context: dg.SensorEvaluationContext, deployments: dg.ResourceParam[Deployments]) -> Result:
        with deployments.opened() as deployment:
            try:
                with noting_outages(deployment.store, what):
                    changes = watch(deployment)
            except MetadataError as error:
                return dg.SkipReason(f"the files cannot be read: {error}")
        if not changes.changed:
            return dg.SkipReason("no file changed")
        if why := why_not_now(context.instance, job_name):
            return dg.SkipReason(why)
        return dg.SensorResult([dg.RunRequest(tags=scope_tags(everything=False))])

    return _sensor


def drift_sensor(status: dg.DefaultSensorStatus, *, is_told: bool) -> dg.SensorDefinition:
    """`is_told`: a source of events tells of changes too; then looking is for what it lost."""

    @dg.sensor(
        name="drift_sensor",
        job_name=jobs.DATABASES_UPDATE,
        minimum_interval_seconds=_TOLD_SECONDS if is_told else _METASTORE_SECONDS,
        default_status=status,
        description="Compares the metastore with what is known: names in full, schemas in a rolling slice. Changes "
        "become events; a new or dropped database starts a run of hive_databases.",
    )
    def _sensor(context: dg.SensorEvaluationContext, deployments: dg.ResourceParam[Deployments]) -> Result:
        with deployments.opened() as deployment:
            try:
                with noting_outages(deployment.store, "metastore"):
                    drift = watch_metastore(deployment, _DRIFT_SECONDS)
            except MetadataError as error:
                return dg.SkipReason(f"the metastore cannot be read: {error}")
        for database, why in sorted(drift.refused.items()):
            context.log.warning(f"the tables of {database} cannot be listed: {why}")
        refused = f", {counted(len(drift.refused), 'database')} not listed" if drift.refused else ""
        seen = f"{counted(drift.events, 'new event')}, {counted(drift.tables_read, 'schema')} compared{refused}"
        if not drift.databases_changed or why_not_now(context.instance, jobs.DATABASES_UPDATE):
            return dg.SkipReason(seen)
        context.log.info(seen)
        return dg.SensorResult([dg.RunRequest(tags=scope_tags(everything=False))])

    return _sensor


def pending_sensor(
    status: dg.DefaultSensorStatus, destinations: Sequence[DestinationKeys], runnable: Mapping[str, Any]
) -> dg.SensorDefinition:
    @dg.sensor(
        name="pending_sensor",
        jobs=list(runnable.values()),
        minimum_interval_seconds=_PENDING_SECONDS,
        default_status=status,
        description="Requests a run for each shard with waiting events, entries to merge, or entries that a "
        "destination does not hold as wanted. A shard with a run queued or running gets no second one.",
    )
    def _sensor(context: dg.SensorEvaluationContext, deployments: dg.ResourceParam[Deployments]) -> Result:
        instance = context.instance
        home = Path(instance.root_directory)
        end_dead_runs(instance, home)
        if backfill_under_way(home):
            return dg.SkipReason("a backfill is under way: it takes all that is pending")
        with deployments.opened() as deployment:
            due = plan_due(deployment.store, [d.name for d in destinations], time.time())
            shards = shard_keys(deployment.store.work.shards())
        known = set(instance.get_dynamic_partitions(SHARDS.name or ""))
        new = [s for s in shards if s not in known]
        first = plan_first(due.first, instance)
        requests = plan_requests(due, destinations, set(shards), busy_shards(instance, time.time()))
        if requests and requests[0].job_name == jobs.CATALOG_PUBLISH and why_not_now(instance, jobs.CATALOG_PUBLISH):
            requests = []
        requests = [*first, *requests]
        if not requests and not new:
            return dg.SkipReason("runs are under way or failed a moment ago" if due.shards else "nothing is pending")
        return dg.SensorResult(requests, dynamic_partitions_requests=[SHARDS.build_add_request(new)] if new else [])

    return _sensor


def sensors(
    destinations: Sequence[DestinationKeys],
    runnable: Mapping[str, Any],
    platform: Platform,
) -> Iterator[dg.SensorDefinition]:
    running = platform.sensors == "running"
    status = dg.DefaultSensorStatus.RUNNING if running else dg.DefaultSensorStatus.STOPPED
    yield specs_sensor(status)
    yield jobs_sensor(status)
    yield drift_sensor(status, is_told=bool(platform.events))
    yield pending_sensor(status, destinations, runnable)
    yield notices_sensor(status)
    if platform.listeners:
        yield listeners_sensor(status)
    for source in platform.events:
        yield events_sensor(source.name, status)
