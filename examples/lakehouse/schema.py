"""Read column types from the sample's own DDL, so that data and schemas cannot drift apart.

It knows just enough of `SHOW CREATE TABLE` for the tables that have data; the product has its own reader.
"""

import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa

DDL = Path(__file__).parent / "ddl"
PRIMITIVES = {
    "string": pa.string(),
    "bigint": pa.int64(),
    "long": pa.int64(),
    "int": pa.int32(),
    "integer": pa.int32(),
    "smallint": pa.int16(),
    "tinyint": pa.int8(),
    "double": pa.float64(),
    "float": pa.float32(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "timestamp": pa.timestamp("us"),
}
COLUMN = re.compile(r"\s*(?:`([^`]+)`|(\w+))\s+(.+)", re.DOTALL)
PART = re.compile(r"'spark\.sql\.sources\.schema\.part\.\d+'='((?:\\.|[^'\\])*)'")


def split_top(text: str) -> list[str]:
    """Split at commas that are in no quotes, brackets or angle brackets."""
    pieces, depth, start = [], 0, 0
    for token in re.finditer(r"'(?:\\.|[^'\\])*'|`[^`]*`|[(<>),]", text):
        mark = token.group()
        if mark == "," and depth == 0:
            pieces.append(text[start : token.start()])
            start = token.end()
        depth += (mark in "(<") - (mark in ">)")
    return [*pieces, text[start:]]


def bracketed(text: str, start: int) -> str:
    """What stands between the bracket at `start` and its partner."""
    depth = 0
    for token in re.finditer(r"'(?:\\.|[^'\\])*'|`[^`]*`|[()]", text[start:]):
        mark = token.group()
        depth += (mark == "(") - (mark == ")")
        if depth == 0:
            return text[start + 1 : start + token.start()]
    raise ValueError("a bracket is not closed")


def arrow_type(text: str) -> Any:
    """The Arrow type of a Hive or Spark type text."""
    text = text.strip().lower()
    inner = text[text.find("<") + 1 : -1]
    if text.startswith("array<"):
        return pa.list_(arrow_type(inner))
    if text.startswith("map<"):
        key, value = split_top(inner)
        return pa.map_(arrow_type(key), arrow_type(value))
    if text.startswith("struct<"):
        fields = [piece.partition(":") for piece in split_top(inner)]
        return pa.struct([(name.strip(), arrow_type(kind)) for name, _, kind in fields])
    if text.startswith("decimal("):
        return pa.decimal128(*(int(number) for number in text[8:-1].split(",")))
    return pa.string() if text.startswith(("char(", "varchar(")) else PRIMITIVES[text]


def json_type(kind: Any) -> Any:
    """The Arrow type of a type in Spark's JSON form."""
    if isinstance(kind, str):
        return arrow_type(kind)
    if kind["type"] == "array":
        return pa.list_(json_type(kind["elementType"]))
    return pa.struct([(field["name"], json_type(field["type"])) for field in kind["fields"]])


def spark_fields(ddl: str) -> list[tuple[str, Any]]:
    text = "".join(PART.findall(ddl)).replace('\\"', '"').replace("\\'", "'")
    return [(field["name"], json_type(field["type"])) for field in json.loads(text)["fields"]]


def column_fields(ddl: str) -> list[tuple[str, Any]]:
    fields = []
    for piece in split_top(bracketed(ddl, ddl.index("(", ddl.index("CREATE")))):
        match = COLUMN.match(piece)
        if match is None:
            raise ValueError(f"not a column: {piece!r}")
        kind = re.sub(r"\s+COMMENT\s+'(\\.|[^'\\])*'\s*$", "", match.group(3))
        fields.append((match.group(1) or match.group(2), arrow_type(kind)))
    return fields


def data_schema(table: str, partitions: set[str]) -> Any:
    """The schema of a table's files: all but the partition keys, which are in the folder names."""
    database, _, name = table.partition(".")
    ddl = (DDL / database / f"{name}.sql").read_text(encoding="utf-8")
    fields = spark_fields(ddl) if "spark.sql.sources.schema.numParts" in ddl else column_fields(ddl)
    return pa.schema([(column.lower(), kind) for column, kind in fields if column not in partitions])
