"""Starters: what was written is there after a stop, and after kill -9."""

from pathlib import Path

import pytest
from sqlalchemy import NullPool, create_engine, make_url, text

from examples.services.metastore import Metastore
from examples.services.moto import Moto
from examples.services.postgres import Postgres
from examples.services.process import free_port
from metadata_assets.sources.hive.connection import Connector
from tests.conftest import start_or_skip
from tests.integration.warehouse import make_database


@pytest.mark.postgres
def test_postgres_keeps_its_data(service_folder: Path) -> None:
    service = Postgres(service_folder / "postgres-kept", free_port())
    start_or_skip(service)
    try:
        _sql(service.url, "create table kept (n int)")
        for end in (service.kill9, service.stop):
            _sql(service.url, "insert into kept values (1)")
            end()
            assert service.pid is None
            service.start()
        assert _sql(service.url, "select count(*) from kept") == [(2,)]
    finally:
        service.stop()


@pytest.mark.postgres
def test_the_shared_postgres_answers(postgres_url: str) -> None:
    assert _sql(postgres_url, "select 1") == [(1,)]


@pytest.mark.hive
def test_a_metastore_keeps_its_data(service_folder: Path) -> None:
    service = Metastore(service_folder / "hive-kept", free_port())
    start_or_skip(service)
    try:
        for name, end in (("first", service.kill9), ("second", service.stop)):
            connection = Connector(30).open(service.uri)
            connection.stub.create_database(make_database(name, location=f"{service.warehouse}/{name}.db"))
            connection.close()
            end()
            service.start()
        connection = Connector(30).open(service.uri)
        assert sorted(connection.stub.get_all_databases()) == ["default", "first", "second"]
        connection.close()
    finally:
        service.stop()


@pytest.mark.aws
def test_moto_starts_and_can_be_emptied(service_folder: Path) -> None:
    service = Moto(service_folder / "moto", free_port())
    start_or_skip(service)
    service.reset()
    service.stop()


def _sql(url: str, statement: str) -> list[tuple[object, ...]]:
    # Newer SQLAlchemy takes a bare postgresql:// for a driver that is not installed.
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg2"), poolclass=NullPool)
    with engine.begin() as connection:
        result = connection.execute(text(statement))
        return [tuple(row) for row in result] if result.returns_rows else []
