"""A metastore with two thousand tables, shared by the tests that only read; and a small lake in a folder."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from examples.services.metastore import Metastore
from examples.services.moto import Moto
from examples.services.process import ServiceUnavailable, free_port
from metadata_assets.sources.aws import open_client
from tests.conftest import require, start_or_skip
from tests.integration.cloud import BUCKET, access_to
from tests.integration.command import ROOT
from tests.integration.warehouse import open_warehouse

SMALL_LAKE = ("raw", "legado")
SMALL_PLATFORM = """\
version: 1
kind: platform
metastore: {type: ddl, path: ddl}
specs: {type: folder, path: specs}
destinations:
  - {type: local}
  - {type: workbook}
"""


def _open(folder: Path) -> Metastore:
    try:
        return open_warehouse(folder, free_port())
    except ServiceUnavailable as reason:
        require(reason)


@pytest.fixture(scope="session")
def warehouse(service_folder: Path) -> Iterator[Metastore]:
    service = _open(service_folder / "warehouse")
    start_or_skip(service)
    yield service
    service.stop()


@pytest.fixture
def own_warehouse(service_folder: Path, request: pytest.FixtureRequest) -> Iterator[Metastore]:
    """A copy that the test may change, stop and kill."""
    service = _open(service_folder / f"own-{request.node.name}")
    start_or_skip(service)
    yield service
    service.stop()


@pytest.fixture
def small(tmp_path: Path) -> dict[str, str]:
    """A platform on a part of the sample."""
    folder = tmp_path / "small"
    for database in SMALL_LAKE:
        shutil.copytree(ROOT / "examples/lakehouse/ddl" / database, folder / "ddl" / database)
    shutil.copytree(ROOT / "yaml_specs/documentation", folder / "specs")
    (folder / "platform.yaml").write_text(SMALL_PLATFORM)
    return {"METADATA_PLATFORM": str(folder / "platform.yaml")}


@pytest.fixture
def s3(aws: Moto) -> Any:
    """A client, and an empty bucket."""
    client = open_client("s3", access_to(aws))
    client.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    return client


@pytest.fixture
def queues(aws: Moto) -> Any:
    """A client of SQS."""
    return open_client("sqs", access_to(aws))
