"""Which runs to request for what is due: pure decisions, and what the instance says of runs that are under way."""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import dagster as dg

from metadata_assets.defs import jobs, keys
from metadata_assets.defs.partitions import RANGE_END, RANGE_START, SHARDS
from metadata_assets.defs.publish import DestinationKeys
from metadata_assets.defs.scopes import scope_tags
from metadata_assets.stages.watching import AllDue, Due, Wider

_ACTIVE = [
    dg.DagsterRunStatus.QUEUED, dg.DagsterRunStatus.NOT_STARTED, dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELING,
]  # fmt: skip
_PARTITION = "dagster/partition"
_REQUESTS_A_TICK = 50
# After a failed run the same is not asked for again at once: what failed is often still down.
_PAUSE_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Busy:
    """Shards of runs under way, and shards whose run failed a moment ago."""

    active: frozenset[str] = frozenset()
    resting: frozenset[str] = frozenset()


def plan_requests(
    due: AllDue, destinations: Sequence[DestinationKeys], shards: set[str], busy: Busy
) -> list[dg.RunRequest]:
    """At most one request a shard; what belongs to no shard is published once, after the shards.

    A single shard takes everything with it: an edit of one table arrives everywhere with one run. A shard that failed
    a moment ago holds up nothing but itself.
    """
    selections = {
        shard: selection
        for shard, what in due.shards.items()
        if shard in shards and shard not in busy.active | busy.resting and (selection := _selection(what, destinations))
    }
    if len(selections) == 1 and not busy.active:
        return [_request(s, [*selected, *_whole(destinations)]) for s, selected in selections.items()]
    if selections or busy.active:
        return [_request(s, selected) for s, selected in list(selections.items())[:_REQUESTS_A_TICK]]
    lacking = [d for d in destinations if _lacks_whole(d, due)]
    if not lacking:
        return []
    tags = scope_tags(everything=False)
    return [dg.RunRequest(job_name=jobs.CATALOG_PUBLISH, tags=tags, asset_selection=_whole(lacking))]


def _selection(due: Due, destinations: Sequence[DestinationKeys]) -> list[dg.AssetKey]:
    tables = [k for d in destinations for k in d.by_shard]
    if due.schemas:
        return [keys.SCHEMAS, keys.LINEAGE, keys.PROFILES, keys.ENTITIES, *tables]
    if due.derived:
        return [keys.LINEAGE, keys.PROFILES, keys.ENTITIES, *tables]
    if due.entries:
        return [keys.ENTITIES, *tables]
    return [k for d in destinations if d.name in due.destinations for k in d.by_shard]


def _whole(destinations: Sequence[DestinationKeys]) -> list[dg.AssetKey]:
    return [k for d in destinations for k in d.whole]


def _lacks_whole(destination: DestinationKeys, due: AllDue) -> bool:
    """Something of a kind that no shard brings there."""
    return bool(due.lacking.get(destination.name, frozenset()) & destination.whole_kinds)


def _request(shard: str, selection: Sequence[dg.AssetKey]) -> dg.RunRequest:
    return dg.RunRequest(
        job_name=jobs.CATALOG_UPDATE,
        partition_key=shard,
        tags=scope_tags(everything=False),
        asset_selection=list(selection),
    )


def busy_shards(instance: dg.DagsterInstance, now: float) -> Busy:
    """Shards of runs under way, those of ranges included, and of runs that failed a moment ago."""
    order = list(instance.get_dynamic_partitions(SHARDS.name or ""))
    active: set[str] = set()
    resting: set[str] = set()
    for run in instance.get_runs(dg.RunsFilter(statuses=_ACTIVE)):
        active |= _shards_of(run, order)
    recent = dg.RunsFilter(job_name=jobs.CATALOG_UPDATE, statuses=[dg.DagsterRunStatus.FAILURE])
    for record in instance.get_run_records(recent, limit=100):
        if now - (record.end_time or 0) < _PAUSE_SECONDS:
            resting |= _shards_of(record.dagster_run, order)
    return Busy(frozenset(active), frozenset(resting))


def _shards_of(run: dg.DagsterRun, order: Sequence[str]) -> set[str]:
    if _PARTITION in run.tags:
        return {run.tags[_PARTITION]}
    first, last = run.tags.get(RANGE_START), run.tags.get(RANGE_END)
    if first in order and last in order:
        return set(order[order.index(first) : order.index(last) + 1])
    return set()


_FIRST: Mapping[Wider, str] = {
    "databases": jobs.DATABASES_UPDATE,
    "specs": jobs.SPECS_UPDATE,
    "jobs": jobs.LINEAGE_UPDATE,
    "everything": jobs.FULL_CATALOG,
}


def plan_first(first: Collection[Wider], instance: dg.DagsterInstance) -> list[dg.RunRequest]:
    """One request for each job that comes before the shards, unless a run of it is under way or has just failed."""
    names = [_FIRST[what] for what in sorted(first)]
    return [
        dg.RunRequest(job_name=name, tags={} if name == jobs.FULL_CATALOG else scope_tags(everything=False))
        for name in names
        if not why_not_now(instance, name)
    ]


def why_not_now(instance: dg.DagsterInstance, job_name: str) -> str:
    """Why no run should be requested: one is under way, or the last one failed a moment ago."""
    if instance.get_runs(dg.RunsFilter(job_name=job_name, statuses=_ACTIVE), limit=1):
        return f"a run of {job_name} is under way"
    for record in instance.get_run_records(dg.RunsFilter(job_name=job_name), limit=1):
        failed = record.dagster_run.status == dg.DagsterRunStatus.FAILURE
        if failed and time.time() - (record.end_time or 0) < _PAUSE_SECONDS:
            return f"the last run of {job_name} failed; the next try is in {_PAUSE_SECONDS:.0f} s"
    return ""
