"""Our reader against a real Hive 2.3 metastore with 2,000 tables and the odd ones."""

import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator

import pytest

from examples.services.metastore import Metastore
from examples.services.process import free_port
from metadata_assets.errors import Unreachable
from metadata_assets.model.table import Column, Database, ReadFailure, Table, TableName, TableRead, Vanished, ViewText
from metadata_assets.model.types import UnknownType, parse_type
from metadata_assets.sources.hive.client import CallFailed, NotThere
from metadata_assets.sources.hive.config import HiveConfig
from metadata_assets.sources.hive.connection import Connector
from metadata_assets.sources.hive.source import HiveMetastore
from metadata_assets.sources.patterns import NamePatterns
from tests.integration.warehouse import BULK_DATABASES, BULK_TABLES, LAKE, edge_tables, make_database, make_table
from tests.surroundings import around

pytestmark = pytest.mark.hive

EVERYTHING_BUT_SCRATCH = NamePatterns(exclude=("tmp_*",))


def connect(*uris: str, patterns: NamePatterns = EVERYTHING_BUT_SCRATCH, timeout: float = 60) -> HiveMetastore:
    return HiveConfig(type="hive", uris=uris, databases=patterns, timeout=timeout).connect(around())


@pytest.fixture
def source(warehouse: Metastore) -> Iterator[HiveMetastore]:
    with connect(warehouse.uri) as opened:
        yield opened


@pytest.fixture(scope="module")
def edge(warehouse: Metastore) -> dict[str, Table]:
    with connect(warehouse.uri) as opened:
        reads = list(opened.read_tables(opened.read_table_names("edge")))
    assert all(isinstance(read, Table) for read in reads)
    return {read.name.table: read for read in reads if isinstance(read, Table)}


def test_everything_listed_is_accounted_for_within_the_call_budget(source: HiveMetastore) -> None:
    begin, begin_cpu = time.monotonic(), time.process_time()
    names = [name for database in source.read_databases() for name in source.read_table_names(database.name)]
    reads = Counter(type(read) for read in source.read_tables(names))
    seconds, cpu = time.monotonic() - begin, time.process_time() - begin_cpu
    assert len(names) == len(BULK_DATABASES) * BULK_TABLES + len(edge_tables())
    assert reads == {Table: len(names)}
    print(  # noqa: T201  # a figure to look at; its bar is held by a benchmark, on a quiet machine
        f"\n{len(names)} tables: {source.calls} calls ({source.calls / len(names):.4f} a table), "
        f"{cpu * 1000 / len(names):.3f} ms client CPU a table, {seconds:.1f} s"
    )
    assert source.calls / len(names) <= 0.02


def test_databases_keep_comment_owner_and_location(source: HiveMetastore) -> None:
    databases = {database.name: database for database in source.read_databases()}
    assert databases["edge"] == Database("edge", "Edge 🐝 база", "ana", f"{LAKE}/warehouse/edge.db")
    assert databases.keys() == {"default", "edge", *BULK_DATABASES}


def test_an_excluded_database_is_never_read(source: HiveMetastore) -> None:
    assert source.read_table_names("tmp_scratch") == []
    (answer,) = source.read_tables([TableName("tmp_scratch", "secret")])
    assert isinstance(answer, ReadFailure)
    assert source.calls == 0


def test_a_missing_database_is_an_error_and_no_empty_list(source: HiveMetastore) -> None:
    with pytest.raises(NotThere, match="no_such"):
        source.read_table_names("no_such")


def test_a_plain_table_is_whole(source: HiveMetastore) -> None:
    (table,) = source.read_tables([TableName("bench_3", "t_00007")])
    assert isinstance(table, Table)
    assert (table.kind, table.owner, table.provider, table.comment) == ("external", "etl", "parquet", "Table 7")
    assert (len(table.columns), table.partition_keys) == (20, (Column("ds", "string", "day"),))
    assert table.columns[3].type_text == "array<struct<sku:string,price:decimal(10,2)>>"


def test_no_columns_is_a_table(edge: dict[str, Table]) -> None:
    assert edge["no_columns"].all_columns == ()


def test_spark_schema_comes_from_the_parameters(edge: dict[str, Table]) -> None:
    table = edge["spark_delta"]
    assert table.columns == (
        Column("order_id", "bigint", "order_id 😀"),
        Column("amount", "decimal(16,4)", "amount 😀"),
    )
    assert table.partition_keys == (Column("ds", "date", "ds 😀"),)
    assert (table.schema_origin, table.provider) == ("spark_parameters", "delta")


