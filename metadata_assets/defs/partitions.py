"""Catalog shards as Dagster partitions."""

from collections.abc import Sequence

import dagster as dg

SHARDS = dg.DynamicPartitionsDefinition(name="catalog_shard")
# A backfill of many shards runs in parts of this size, so that a lost run costs minutes.
SHARDS_A_RUN = 25
RANGE_START = "dagster/asset_partition_range_start"
RANGE_END = "dagster/asset_partition_range_end"


def sync_partitions(instance: dg.DagsterInstance, keys: Sequence[str]) -> None:
    """Make the instance's shards the given ones."""
    known = set(instance.get_dynamic_partitions(SHARDS.name or ""))
    if new := [k for k in keys if k not in known]:
        instance.add_dynamic_partitions(SHARDS.name or "", new)
    for stale in known - set(keys):
        instance.delete_dynamic_partition(SHARDS.name or "", stale)


def range_tags(instance: dg.DagsterInstance, keys: Sequence[str]) -> list[dict[str, str]]:
    """Run tags that cover the keys: one pair for each contiguous range, since Dagster has no tag for a list."""
    order = list(instance.get_dynamic_partitions(SHARDS.name or ""))
    wanted = set(keys)
    ranges: list[list[str]] = []
    previous_wanted = False
    for key in order:
        if key in wanted and previous_wanted:
            ranges[-1].append(key)
        elif key in wanted:
            ranges.append([key])
        previous_wanted = key in wanted
    return [{RANGE_START: keys[0], RANGE_END: keys[-1]} for keys in ranges]
