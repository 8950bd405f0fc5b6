"""A metastore full of tables for tests and benchmarks, made once and kept outside the tree."""

import base64
import hashlib
import json
import tarfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

from pymetastore.hive_metastore.ttypes import (
    Database,
    FieldSchema,
    PrincipalType,
    SerDeInfo,
    StorageDescriptor,
    Table,
)
from thrift.Thrift import TException

from examples.services.maven import jar_cache, locked
from examples.services.metastore import Metastore
from metadata_assets.sources.hive.connection import Connector

LAKE = "s3://lake"  # locations that do not depend on the folder in which the metastore runs
BULK_DATABASES = tuple(f"bench_{n}" for n in range(7))
BULK_TABLES = 286  # in each: 2,002 in all
THREADS = 6

_PARQUET = "org.apache.hadoop.hive.ql.io.parquet"
_TYPES = ("bigint", "string", "decimal(16,4)", "array<struct<sku:string,price:decimal(10,2)>>", "timestamp")
_SPARK_FIELDS = (("order_id", "long"), ("amount", "decimal(16,4)"), ("ds", "date"))
_TRINO_VIEW = {
    "originalSql": "SELECT c_0 AS id, c_1 AS name FROM t_00001", "catalog": "hive", "schema": "bench_0",
    "columns": [{"name": "id", "type": "bigint"}, {"name": "name", "type": "varchar", "comment": "Nome"}],
}  # fmt: skip


def make_database(name: str, comment: str | None = None, owner: str | None = None, location: str | None = None) -> Any:
    return Database(
        name=name, description=comment, locationUri=location or f"{LAKE}/warehouse/{name}.db", parameters={},
        ownerName=owner, ownerType=PrincipalType.USER if owner else None,
    )  # fmt: skip


def make_table(
    database: str, name: str, columns: Sequence[tuple[str, str, str | None]], parameters: dict[str, str] | None = None,
    **others: Any,
) -> Any:  # fmt: skip
    """An external Parquet table with one partition key."""
    storage = StorageDescriptor(
        cols=[FieldSchema(*column) for column in columns],
        location=f"{LAKE}/warehouse/{database.lower()}.db/{name.lower()}",
        inputFormat=f"{_PARQUET}.MapredParquetInputFormat",
        outputFormat=f"{_PARQUET}.MapredParquetOutputFormat",
        compressed=False, numBuckets=-1, bucketCols=[], sortCols=[], parameters={},
        serdeInfo=SerDeInfo(name=name, serializationLib=f"{_PARQUET}.serde.ParquetHiveSerDe", parameters={}),
    )  # fmt: skip
    values = {
        "owner": "etl", "createTime": 1_700_000_000, "lastAccessTime": 0, "retention": 0, "tableType": "EXTERNAL_TABLE",
        "partitionKeys": [FieldSchema("ds", "string", "day")], "sd": storage,
    }  # fmt: skip
    return Table(
        tableName=name, dbName=database, parameters={"EXTERNAL": "TRUE"} | (parameters or {}), **(values | others)
    )


def make_view(
    database: str, name: str, original: str, expanded: str, columns: Sequence[tuple[str, str, str | None]]
) -> Any:
    table = make_table(database, name, columns, partitionKeys=[], tableType="VIRTUAL_VIEW")
    table.sd.location = None
    table.parameters = {"presto_view": "true"} if original.startswith("/*") else {}
    table.viewOriginalText, table.viewExpandedText = original, expanded
    return table


