"""Thrift structures of the metastore as our own; pure."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from metadata_assets.model.table import Column, Database, SchemaOrigin, Table, TableKind, TableName, ViewText
from metadata_assets.model.types import DataType, parse_type, unknown_parts
from metadata_assets.sources.encodings import (
    Opaque,
    SparkSchema,
    TrinoView,
    decode_spark_schema,
    decode_trino_view,
)
from metadata_assets.sources.hive.provider import to_provider

_KINDS: dict[str, TableKind] = {
    "MANAGED_TABLE": "managed", "EXTERNAL_TABLE": "external", "VIRTUAL_VIEW": "view",
    "MATERIALIZED_VIEW": "materialized_view",
}  # fmt: skip
# What engines write as the columns of a table or view whose schema they keep elsewhere.
_PLACEHOLDERS = ((), (("col", "array<string>"),), (("dummy", "string"),))
_TRINO_COMMENTS = frozenset({"Presto View", "Presto Materialized View"})  # set by Trino itself on every view
_QUESTION_MARKS = re.compile(r"\?[?\s]*")


@dataclass(frozen=True, slots=True)
class _Schema:
    """Columns as some place in the table tells them, and what is to be noted about that place."""

    columns: tuple[Column, ...]
    partition_keys: tuple[Column, ...]
    origin: SchemaOrigin = "metastore"
    note: str | None = None


def to_database(thrift: Any) -> Database:
    return Database(
        name=str(thrift.name).lower(),
        comment=thrift.description or None,
        owner=thrift.ownerName or None,
        location=thrift.locationUri or None,
    )


def to_table(thrift: Any) -> Table:
    """The table with its true schema, wherever its engine keeps that."""
    parameters: Mapping[str, str] = thrift.parameters or {}
    kind = _to_kind(thrift.tableType, parameters)
    own = _Schema(_to_columns(thrift.sd.cols if thrift.sd else ()), _to_columns(thrift.partitionKeys))
    is_view = kind in ("view", "materialized_view")
    table = Table(
        name=TableName.of(thrift.dbName, thrift.tableName),
        kind=kind,
        comment=parameters.get("comment") or None,
        owner=thrift.owner or None,
        location=(thrift.sd.location or None) if thrift.sd else None,
        created_at=thrift.createTime or None,
        provider=None if is_view else to_provider(parameters, thrift.sd),
    )
    encoded = decode_trino_view(thrift.viewOriginalText) if is_view else None
    if encoded is not None:
        table = _with_trino_view(table, encoded, thrift, own)
    else:
        table = _with_schema(table, _true_schema(own, parameters))
        if is_view:
            table = replace(table, view=_to_view_text(thrift, parameters))
    return replace(table, notes=(*table.notes, *_comment_notes(table), *_type_notes(table)))


def _to_kind(table_type: str | None, parameters: Mapping[str, str]) -> TableKind:
    kind = _KINDS.get((table_type or "").upper(), "other")
    # Hive before 3 goes by the parameter when an external table was made by altering it.
    return "external" if kind == "managed" and parameters.get("EXTERNAL", "").upper() == "TRUE" else kind


def _to_columns(fields: Iterable[Any] | None) -> tuple[Column, ...]:
    return tuple(Column(field.name, field.type or "", field.comment or None) for field in fields or ())


def _true_schema(own: _Schema, parameters: Mapping[str, str]) -> _Schema:
    """The metastore's own schema, unless Spark keeps another one in the parameters."""
    kept = decode_spark_schema(parameters)
    if kept is None:
        return own
    if isinstance(kept, Opaque):
        return replace(own, note=f"{kept.note}: these are the metastore's own columns")
    spark = _from_spark(kept, own)
    placeholder = _is_placeholder(own.columns)
    if not placeholder and _same_columns(spark, own):
        return _with_comments(own, spark)
    if not placeholder and parameters.get("spark.sql.sources.provider", "").lower() == "hive":
        # Spark itself reads such a table by the metastore's columns when they and the kept schema have parted ways.
        return replace(
            own, note="the Spark schema in the table's parameters is out of date: Hive changed the table since"
        )
    return spark


