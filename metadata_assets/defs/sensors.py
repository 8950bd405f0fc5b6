"""Sensors: each stores what it saw as change events first; one of them requests runs, at most one a shard."""

import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import dagster as dg

from metadata_assets.defs import jobs, keys
from metadata_assets.defs.dead_runs import backfill_under_way, end_dead_runs
from metadata_assets.defs.partitions import SHARDS
from metadata_assets.defs.resources import Deployments
from metadata_assets.defs.scopes import scope_tags
from metadata_assets.errors import Permanent, Transient
from metadata_assets.stages.shards import shard_keys
from metadata_assets.stages.watching import Due, plan_due, watch_metastore, watch_specs

_ACTIVE = [
    dg.DagsterRunStatus.QUEUED, dg.DagsterRunStatus.NOT_STARTED, dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELING,
]  # fmt: skip
_PARTITION_TAG = "dagster/partition"
# A tick has 60 s; a look at the metastore takes its share of them and goes on at the next tick.
_DRIFT_SECONDS = 5.0
_REQUESTS_A_TICK = 50
_FAILED_RUN_PAUSE = 120.0


def specs_sensor(status: dg.DefaultSensorStatus) -> dg.SensorDefinition:
    @dg.sensor(
        name="specs_sensor",
        job_name=jobs.SPECS_UPDATE,
        minimum_interval_seconds=10,
        default_status=status,
        description="Watches the YAML specs; files that differ from what was last read start one run.",
    )
    def _sensor(
        context: dg.SensorEvaluationContext, deployments: dg.ResourceParam[Deployments]
    ) -> dg.SensorResult | dg.SkipReason:
        with deployments.opened() as deployment:
            try:
                changes = watch_specs(deployment)
            except (Transient, Permanent) as error:
                return dg.SkipReason(f"the specs cannot be read: {error}")
        if not changes.changed:
            return dg.SkipReason("no spec file changed")
        if why := _not_now(context.instance, jobs.SPECS_UPDATE):
            return dg.SkipReason(why)
        return dg.SensorResult([dg.RunRequest(tags=scope_tags(everything=False))])

    return _sensor


def drift_sensor(status: dg.DefaultSensorStatus) -> dg.SensorDefinition:
    @dg.sensor(
        name="drift_sensor",
        job_name=jobs.DATABASES_UPDATE,
        minimum_interval_seconds=30,
        default_status=status,
        description="Compares the metastore with what is known: names in full, schemas in a rolling slice. Changes "
        "become events; a new or dropped database starts a run of hive_databases.",
    )
    def _sensor(
        context: dg.SensorEvaluationContext, deployments: dg.ResourceParam[Deployments]
    ) -> dg.SensorResult | dg.SkipReason:
        with deployments.opened() as deployment:
            try:
                drift = watch_metastore(deployment, _DRIFT_SECONDS)
            except (Transient, Permanent) as error:
                return dg.SkipReason(f"the metastore cannot be read: {error}")
        seen = f"{drift.events} new events, {drift.tables_read} schemas compared"
        if not drift.databases_changed or _not_now(context.instance, jobs.DATABASES_UPDATE):
            return dg.SkipReason(seen)
        context.log.info(seen)
        return dg.SensorResult([dg.RunRequest(tags=scope_tags(everything=False))])

    return _sensor


def pending_sensor(
    status: dg.DefaultSensorStatus, publishing: Sequence[dg.AssetKey], by_destination: dict[str, list[dg.AssetKey]]
) -> dg.SensorDefinition:
    @dg.sensor(
        name="pending_sensor",
        job_name=jobs.CATALOG_UPDATE,
        minimum_interval_seconds=10,
        default_status=status,
        description="Requests a run for each shard with waiting events, entries to merge, or failed publications whose "
        "next try is due. A shard with a run queued or running gets no second one.",
    )
    def _sensor(
        context: dg.SensorEvaluationContext, deployments: dg.ResourceParam[Deployments]
    ) -> dg.SensorResult | dg.SkipReason:
        with deployments.opened() as deployment:
            due = plan_due(deployment.store, by_destination, time.time())
            shards = shard_keys(deployment.store.work.shards())
        home = Path(context.instance.root_directory)
        end_dead_runs(context.instance, home)
        if backfill_under_way(home):
            return dg.SkipReason("a backfill is under way: it takes all that is pending")
        known = set(context.instance.get_dynamic_partitions(SHARDS.name or ""))
        busy = _busy_shards(context.instance)
        free = {s: d for s, d in due.items() if s in shards and s not in busy}
        requests = [_request(s, d, publishing, by_destination) for s, d in list(free.items())[:_REQUESTS_A_TICK]]
        new = [s for s in shards if s not in known]
        if not requests and not new:
            return dg.SkipReason(
                "nothing is pending" if not due else f"runs are under way for {', '.join(sorted(busy))}"
            )
        return dg.SensorResult(requests, dynamic_partitions_requests=[SHARDS.build_add_request(new)] if new else [])

    return _sensor


def _request(
    shard: str, due: Due, publishing: Sequence[dg.AssetKey], by_destination: dict[str, list[dg.AssetKey]]
) -> dg.RunRequest:
    if due.schemas:
        selection = None
    elif due.entries:
        selection = [keys.ENTITIES, *publishing]
    else:
        selection = [k for name in sorted(due.destinations) for k in by_destination[name]]
    return dg.RunRequest(partition_key=shard, tags=scope_tags(everything=False), asset_selection=selection)


def _busy_shards(instance: dg.DagsterInstance) -> set[str]:
    return {run.tags[_PARTITION_TAG] for run in _active(instance, jobs.CATALOG_UPDATE) if _PARTITION_TAG in run.tags}


def _active(instance: dg.DagsterInstance, job_name: str) -> Iterable[dg.DagsterRun]:
    return instance.get_runs(dg.RunsFilter(job_name=job_name, statuses=_ACTIVE))


def _not_now(instance: dg.DagsterInstance, job_name: str) -> str:
    """Why no run should be requested: one is under way, or the last one failed a moment ago."""
    if any(True for _ in _active(instance, job_name)):
        return f"a run of {job_name} is under way"
    for record in instance.get_run_records(dg.RunsFilter(job_name=job_name), limit=1):
        failed = record.dagster_run.status == dg.DagsterRunStatus.FAILURE
        if failed and time.time() - (record.end_time or 0) < _FAILED_RUN_PAUSE:
            return f"the last run of {job_name} failed; the next try is in {_FAILED_RUN_PAUSE:.0f} s"
    return ""


def sensors(
    publishing: Sequence[dg.AssetKey], by_destination: dict[str, list[dg.AssetKey]], *, running: bool
) -> Iterator[dg.SensorDefinition]:
    status = dg.DefaultSensorStatus.RUNNING if running else dg.DefaultSensorStatus.STOPPED
    yield specs_sensor(status)
    yield drift_sensor(status)
    yield pending_sensor(status, publishing, by_destination)
