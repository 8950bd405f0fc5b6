"""Statements as tables: kinds, formats and hidden schemas come out as from a metastore."""

import base64
import json

import pytest

from metadata_assets.model.table import Column, Table, TableName
from metadata_assets.sources.ddl.convert import to_table
from metadata_assets.sources.ddl.parser import parse_statement

NAME = TableName("d", "t")


def convert(text: str) -> Table:
    return to_table(NAME, parse_statement(text))


@pytest.mark.parametrize(
    ("clauses", "kind", "provider"),
    [
        ("STORED AS PARQUET", "managed", "parquet"),
        ("STORED AS ORC", "managed", "orc"),
        ("STORED AS JSONFILE", "managed", "json"),
        ("STORED AS TEXTFILE TBLPROPERTIES ('EXTERNAL'='TRUE')", "external", "text"),
        ("STORED AS SEQUENCEFILE", "managed", None),
        ("STORED BY ICEBERG", "managed", "iceberg"),
        ("STORED BY 'org.apache.iceberg.mr.hive.HiveIcebergStorageHandler'", "managed", "iceberg"),
        ("STORED BY 'org.apache.hadoop.hive.hbase.HBaseStorageHandler'", "managed", None),
        ("ROW FORMAT SERDE 'org.apache.hadoop.hive.serde2.OpenCSVSerde' STORED AS INPUTFORMAT"
         " 'org.apache.hadoop.mapred.TextInputFormat' OUTPUTFORMAT 'x'", "managed", "csv"),
        ("USING delta", "managed", "delta"),
        ("USING parquet LOCATION 's3://x'", "external", "parquet"),
        ("USING org.apache.spark.sql.execution.datasources.orc.OrcFileFormat", "managed", "orc"),
        ("USING hive OPTIONS (fileFormat 'parquet')", "managed", "parquet"),
        ("USING jdbc OPTIONS (url 'jdbc:x', dbtable 'y')", "managed", None),
        ("TBLPROPERTIES ('table_type'='ICEBERG')", "managed", "iceberg"),
    ],
)  # fmt: skip
def test_kinds_and_formats(clauses: str, kind: str, provider: str | None) -> None:
    table = convert(f"CREATE TABLE `d.t`(a int) {clauses}")
    assert (table.kind, table.provider) == (kind, provider)


def test_comment_and_owner_in_properties() -> None:
    table = convert("CREATE TABLE `d.t`(a int) TBLPROPERTIES ('comment'='c', 'owner'='ana')")
    assert (table.comment, table.owner) == ("c", "ana")
    table = convert("-- owner: bia\nCREATE TABLE t (a int) COMMENT 'x' TBLPROPERTIES ('comment'='c', 'owner'='ana')")
    assert (table.comment, table.owner) == ("x", "bia")


def test_a_broken_spark_schema_leaves_the_own_columns() -> None:
    table = convert("CREATE TABLE t (a int) TBLPROPERTIES ('spark.sql.sources.schema.numParts'='2')")
    assert (table.columns, table.schema_origin) == ((Column("a", "int"),), "metastore")
    assert table.notes == (
        "the Spark schema in the table's parameters cannot be read (part 0, 1 of 2 is missing):"
        " these are the metastore's own columns",
    )


def test_trino_view() -> None:
    described = {
        "originalSql": "SELECT a FROM x", "schema": "s", "owner": "ana", "comment": "c",
        "columns": [{"name": "a", "type": "varchar(3)", "comment": "k"}],
    }  # fmt: skip
    blob = base64.b64encode(json.dumps(described).encode()).decode()
    table = convert(f"CREATE VIEW `d.t`(\n  `dummy`)\nCOMMENT 'Presto View'\nAS /* Presto View: {blob} */")
    assert (table.columns, table.schema_origin) == ((Column("a", "varchar(3)", "k"),), "trino_view")
    assert (table.comment, table.owner, table.notes) == ("c", "ana", ())
    assert table.view is not None
    assert (table.view.original, table.view.dialect, table.view.default_database) == ("SELECT a FROM x", "trino", "s")


def test_a_trino_view_that_cannot_be_decoded() -> None:
    table = convert("CREATE VIEW `d.t`(`dummy`) COMMENT 'Presto View' AS /* Presto View: ??? */")
    assert (table.columns, table.comment) == ((), None)
    assert table.notes == (
        "the encoded text of the Presto View cannot be read (it is not base64): its query is not known",
    )


def test_question_marks_are_noted() -> None:
    table = convert("CREATE TABLE t (a int COMMENT '?? ??')")
    assert len(table.notes) == 1
    assert "only question marks in column a" in table.notes[0]
