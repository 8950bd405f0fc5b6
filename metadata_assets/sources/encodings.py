"""Schemas and queries that engines hide in table parameters and view texts; pure functions.

Spark keeps the schema of its tables as JSON in parameters, cut into parts, and leaves a placeholder as the metastore's
own columns. Trino (once Presto) keeps a whole view definition as base64 of JSON in a comment that stands where the
query would be. What looks so and cannot be read is `Opaque`: a table is never lost over its encoding.
"""

import base64
import binascii
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from metadata_assets.model.table import Column
from metadata_assets.model.types import (
    ArrayType,
    DataType,
    MapType,
    StructField,
    StructType,
    UnknownType,
    parse_type,
    to_text,
)

_SCHEMA = "spark.sql.sources.schema"
_VIEW = re.compile(r"\s*/\*\s*(?P<form>[^:*]*\bview)\s*:(?P<blob>[^*]*)(\*/\s*)?", re.IGNORECASE)  # the end may be cut
_VIEW_FORMS = {
    "presto view": False,
    "trino view": False,
    "presto materialized view": True,
    "trino materialized view": True,
}
# Spark puts the type a column was declared with here when it reads and writes the column as a string.
_DECLARED_TYPE = "__CHAR_VARCHAR_TYPE_STRING"


@dataclass(frozen=True, slots=True)
class Opaque:
    """Something is encoded there and cannot be read; `note` says why, in words for a reader of the catalog."""

    note: str


@dataclass(frozen=True, slots=True)
class SparkSchema:
    """`columns` are all fields in order, those used for partitions included; `partition_names` name the latter."""

    columns: tuple[Column, ...]
    partition_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TrinoView:
    sql: str
    columns: tuple[Column, ...]
    materialized: bool
    schema: str | None = None  # what unqualified names in the query refer to
    comment: str | None = None
    owner: str | None = None


class _Malformed(Exception):
    """What was decoded does not have the expected shape; caught within this module."""


def decode_spark_schema(parameters: Mapping[str, str]) -> SparkSchema | Opaque | None:
    """The schema that Spark keeps in a table's parameters; None when there is none."""
    try:
        text = _join_parts(parameters)
        if text is None:
            return None
        schema = json.loads(text)
        fields = _get(schema, "fields", list)
        return SparkSchema(tuple(map(_spark_column, fields)), _partition_names(parameters))
    except (_Malformed, ValueError, RecursionError) as error:
        return Opaque(f"the Spark schema in the table's parameters cannot be read ({_brief(error)})")


def decode_trino_view(text: str | None) -> TrinoView | Opaque | None:
    """The view that Trino or Presto keeps in a view text; None when the text is a plain query or missing."""
    match = _VIEW.fullmatch(text or "")
    if match is None:
        return None
    form = " ".join(match["form"].split())
    materialized = _VIEW_FORMS.get(form.lower())
    if materialized is None:
        return Opaque(f"the view text is encoded in an unknown form, {form[:60]!r}")
    try:
        return _to_view(json.loads(_from_base64(match["blob"])), materialized=materialized)
    except (_Malformed, ValueError, RecursionError) as error:
        return Opaque(f"the encoded text of the {form} cannot be read ({_brief(error)})")


def _join_parts(parameters: Mapping[str, str]) -> str | None:
    """The JSON text, whole or put together from its parts in the order of their numbers."""
    if _SCHEMA in parameters:
        return parameters[_SCHEMA]
    declared = parameters.get(f"{_SCHEMA}.numParts")
    if declared is None:
        return None
    count = int(declared)
    parts = [parameters.get(f"{_SCHEMA}.part.{number}") for number in range(count)]
    missing = [str(number) for number, part in enumerate(parts) if part is None]
    if missing or not parts:
        raise _Malformed(f"part {', '.join(missing[:5]) or '0'} of {count} is missing")
    return "".join(part for part in parts if part is not None)


def _partition_names(parameters: Mapping[str, str]) -> tuple[str, ...]:
    prefix = f"{_SCHEMA}.partCol."
    numbered = sorted(
        (int(key.removeprefix(prefix)), name) for key, name in parameters.items() if key.startswith(prefix)
    )
    return tuple(name for _, name in numbered)


def _spark_column(field: Any) -> Column:
    metadata = field.get("metadata") if isinstance(field, dict) else None
    comment = metadata.get("comment") if isinstance(metadata, dict) else None
    parsed = _spark_field(field)
    return Column(parsed.name, to_text(parsed.type), comment if isinstance(comment, str) else None)


def _spark_field(field: Any) -> StructField:
    metadata = field.get("metadata") if isinstance(field, dict) else None
    declared = metadata.get(_DECLARED_TYPE) if isinstance(metadata, dict) else None
    data_type = parse_type(declared) if isinstance(declared, str) else _spark_type(_get(field, "type", object))
    return StructField(_get(field, "name", str), data_type)


def _spark_type(described: Any) -> DataType:
    if isinstance(described, str):
        return _spark_primitive(described)
    match described:
        case {"type": "struct", "fields": list(fields)}:
            return StructType(tuple(map(_spark_field, fields)))
        case {"type": "array", "elementType": element}:
            return ArrayType(_spark_type(element))
        case {"type": "map", "keyType": key, "valueType": value}:
            return MapType(_spark_type(key), _spark_type(value))
        case {"type": "udt", "sqlType": stored}:
            return _spark_type(stored)
    raise _Malformed("a type that is neither a name nor struct, array or map")


def _spark_primitive(name: str) -> DataType:
    if name == "calendarinterval":
        return parse_type("interval")
    data_type = parse_type(name)
    return UnknownType(name, data_type.reason) if isinstance(data_type, UnknownType) else data_type


def _from_base64(blob: str) -> bytes:
    blob = "".join(blob.split())
    try:
        return base64.b64decode(blob + "=" * (-len(blob) % 4), validate=True)
    except binascii.Error as error:
        raise _Malformed("it is not base64") from error


def _to_view(definition: Any, *, materialized: bool) -> TrinoView:
    columns = tuple(
        Column(_get(column, "name", str), _get(column, "type", str), _optional(column, "comment"))
        for column in _get(definition, "columns", list)
    )
    return TrinoView(
        sql=_get(definition, "originalSql", str),
        columns=columns,
        materialized=materialized,
        schema=_optional(definition, "schema"),
        comment=_optional(definition, "comment"),
        owner=_optional(definition, "owner"),
    )


def _get(holder: Any, key: str, kind: type) -> Any:
    value = holder.get(key) if isinstance(holder, dict) else None
    if not isinstance(value, kind) or value is None:
        raise _Malformed(f"{key!r} is missing or of a wrong kind")
    return value


def _optional(holder: Any, key: str) -> str | None:
    value = holder.get(key) if isinstance(holder, dict) else None
    return value if isinstance(value, str) and value else None


def _brief(error: Exception) -> str:
    """The reason without what was read: it may hold literals of somebody's query."""
    match error:
        case RecursionError():
            return "nested too deeply"
        case json.JSONDecodeError():
            return f"no JSON: {error.msg} at character {error.pos}"
        case UnicodeDecodeError():
            return "it is not UTF-8"
        case _Malformed():
            return str(error)
    return "a number is expected"
