"""Which schema of a table is the true one, where an engine keeps its own beside the metastore's; pure.

Shared by every source that sees tables as a Hive metastore holds them, so that they all come to the same result.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from metadata_assets.model.table import Column, SchemaOrigin, Table, ViewText
from metadata_assets.model.types import DataType, parse_type, unknown_parts
from metadata_assets.sources.encodings import Opaque, SparkSchema, TrinoView, decode_spark_schema

# What engines write as the columns of a table or view whose schema they keep elsewhere.
_PLACEHOLDERS = ((), (("col", "array<string>"),), (("dummy", "string"),))
_TRINO_COMMENTS = frozenset({"Presto View", "Presto Materialized View"})  # set by Trino itself on every view
_QUESTION_MARKS = re.compile(r"\?[?\s]*")


@dataclass(frozen=True, slots=True)
class Schema:
    """Columns as some place in the table tells them, and what is to be noted about that place."""

    columns: tuple[Column, ...]
    partition_keys: tuple[Column, ...]
    origin: SchemaOrigin = "metastore"
    note: str | None = None


def true_schema(own: Schema, parameters: Mapping[str, str]) -> Schema:
    """The metastore's own schema, unless Spark keeps another one in the parameters."""
    kept = decode_spark_schema(parameters)
    if kept is None:
        return own
    if isinstance(kept, Opaque):
        return replace(own, note=f"{kept.note}: these are the metastore's own columns")
    spark = _from_spark(kept, own)
    placeholder = is_placeholder(own.columns)
    if not placeholder and _same_columns(spark, own):
        return _with_comments(own, spark)
    if not placeholder and parameters.get("spark.sql.sources.provider", "").lower() == "hive":
        # Spark itself reads such a table by the metastore's columns when they and the kept schema have parted ways.
        return replace(
            own, note="the Spark schema in the table's parameters is out of date: Hive changed the table since"
        )
    return spark


def _from_spark(kept: SparkSchema, own: Schema) -> Schema:
    partitions = [name.lower() for name in kept.partition_names or (key.name for key in own.partition_keys)]
    by_name = {column.name.lower(): column for column in kept.columns}
    keys = tuple(by_name[name] for name in partitions if name in by_name)
    return Schema(
        tuple(column for column in kept.columns if column.name.lower() not in partitions),
        keys or own.partition_keys,
        "spark_parameters",
    )


def is_placeholder(columns: tuple[Column, ...]) -> bool:
    return tuple((column.name, column.type_text) for column in columns) in _PLACEHOLDERS


def _same_columns(one: Schema, other: Schema) -> bool:
    """Whether names and types agree: then what the metastore wrote stays as it is, byte for byte."""

    def essence(schema: Schema) -> list[tuple[str, DataType]]:
        columns = (*schema.columns, *schema.partition_keys)
        return [(column.name.lower(), parse_type(column.type_text.lower())) for column in columns]

    return len(one.columns) == len(other.columns) and essence(one) == essence(other)


def _with_comments(own: Schema, spark: Schema) -> Schema:
    """The metastore's schema; where it has no comment and Spark has one, with that."""
    columns = zip(own.columns, spark.columns, strict=True)
    keys = zip(own.partition_keys, spark.partition_keys, strict=True)
    return replace(
        own,
        columns=tuple(replace(ours, comment=ours.comment or theirs.comment) for ours, theirs in columns),
        partition_keys=tuple(replace(ours, comment=ours.comment or theirs.comment) for ours, theirs in keys),
    )


def with_schema(table: Table, schema: Schema) -> Table:
    notes = (*table.notes, schema.note) if schema.note else table.notes
    return replace(
        table,
        columns=schema.columns,
        partition_keys=schema.partition_keys,
        schema_origin=schema.origin,
        notes=notes,
    )


def with_trino_view(table: Table, encoded: TrinoView | Opaque, view_text: str, own: Schema) -> Table:
    comment = None if table.comment in _TRINO_COMMENTS else table.comment
    if isinstance(encoded, Opaque):
        columns = () if is_placeholder(own.columns) else own.columns
        return replace(
            table,
            comment=comment,
            columns=columns,
            view=ViewText(view_text, dialect="trino"),
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


def comment_notes(table: Table) -> Iterable[str]:
    if _all_question_marks(table.comment):
        yield f"the table's comment is only question marks: {_LATIN1}"
    odd = [column.name for column in table.all_columns if _all_question_marks(column.comment)]
    if odd:
        shown = ", ".join(odd[:5]) + (f" and {len(odd) - 5} more" if len(odd) > 5 else "")
        yield f"the comment is only question marks in column {shown}: {_LATIN1}"


def type_notes(table: Table) -> Iterable[str]:
    for column in table.all_columns:
        unknown = next(unknown_parts(parse_type(column.type_text)), None)
        if unknown is not None and column.type_text:
            part = unknown.text[:60]
            yield f"the type of column {column.name} is kept as text: {part!r} cannot be read ({unknown.reason})"


_LATIN1 = "the metastore's database seems to store latin1, which loses other scripts"


def _all_question_marks(comment: str | None) -> bool:
    return comment is not None and _QUESTION_MARKS.fullmatch(comment.strip()) is not None
