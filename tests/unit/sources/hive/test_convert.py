"""Thrift tables as ours, one row a way of keeping a schema."""

import base64
import json
from typing import Any

import pytest
from pymetastore.hive_metastore.ttypes import Database, FieldSchema, SerDeInfo, StorageDescriptor, Table

from metadata_assets.model import table as model
from metadata_assets.model.table import Column, TableName, ViewText
from metadata_assets.sources.structures import to_database, to_table

PARQUET = "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe"
LAZY = "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe"
TEXT_FORMAT = "org.apache.hadoop.mapred.TextInputFormat"
PLACEHOLDER = [FieldSchema("col", "array<string>", "from deserializer")]


def storage(
    cols: list[Any] | None = None, serde: str = PARQUET, reader: str = "", location: str | None = "s3://l/t"
) -> Any:
    return StorageDescriptor(
        cols=cols, location=location, inputFormat=reader, serdeInfo=SerDeInfo(serializationLib=serde, parameters={})
    )


def thrift_table(cols: list[Any] | None = None, parameters: dict[str, str] | None = None, **others: Any) -> Any:
    values = {"sd": storage(cols), "tableType": "EXTERNAL_TABLE", "partitionKeys": [], "parameters": parameters}
    return Table(tableName="Orders", dbName="Sales", **(values | others))


def spark_parameters(
    *fields: tuple[str, str, str | None], provider: str = "delta", keys: tuple[str, ...] = ()
) -> dict[str, str]:
    described = [
        {"name": n, "type": t, "nullable": True, "metadata": {"comment": c} if c else {}} for n, t, c in fields
    ]
    text = json.dumps({"type": "struct", "fields": described})
    half = len(text) // 2
    return {
        "spark.sql.sources.provider": provider,
        "spark.sql.sources.schema.numParts": "2",
        "spark.sql.sources.schema.part.0": text[:half],
        "spark.sql.sources.schema.part.1": text[half:],
        **{f"spark.sql.sources.schema.partCol.{n}": key for n, key in enumerate(keys)},
    }


def test_plain_table_in_full() -> None:
    thrift = thrift_table(
        [FieldSchema("id", "bigint", "the order"), FieldSchema("Fee", "Decimal(16, 4)", "")],
        {"comment": "Orders 注文 😀", "EXTERNAL": "TRUE"},
        owner="etl",
        createTime=1_700_000_000,
        partitionKeys=[FieldSchema("ds", "string", None)],
    )
    assert to_table(thrift) == model.Table(
        name=TableName("sales", "orders"),
        kind="external",
        columns=(Column("id", "bigint", "the order"), Column("Fee", "Decimal(16, 4)")),
        partition_keys=(Column("ds", "string"),),
        comment="Orders 注文 😀",
        owner="etl",
        location="s3://l/t",
        created_at=1_700_000_000,
        provider="parquet",
    )


def test_bare_table_without_columns_stays_a_table() -> None:
    thrift = Table(tableName="t", dbName="d", createTime=0)
    assert to_table(thrift) == model.Table(TableName("d", "t"), "other")


@pytest.mark.parametrize(
    ("table_type", "parameters", "kind"),
    [
        ("MANAGED_TABLE", {}, "managed"),
        ("MANAGED_TABLE", {"EXTERNAL": "true"}, "external"),
        ("EXTERNAL_TABLE", {}, "external"),
        ("VIRTUAL_VIEW", {}, "view"),
        ("MATERIALIZED_VIEW", {}, "materialized_view"),
        ("INDEX_TABLE", {}, "other"),
        (None, None, "other"),
    ],
)
def test_kinds(table_type: str | None, parameters: dict[str, str] | None, kind: str) -> None:
    assert to_table(thrift_table([], parameters, tableType=table_type)).kind == kind


@pytest.mark.parametrize(
    ("parameters", "serde", "reader", "provider"),
    [
        ({}, PARQUET, "", "parquet"),
        ({}, "org.apache.hadoop.hive.ql.io.orc.OrcSerde", "", "orc"),
        ({}, "org.apache.hadoop.hive.serde2.avro.AvroSerDe", "", "avro"),
        ({}, "org.apache.hadoop.hive.serde2.OpenCSVSerde", TEXT_FORMAT, "csv"),
        ({}, "org.apache.hive.hcatalog.data.JsonSerDe", TEXT_FORMAT, "json"),
        ({}, LAZY, TEXT_FORMAT, "text"),
        ({}, PARQUET, "org.apache.hudi.hadoop.HoodieParquetInputFormat", "hudi"),
        ({"table_type": "ICEBERG"}, LAZY, "", "iceberg"),
        ({"storage_handler": "org.apache.iceberg.mr.hive.HiveIcebergStorageHandler"}, "", "", "iceberg"),
        ({"spark.sql.sources.provider": "DELTA"}, PARQUET, "", "delta"),
        ({"spark.sql.sources.provider": "hive"}, PARQUET, "", "parquet"),
        ({}, "org.example.OwnSerDe", "org.example.OwnFormat", None),
    ],
)
def test_providers(parameters: dict[str, str], serde: str, reader: str, provider: str | None) -> None:
    assert to_table(thrift_table([], parameters, sd=storage([], serde, reader))).provider == provider


def test_spark_schema_behind_a_placeholder() -> None:
    fields = (("order_id", "long", "Número"), ("amount", "decimal(16,4)", None), ("ds", "date", None))
    table = to_table(thrift_table(PLACEHOLDER, spark_parameters(*fields, keys=("ds",))))
    assert table.columns == (Column("order_id", "bigint", "Número"), Column("amount", "decimal(16,4)"))
    assert table.partition_keys == (Column("ds", "date"),)
    assert (table.schema_origin, table.provider, table.notes) == ("spark_parameters", "delta", ())