def edge_tables() -> list[Any]:
    """One table for each thing that readers of metastores are known to trip over."""
    spark = json.dumps({"type": "struct", "fields": [
        {"name": name, "type": data_type, "nullable": True, "metadata": {"comment": f"{name} 😀"}}
        for name, data_type in _SPARK_FIELDS
    ]}, ensure_ascii=True)  # fmt: skip
    trino = base64.b64encode(json.dumps(_TRINO_VIEW).encode()).decode()
    return [
        make_table("edge", "no_columns", [], {"avro.schema.url": f"{LAKE}/schema.avsc"}, partitionKeys=[]),
        make_table("edge", "spark_delta", [("col", "array<string>", "from deserializer")], {
            "spark.sql.sources.provider": "delta",
            "spark.sql.sources.schema.numParts": "2",
            "spark.sql.sources.schema.part.0": spark[:70],
            "spark.sql.sources.schema.part.1": spark[70:],
            "spark.sql.sources.schema.numPartCols": "1",
            "spark.sql.sources.schema.partCol.0": "ds",
        }, partitionKeys=[]),
        make_table("edge", "complex", [
            ("u", "uniontype<int,string>", None),
            ("a", "array<struct<fee:decimal(16,4)>>", None),
            ("m", "map<string,decimal(10,2)>", None),
            ("v", "struct<v:varchar(100)>", None),
        ]),
        make_table("EDGE", "UPPER_Case", [("ID", "bigint", None)]),
        make_table("edge", "comments", [
            ("cjk", "string", "数量"), ("emoji", "string", "bee 🐝"), ("formula", "string", '=HYPERLINK("x","y")'),
            ("lost", "string", "???"), ("rtl", "string", "שלום"),
        ], {"comment": "=1+1 注文"}),
        make_view("edge", "v_orders", "select sku from spark_delta", "SELECT `sku` FROM `edge`.`spark_delta`",
                  [("sku", "string", None)]),
        make_view("edge", "v_on_view", "select sku from v_orders", "SELECT `sku` FROM `edge`.`v_orders`",
                  [("sku", "string", "as in the view below")]),
        make_view("edge", "trino_view", f"/* Presto View: {trino} */", "/* Presto View */",
                  [("dummy", "string", None)]),
        make_view("edge", "broken_view", "/* Presto View: ??? */", "/* Presto View */", [("dummy", "string", None)]),
    ]  # fmt: skip


def bulk_table(database: str, number: int) -> Any:
    columns = [(f"c_{n}", _TYPES[n % len(_TYPES)], f"Column {n} of table {number}") for n in range(20)]
    return make_table(database, f"t_{number:05}", columns, {"comment": f"Table {number}"})


def fill(uri: str) -> None:
    """Create everything, over several connections at once."""
    with closing(Connector(60).open(uri)) as writer:
        for database in (*BULK_DATABASES, "tmp_scratch"):
            writer.stub.create_database(make_database(database))
        writer.stub.create_database(make_database("edge", "Edge 🐝 база", "ana"))
    tables = [bulk_table(database, number) for database in BULK_DATABASES for number in range(BULK_TABLES)]
    tables += [*edge_tables(), make_table("tmp_scratch", "secret", [("id", "int", None)])]
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda share: _create(uri, share), [tables[n::THREADS] for n in range(THREADS)]))


def open_warehouse(folder: Path, port: int) -> Metastore:
    """A metastore, not started, on a copy of the kept data in `folder`; they are made first where there are none.

    Raises:
        ServiceUnavailable: Java, Maven or an artifact is missing.
    """
    service = Metastore(folder, port, lake=LAKE, durable=False)
    digest = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]
    kept = jar_cache().parent / "warehouses" / f"hive-{service.version}-{digest}.tar"
    with locked(kept.with_suffix(".lock")):
        if not kept.exists():
            service.start()
            try:
                fill(service.uri)
            finally:
                service.stop()
            draft = kept.with_suffix(".draft")
            with tarfile.open(draft, "w") as archive:
                archive.add(folder / "db", "db")
            draft.rename(kept)
            return service
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(kept) as archive:
        archive.extractall(folder, filter="data")
    return service


def _create(uri: str, tables: Sequence[Any]) -> None:
    with closing(Connector(60).open(uri)) as writer:
        for table in tables:
            writer.socket.deadline = time.monotonic() + 60
            try:
                writer.stub.create_table(table)
            except TException as error:
                # The stubs' exceptions cannot be modified, so a generator's `with` would fail on its way out.
                raise RuntimeError(f"{table.dbName}.{table.tableName} was not created: {error}") from error
