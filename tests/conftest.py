"""Real services for tests: one of each for a test process, on its own port, in a folder that goes away."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn, Protocol
from uuid import uuid4

import pytest
from sqlalchemy import NullPool, create_engine, make_url, text

from examples.services.kafka import Kafka
from examples.services.metastore import Metastore
from examples.services.moto import Moto
from examples.services.postgres import Postgres
from examples.services.process import ServiceUnavailable, free_port
from tests.memory import WORLDS, World

SQLITE_AND_POSTGRES = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]
KAFKA_USER, KAFKA_PASSWORD = "reader", "canary-7d1f-of-the-broker"
# Tests of one service run in one process, so that it is started once; those of several run with the first of them.
_SERVICES = ("hive", "kafka", "browser", "postgres", "aws")


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for name in _SERVICES:
            if item.get_closest_marker(name):
                item.add_marker(pytest.mark.xdist_group(name))
                break


class Startable(Protocol):
    def start(self) -> float: ...


def start_or_skip(service: Startable) -> None:
    """Start it; where it cannot run, the test is skipped or failed."""
    try:
        service.start()
    except ServiceUnavailable as reason:
        require(reason)


def require(reason: ServiceUnavailable) -> NoReturn:
    """Skip with the reason, or fail with it when METADATA_REQUIRE_SERVICES=1."""
    if os.environ.get("METADATA_REQUIRE_SERVICES") == "1":
        pytest.fail(f"a required service is unavailable: {reason}", pytrace=False)
    pytest.skip(str(reason))


@pytest.fixture(scope="session")
def service_folder() -> Iterator[Path]:
    """Not under pytest's own folders, which the user `postgres` cannot enter."""
    folder = Path(tempfile.mkdtemp(prefix="metadata-services-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def hive_metastore(service_folder: Path) -> Iterator[Metastore]:
    """A running Hive 2.3 metastore. Tests share it: each makes databases of its own."""
    service = Metastore(service_folder / "hive", free_port(), durable=False)
    start_or_skip(service)
    yield service
    service.stop()


@pytest.fixture(scope="session")
def kafka_broker(service_folder: Path) -> Iterator[Kafka]:
    """A running broker, with a second listener for KAFKA_USER. Tests share it: each makes topics of its own."""
    users = {KAFKA_USER: KAFKA_PASSWORD}
    service = Kafka(service_folder / "kafka", free_port(), sasl_port=free_port(), users=users)
    start_or_skip(service)
    yield service
    service.stop()


@pytest.fixture(scope="session")
def postgres_url(service_folder: Path) -> Iterator[str]:
    """A running PostgreSQL. Tests share it: each makes a database or schema of its own."""
    service = Postgres(service_folder / "postgres", free_port())
    start_or_skip(service)
    yield service.url
    service.stop()


@pytest.fixture(params=SQLITE_AND_POSTGRES)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database that nobody has opened yet; every test that asks for it runs on both."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'store.db'}"
        return
    server = make_url(request.getfixturevalue("postgres_url")).set(drivername="postgresql+psycopg2")
    name = f"store_{uuid4().hex}"
    admin = create_engine(server, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield server.set(drivername="postgresql", database=name).render_as_string(hide_password=False)
    with admin.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture(scope="session")
def moto_server(service_folder: Path) -> Iterator[Moto]:
    """A running double of AWS: S3, SQS, SNS and EventBridge."""
    service = Moto(service_folder / "moto-shared", free_port())
    start_or_skip(service)
    yield service
    service.stop()


@pytest.fixture
def aws(moto_server: Moto) -> Moto:
    """The same, emptied."""
    moto_server.reset()
    return moto_server


@pytest.fixture
def world_name(request: pytest.FixtureRequest) -> str:
    return f"world_{abs(hash(request.node.nodeid))}"


@pytest.fixture
def world(world_name: str) -> Iterator[World]:
    WORLDS[world_name] = World()
    yield WORLDS[world_name]
    del WORLDS[world_name]
