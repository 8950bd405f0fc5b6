"""Old runs of Dagster's own storage: they are of no use for ever, and nothing else removes them."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import dagster as dg

from metadata_assets.defs.partitions import SHARDS

_FINISHED = [dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED]
_PART = 500


def prune_runs(instance: dg.DagsterInstance, seconds: float) -> int:
    """Delete finished runs that last changed longer ago than `seconds`, with their events and logs.

    Runs that hold the newest materialization of an asset or partition stay, whatever their age: with their events the
    instance would forget that these were ever made. Ticks are purged by Dagster itself (`retention` in dagster.yaml).

    Returns:
        How many were deleted.
    """
    limit = datetime.now(UTC) - timedelta(seconds=seconds)
    old = instance.get_runs(dg.RunsFilter(statuses=_FINISHED, updated_before=limit))
    if not old:
        return 0
    needed = set(_newest_runs(instance))
    going = [run.run_id for run in old if run.run_id not in needed]
    for run_id in going:
        instance.delete_run(run_id)
        instance.compute_log_manager.delete_logs(prefix=[run_id])
        # Dagster's SQLite storage has a file of events for each run, and leaves it there when it is emptied.
        (Path(instance.root_directory) / "history" / "runs" / f"{run_id}.db").unlink(missing_ok=True)
    return len(going)


def _newest_runs(instance: dg.DagsterInstance) -> Iterator[str]:
    """The runs of the newest materialization of each asset, and of each partition of those that have some."""
    shards = instance.get_dynamic_partitions(SHARDS.name or "")
    keys = list(instance.get_asset_keys())
    for start in range(0, len(keys), _PART):
        for record in instance.get_asset_records(keys[start : start + _PART]):
            newest = record.asset_entry.last_materialization_record
            if newest is None:
                continue
            yield newest.run_id
            for shard in shards if newest.partition_key is not None else ():
                of_shard = dg.AssetRecordsFilter(record.asset_entry.asset_key, asset_partitions=[shard])
                yield from (r.run_id for r in instance.fetch_materializations(of_shard, limit=1).records)