def test_partition_keys_of_the_metastore_are_no_columns() -> None:
    fields = (("id", "long", None), ("ds", "string", "day"))
    table = to_table(
        thrift_table(PLACEHOLDER, spark_parameters(*fields), partitionKeys=[FieldSchema("ds", "string", None)])
    )
    assert (table.columns, table.partition_keys) == ((Column("id", "bigint"),), (Column("ds", "string", "day"),))


@pytest.mark.parametrize(
    ("own", "provider", "columns", "origin", "noted"),
    [
        # The same schema: the metastore's own text stays, with the comment that only Spark has.
        ([("userid", "BigInt")], "delta", (Column("userid", "BigInt", "who"),), "metastore", False),
        # Another one: a Spark table is what Spark says, a Hive table is what Hive says.
        ([("userid", "string")], "delta", (Column("userId", "bigint", "who"),), "spark_parameters", False),
        (
            [("userid", "bigint"), ("new", "int")],
            "hive",
            (Column("userid", "bigint"), Column("new", "int")),
            "metastore",
            True,
        ),
    ],
)
def test_spark_schema_beside_real_columns(
    own: list[tuple[str, str]], provider: str, columns: tuple[Column, ...], origin: str, noted: bool
) -> None:
    cols = [FieldSchema(name, text, None) for name, text in own]
    table = to_table(thrift_table(cols, spark_parameters(("userId", "long", "who"), provider=provider)))
    assert (table.columns, table.schema_origin, bool(table.notes)) == (columns, origin, noted)


def test_unreadable_spark_schema_leaves_the_metastore_columns() -> None:
    table = to_table(thrift_table(PLACEHOLDER, {"spark.sql.sources.schema": "{"}))
    assert table.columns == (Column("col", "array<string>", "from deserializer"),)
    assert "cannot be read" in table.notes[0]


def trino_view(text: str, columns: list[Any] | None = None, comment: str = "Presto View") -> model.Table:
    dummy = columns or [FieldSchema("dummy", "string", None)]
    parameters = {"presto_view": "true", "comment": comment}
    return to_table(
        thrift_table(
            parameters=parameters, sd=storage(dummy, "", location=""), tableType="VIRTUAL_VIEW",
            viewOriginalText=text, viewExpandedText="/* Presto View */",
        )
    )  # fmt: skip


def test_trino_view() -> None:
    definition = {
        "originalSql": "SELECT id FROM t", "schema": "sales", "comment": "All ids", "owner": "ana",
        "columns": [{"name": "id", "type": "bigint"}],
    }  # fmt: skip
    table = trino_view(f"/* Presto View: {base64.b64encode(json.dumps(definition).encode()).decode()} */")
    assert table == model.Table(
        TableName("sales", "orders"), "view", (Column("id", "bigint"),), comment="All ids", owner="ana",
        view=ViewText("SELECT id FROM t", dialect="trino", default_database="sales"), schema_origin="trino_view",
    )  # fmt: skip


@pytest.mark.parametrize("text", ["/* Presto View: %%% */", "/* Future View: YWJj */"])
def test_unreadable_trino_view_is_kept_opaque(text: str) -> None:
    table = trino_view(text)
    assert (table.kind, table.columns, table.comment) == ("view", (), None)
    assert table.view == ViewText(text, dialect="trino")
    assert "its query is not known" in table.notes[0]


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, ViewText("select 1", "SELECT 1", "hive")),
        ({"spark.sql.create.version": "3.5.1"}, ViewText("select 1", "SELECT 1", "spark")),
        ({"spark.sql.create.version": "3.5.1", "view.catalogAndNamespace.part.1": "crm"},
         ViewText("select 1", "SELECT 1", "spark", "crm")),
    ],
)  # fmt: skip
def test_plain_views(parameters: dict[str, str], expected: ViewText) -> None:
    thrift = thrift_table(
        [], parameters, tableType="VIRTUAL_VIEW", viewOriginalText="select 1", viewExpandedText="SELECT 1"
    )
    table = to_table(thrift)
    assert (table.view, table.provider) == (expected, None)


@pytest.mark.parametrize(
    ("table_comment", "column_comment", "notes"),
    [
        ("??", "数量", ["the table's comment is only question marks"]),
        ("fine?", "?? ?", ["the comment is only question marks in column a"]),
        ("really?", "why?", []),
    ],
)
def test_question_marks_are_noted(table_comment: str, column_comment: str, notes: list[str]) -> None:
    table = to_table(thrift_table([FieldSchema("a", "int", column_comment)], {"comment": table_comment}))
    assert [note.partition(":")[0] for note in table.notes] == notes


def test_an_unreadable_type_is_kept_and_noted() -> None:
    table = to_table(thrift_table([FieldSchema("ok", "int", None), FieldSchema("odd", "array<blob>", None)]))
    assert table.columns[1] == Column("odd", "array<blob>")
    assert table.notes == ("the type of column odd is kept as text: 'blob' cannot be read (no such type)",)


def test_database() -> None:
    thrift = Database(
        name="Edge", description="Edge 🐝 база", locationUri="s3://l/edge", ownerName="ana", parameters=None
    )
    assert to_database(thrift) == model.Database("edge", "Edge 🐝 база", "ana", "s3://l/edge")
    assert to_database(Database(name="bare", description="")) == model.Database("bare")
