"""Schemas and queries hidden by Spark and Trino."""

import base64
import json
from typing import Any

import pytest

from metadata_assets.model.table import Column
from metadata_assets.sources.encodings import (
    Opaque,
    SparkSchema,
    TrinoView,
    decode_spark_schema,
    decode_trino_view,
)


def field(name: str, data_type: Any, **metadata: str) -> dict[str, Any]:
    return {"name": name, "type": data_type, "nullable": True, "metadata": metadata}


def spark_json(*fields: dict[str, Any]) -> str:
    return json.dumps({"type": "struct", "fields": fields}, ensure_ascii=False)


STRUCT = {"type": "struct", "fields": [field("street", "string", comment="Rua"), field("a:b", "integer")]}


@pytest.mark.parametrize(
    ("described", "text"),
    [
        ("long", "bigint"),
        ("integer", "int"),
        ("short", "smallint"),
        ("byte", "tinyint"),
        ("decimal(16,4)", "decimal(16,4)"),
        ("timestamp_ntz", "timestamp_ntz"),
        ("void", "void"),
        ("calendarinterval", "interval"),
        ("interval day to second", "interval day to second"),
        ("variant", "variant"),
        ("hologram", "hologram"),
        ({"type": "array", "elementType": "long", "containsNull": True}, "array<bigint>"),
        ({"type": "map", "keyType": "string", "valueType": STRUCT}, "map<string,struct<street:string,`a:b`:int>>"),
        ({"type": "udt", "class": "org.example.Point", "sqlType": "double"}, "double"),
    ],
)
def test_spark_types(described: Any, text: str) -> None:
    decoded = decode_spark_schema({"spark.sql.sources.schema": spark_json(field("c", described))})
    assert decoded == SparkSchema((Column("c", text),))


def test_spark_parts_are_joined_by_number() -> None:
    text = spark_json(*(field(f"c{n}", "string", comment="数量 😀") for n in range(12)))
    parts = [text[start : start + 90] for start in range(0, len(text), 90)]
    parameters = {f"spark.sql.sources.schema.part.{n}": part for n, part in reversed(list(enumerate(parts)))}
    decoded = decode_spark_schema({"spark.sql.sources.schema.numParts": str(len(parts)), **parameters})
    assert len(parts) > 10
    assert decoded == SparkSchema(tuple(Column(f"c{n}", "string", "数量 😀") for n in range(12)))


def test_spark_partition_columns_and_declared_types() -> None:
    code = field("code", "string", __CHAR_VARCHAR_TYPE_STRING="varchar(10)")
    decoded = decode_spark_schema({
        "spark.sql.sources.schema": spark_json(field("ds", "date"), code, field("hour", "integer")),
        "spark.sql.sources.schema.numPartCols": "2",
        "spark.sql.sources.schema.partCol.1": "hour",
        "spark.sql.sources.schema.partCol.0": "ds",
    })  # fmt: skip
    columns = (Column("ds", "date"), Column("code", "varchar(10)"), Column("hour", "int"))
    assert decoded == SparkSchema(columns, ("ds", "hour"))


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"spark.sql.sources.schema": "{"}, "no JSON"),
        ({"spark.sql.sources.schema": "[]"}, "'fields' is missing"),
        ({"spark.sql.sources.schema": '{"fields": [{"name": "c"}]}'}, "'type' is missing"),
        ({"spark.sql.sources.schema": '{"fields": ["c"]}'}, "'type' is missing"),
        ({"spark.sql.sources.schema": '{"fields": [{"name": "c", "type": {"type": "blob"}}]}'}, "neither a name nor"),
        ({"spark.sql.sources.schema": '{"fields": ' + "[" * 100_000}, "nested too deeply"),
        ({"spark.sql.sources.schema.numParts": "x"}, "a number is expected"),
        ({"spark.sql.sources.schema.numParts": "0"}, "part 0 of 0 is missing"),
        ({"spark.sql.sources.schema.numParts": "2", "spark.sql.sources.schema.part.0": "{"}, "part 1 of 2 is missing"),
    ],
)
def test_unreadable_spark_schema_is_opaque(parameters: dict[str, str], reason: str) -> None:
    decoded = decode_spark_schema(parameters)
    assert isinstance(decoded, Opaque)
    assert reason in decoded.note


def test_no_spark_schema() -> None:
    assert decode_spark_schema({"comment": "plain", "spark.sql.sources.provider": "delta"}) is None


DEFINITION = {
    "originalSql": "SELECT id, name\nFROM t",
    "catalog": "hive",
    "schema": "sales",
    "columns": [{"name": "id", "type": "bigint"}, {"name": "name", "type": "varchar(5)", "comment": "注文"}],
    "owner": "ana",
    "runAsInvoker": False,
}
COLUMNS = (Column("id", "bigint"), Column("name", "varchar(5)", "注文"))


def encoded(definition: Any = DEFINITION, form: str = "Presto View", end: str = " */") -> str:
    blob = base64.b64encode(json.dumps(definition, ensure_ascii=False).encode()).decode()
    return f"/* {form}: {blob}{end}"


@pytest.mark.parametrize(
    ("form", "materialized"),
    [("Presto View", False), ("Presto Materialized View", True), ("Trino View", False), ("presto  view", False)],
)
def test_trino_views(form: str, materialized: bool) -> None:
    expected = TrinoView("SELECT id, name\nFROM t", COLUMNS, materialized, "sales", None, "ana")
    assert decode_trino_view(encoded(form=form)) == expected


def test_base64_without_padding_and_in_lines() -> None:
    text = encoded().replace("=", "")
    assert isinstance(decode_trino_view(text[:60] + "\n" + text[60:]), TrinoView)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("/* Presto View: !!! */", "it is not base64"),
        ("/* Presto View:  */", "no JSON"),
        ("/* Presto View: /////w== */", "it is not UTF-8"),
        ("/* Presto View: e30= */", "'columns' is missing"),
        (encoded([1]), "'columns' is missing"),
        (encoded({"columns": [{"name": "a", "type": "int"}], "originalSql": None}), "'originalSql' is missing"),
        (encoded(end="")[:-9], "cannot be read"),
        (encoded(form="Quick View"), "unknown form, 'Quick View'"),
    ],
)
def test_unreadable_views_are_opaque(text: str, reason: str) -> None:
    decoded = decode_trino_view(text)
    assert isinstance(decoded, Opaque)
    assert reason in decoded.note


@pytest.mark.parametrize("text", [None, "", "SELECT 1", "/* Presto View */", "/* my view: x */ SELECT 1"])
def test_plain_texts(text: str | None) -> None:
    assert decode_trino_view(text) is None
