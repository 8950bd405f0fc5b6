"""A deployment on a world in memory, and the whole line as one call."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from metadata_assets.destinations.base import PARTS
from metadata_assets.model.counts import Counts
from metadata_assets.stages.databases import read_databases
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.entities import merge_entries
from metadata_assets.stages.lineage import infer_lineage
from metadata_assets.stages.profiling import profile_tables
from metadata_assets.stages.publishing import publish
from metadata_assets.stages.schemas import read_schemas
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.shards import shard_keys
from metadata_assets.stages.specs import ingest_specs
from tests.memory import World, open_deployment

EVERYTHING = Scope("run")
Line = Callable[[], dict[str, Counts]]


@pytest.fixture
def deployment(world_name: str, world: World, tmp_path: Path) -> Iterator[Deployment]:
    found = open_deployment(tmp_path, world_name)
    yield found
    found.store.close()


@pytest.fixture
def line(deployment: Deployment) -> Line:
    """All stages in order over all shards, as a backfill runs them."""

    def run() -> dict[str, Counts]:
        return run_line(deployment, EVERYTHING)

    return run


def run_line(deployment: Deployment, scope: Scope) -> dict[str, Counts]:
    counts = {"hive_databases": read_databases(deployment, scope)}
    shards = shard_keys(deployment.store.work.shards())
    counts["hive_schemas"] = read_schemas(deployment, shards, scope)
    counts |= ingest_specs(deployment, scope).counts
    counts["sql_lineage"] = infer_lineage(deployment, scope)
    counts["pii_profiles"] = profile_tables(deployment, shards, scope)
    counts["catalog_entities"] = merge_entries(deployment, shards, scope).counts
    for part in PARTS["shard"]:
        counts[f"memory_{part.name}"] = publish(deployment, "memory", part, shards, scope)
    return counts
