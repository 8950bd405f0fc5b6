"""A metastore with two thousand tables, shared by the tests that only read."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from examples.services.metastore import Metastore
from examples.services.process import ServiceUnavailable, free_port
from tests.conftest import require, start_or_skip
from tests.integration.warehouse import open_warehouse


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
