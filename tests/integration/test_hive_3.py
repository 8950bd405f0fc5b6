"""The same reader against Hive 3.1: the odd tables, and a catalog beside the default one."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from pymetastore.hive_metastore.ttypes import Catalog, CreateCatalogRequest

from examples.services.metastore import Metastore
from examples.services.process import free_port
from metadata_assets.model.table import Table, TableName, Vanished
from metadata_assets.sources.hive.config import HiveConfig
from metadata_assets.sources.hive.connection import Connector
from tests.conftest import start_or_skip
from tests.integration.warehouse import LAKE, edge_tables, make_database, make_table
from tests.surroundings import around

pytestmark = pytest.mark.hive


@pytest.fixture(scope="module")
def hive_3(service_folder: Path) -> Iterator[Metastore]:
    service = Metastore(service_folder / "hive-3", free_port(), version="3.1.3", lake=LAKE, durable=False)
    start_or_skip(service)
    with closing(Connector(60).open(service.uri)) as writer:
        writer.stub.create_database(make_database("edge", "Edge 🐝 база", "ana"))
        for table in edge_tables():
            writer.stub.create_table(table)
        catalog = Catalog(name="other", locationUri=f"{LAKE}/other")
        writer.stub.create_catalog(CreateCatalogRequest(catalog))
        database = make_database("edge")
        database.catalogName = "other"
        writer.stub.create_database(database)
        table = make_table("edge", "elsewhere", [("id", "int", None)])
        table.catName = "other"
        writer.stub.create_table(table)
    yield service
    service.stop()


def test_the_odd_tables_are_read(hive_3: Metastore) -> None:
    with HiveConfig(type="hive", uris=(hive_3.uri,), user_env="WHO").connect(around(WHO="ana")) as source:
        databases = {database.name: database.comment for database in source.read_databases()}
        reads = list(source.read_tables([*source.read_table_names("edge"), TableName("edge", "gone")]))
    assert databases["edge"] == "Edge 🐝 база"
    assert [read.name.table for read in reads if isinstance(read, Vanished)] == ["gone"]
    tables = {read.name.table: read for read in reads if isinstance(read, Table)}
    assert len(tables) == len(edge_tables())
    assert tables["spark_delta"].schema_origin == "spark_parameters"
    assert tables["trino_view"].schema_origin == "trino_view"


def test_another_catalog_has_its_own_tables(hive_3: Metastore) -> None:
    with HiveConfig(type="hive", uris=(hive_3.uri,), catalog="other").connect(around()) as source:
        assert {database.name for database in source.read_databases()} == {"default", "edge"}
        names = source.read_table_names("edge")
        (table,) = source.read_tables(names)
    assert isinstance(table, Table)
    assert str(table.name) == "edge.elsewhere"
