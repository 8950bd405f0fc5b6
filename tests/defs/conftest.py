"""The pipeline as Dagster runs it, on a world in memory and an instance that goes away."""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from metadata_assets.defs.assembly import Pipeline, build_definitions, build_pipeline
from metadata_assets.defs.partitions import sync_partitions
from metadata_assets.destinations.base import CATALOG
from metadata_assets.stages.deployment import opened, read_platform
from metadata_assets.stages.publishing import publish
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.shards import shard_keys
from tests.memory import World, platform_text
from tests.unit.stages.conftest import run_line


@pytest.fixture
def environ(world: World, world_name: str, tmp_path: Path) -> dict[str, str]:
    path = tmp_path / "platform.yaml"
    path.write_text(platform_text(world_name))
    return {"METADATA_PLATFORM": str(path), "METADATA_HOME": str(tmp_path / "home")}


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[dg.DagsterInstance]:
    # On disk, as in use: runs within runs share it.
    folder = tmp_path / "dagster"
    folder.mkdir()
    (folder / "dagster.yaml").write_text("telemetry: {enabled: false}\n")
    with dg.DagsterInstance.from_config(str(folder)) as found:
        yield found


@pytest.fixture
def pipeline(environ: dict[str, str]) -> Pipeline:
    return build_pipeline(read_platform(Path(environ["METADATA_PLATFORM"])), environ)


@pytest.fixture
def definitions(environ: dict[str, str]) -> dg.Definitions:
    return build_definitions(environ)


def catalog(instance: dg.DagsterInstance, environ: dict[str, str]) -> None:
    """What a backfill leaves behind, without its runs."""
    with opened(environ) as deployment:
        run_line(deployment, Scope("seed"))
        shards = shard_keys(deployment.store.work.shards())
        publish(deployment, "workbook", CATALOG, shards, Scope("seed"))
    sync_partitions(instance, shards)