def _from_spark(kept: SparkSchema, own: _Schema) -> _Schema:
    partitions = [name.lower() for name in kept.partition_names or (key.name for key in own.partition_keys)]
    by_name = {column.name.lower(): column for column in kept.columns}
    keys = tuple(by_name[name] for name in partitions if name in by_name)
    return _Schema(
        tuple(column for column in kept.columns if column.name.lower() not in partitions),
        keys or own.partition_keys,
        "spark_parameters",
    )


def _is_placeholder(columns: tuple[Column, ...]) -> bool:
    return tuple((column.name, column.type_text) for column in columns) in _PLACEHOLDERS


def _same_columns(one: _Schema, other: _Schema) -> bool:
    """Whether names and types agree: then what the metastore wrote stays as it is, byte for byte."""

    def essence(schema: _Schema) -> list[tuple[str, DataType]]:
        columns = (*schema.columns, *schema.partition_keys)
        return [(column.name.lower(), parse_type(column.type_text.lower())) for column in columns]

    return len(one.columns) == len(other.columns) and essence(one) == essence(other)


def _with_comments(own: _Schema, spark: _Schema) -> _Schema:
    """The metastore's schema; where it has no comment and Spark has one, with that."""
    columns = zip(own.columns, spark.columns, strict=True)
    keys = zip(own.partition_keys, spark.partition_keys, strict=True)
    return replace(
        own,
        columns=tuple(replace(ours, comment=ours.comment or theirs.comment) for ours, theirs in columns),
        partition_keys=tuple(replace(ours, comment=ours.comment or theirs.comment) for ours, theirs in keys),
    )


def _with_schema(table: Table, schema: _Schema) -> Table:
    notes = (*table.notes, schema.note) if schema.note else table.notes
    return replace(
        table,
        columns=schema.columns,
        partition_keys=schema.partition_keys,
        schema_origin=schema.origin,
        notes=notes,
    )


def _with_trino_view(table: Table, encoded: TrinoView | Opaque, thrift: Any, own: _Schema) -> Table:
    comment = None if table.comment in _TRINO_COMMENTS else table.comment
    if isinstance(encoded, Opaque):
        columns = () if _is_placeholder(own.columns) else own.columns
        return replace(
            table,
            comment=comment,
            columns=columns,
            view=ViewText(thrift.viewOriginalText, dialect="trino"),
            notes=(*table.notes, f"{encoded.note}: its query is not known"),
        )
    return replace(
        table,
        kind="materialized_view" if encoded.materialized else table.kind,
        comment=encoded.comment or comment,
        owner=table.owner or encoded.owner,
        columns=encoded.columns,
        view=ViewText(encoded.sql, dialect="trino", default_database=encoded.schema),
        schema_origin="trino_view",
    )


def _to_view_text(thrift: Any, parameters: Mapping[str, str]) -> ViewText | None:
    original, expanded = thrift.viewOriginalText or None, thrift.viewExpandedText or None
    if original is None and expanded is None:
        return None
    by_spark = "spark.sql.create.version" in parameters
    # Spark resolves bare names against what was current when the view was made: part 0 is the catalog.
    database = parameters.get("view.catalogAndNamespace.part.1") if by_spark else None
    return ViewText(original or expanded or "", expanded, "spark" if by_spark else "hive", database)


def _comment_notes(table: Table) -> Iterable[str]:
    if _all_question_marks(table.comment):
        yield f"the table's comment is only question marks: {_LATIN1}"
    odd = [column.name for column in table.all_columns if _all_question_marks(column.comment)]
    if odd:
        shown = ", ".join(odd[:5]) + (f" and {len(odd) - 5} more" if len(odd) > 5 else "")
        yield f"the comment is only question marks in column {shown}: {_LATIN1}"


def _type_notes(table: Table) -> Iterable[str]:
    for column in table.all_columns:
        unknown = next(unknown_parts(parse_type(column.type_text)), None)
        if unknown is not None:
            part = unknown.text[:60]
            yield f"the type of column {column.name} is kept as text: {part!r} cannot be read ({unknown.reason})"


_LATIN1 = "the metastore's database seems to store latin1, which loses other scripts"


def _all_question_marks(comment: str | None) -> bool:
    return comment is not None and _QUESTION_MARKS.fullmatch(comment.strip()) is not None