def test_views(edge: dict[str, Table]) -> None:
    assert edge["v_on_view"].view == ViewText("select sku from v_orders", "SELECT `sku` FROM `edge`.`v_orders`")
    trino = edge["trino_view"]
    assert trino.columns == (Column("id", "bigint"), Column("name", "varchar", "Nome"))
    assert trino.view == ViewText(
        "SELECT c_0 AS id, c_1 AS name FROM t_00001", dialect="trino", default_database="bench_0"
    )
    broken = edge["broken_view"]
    assert broken.columns == ()
    assert "cannot be read" in broken.notes[0]


def test_types_keep_their_text_and_can_be_read(edge: dict[str, Table]) -> None:
    texts = [column.type_text for column in edge["complex"].columns]
    assert texts == [
        "uniontype<int,string>",
        "array<struct<fee:decimal(16,4)>>",
        "map<string,decimal(10,2)>",
        "struct<v:varchar(100)>",
    ]
    assert not [text for text in texts if isinstance(parse_type(text), UnknownType)]


def test_names_are_lower_case_and_comments_are_untouched(edge: dict[str, Table]) -> None:
    assert edge["upper_case"].name == TableName("edge", "upper_case")
    table = edge["comments"]
    assert table.comment == "=1+1 注文"
    assert [column.comment for column in table.columns] == ["数量", "bee 🐝", '=HYPERLINK("x","y")', "???", "שלום"]
    assert "only question marks in column lost" in table.notes[0]


def test_what_is_dropped_after_listing_has_vanished(hive_metastore: Metastore) -> None:
    writer = Connector(60).open(hive_metastore.uri)
    stub = writer.stub
    for name in ("leaving", "going"):
        stub.create_database(make_database(name, location=f"{hive_metastore.warehouse}/{name}.db"))
    for database, name in (("leaving", "stays"), ("leaving", "goes"), ("going", "with_it")):
        table = make_table(database, name, [("id", "int", None)])
        table.sd.location = f"{hive_metastore.warehouse}/{database}.db/{name}"
        stub.create_table(table)
    with connect(hive_metastore.uri) as source:
        names = [*source.read_table_names("leaving"), *source.read_table_names("going")]
        stub.drop_table("leaving", "goes", deleteData=False)
        stub.drop_database("going", deleteData=False, cascade=True)
        reads = {str(read.name): type(read) for read in source.read_tables(names)}
    writer.close()
    assert reads == {"leaving.stays": Table, "leaving.goes": Vanished, "going.with_it": Vanished}


def test_a_dead_address_is_passed_over(warehouse: Metastore) -> None:
    dead = f"thrift://127.0.0.1:{free_port()}"
    for _ in range(6):  # addresses are tried in random order
        with connect(dead, warehouse.uri) as source:
            assert source.read_table_names("edge")


def test_when_all_are_dead_each_is_named() -> None:
    uris = [f"thrift://127.0.0.1:{free_port()}" for _ in range(2)]
    with connect(*uris) as source, pytest.raises(Unreachable) as error:
        source.read_databases()
    assert all(uri in str(error.value) for uri in uris)


def test_a_silent_server_costs_no_more_than_the_time_limit() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        begin = time.monotonic()
        uri = f"thrift://127.0.0.1:{silent.getsockname()[1]}"
        with connect(uri, timeout=0.5) as source, pytest.raises(CallFailed, match="no answer within the time"):
            source.read_databases()
        assert time.monotonic() - begin < 3


def test_another_kind_of_server_is_told_apart_at_once() -> None:
    def greet() -> None:
        client, _ = other.accept()
        with client:
            client.recv(100)
            client.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as other:
        greeter = threading.Thread(target=greet)
        greeter.start()
        uri = f"thrift://127.0.0.1:{other.getsockname()[1]}"
        with connect(uri) as source, pytest.raises(CallFailed, match=r"no Thrift answer.*Thrift port"):
            source.read_databases()
        greeter.join()


def test_killed_while_reading_and_started_again(own_warehouse: Metastore) -> None:
    with connect(own_warehouse.uri) as source:
        names = [name for database in BULK_DATABASES for name in source.read_table_names(database)]
        answers = source.read_tables(names)
        done: list[TableRead] = [next(answers) for _ in range(50)]
        own_warehouse.kill9()
        with pytest.raises(Unreachable, match="no address answers"):
            done += answers
        own_warehouse.start()
        left = set(names) - {read.name for read in done}
        done += source.read_tables(sorted(left))
    assert Counter(type(read) for read in done) == {Table: len(names)}
