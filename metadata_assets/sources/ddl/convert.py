"""DDL statements as tables and databases; pure."""

from collections.abc import Sequence
from dataclasses import replace

from metadata_assets.lineage.view_columns import ViewColumns
from metadata_assets.model.table import Column, Database, Table, TableKind, TableName, ViewText
from metadata_assets.sources.ddl.statement import Statement
from metadata_assets.sources.encodings import decode_trino_view
from metadata_assets.sources.formats import FORMATS, to_provider
from metadata_assets.sources.schemas import Schema, comment_notes, true_schema, type_notes, with_schema, with_trino_view

UNKNOWN = "unknown"


def to_database(name: str, statement: Statement) -> Database:
    owner = statement.owner or statement.properties.get("owner") or None
    return Database(name, statement.comment, owner, statement.location)


def to_table(name: TableName, statement: Statement) -> Table:
    """The table with its true schema. A view whose types are in its query only is of origin `query`, its columns empty
    or without types: `with_query_columns` completes it.
    """
    properties = statement.properties
    kind = _to_kind(statement)
    is_view = kind in ("view", "materialized_view")
    table = Table(
        name=name,
        kind=kind,
        comment=statement.comment or properties.get("comment") or None,
        owner=statement.owner or properties.get("owner") or None,
        location=statement.location,
        provider=None if is_view else _to_provider(statement),
    )
    # A view names its partition columns only; their types are in its query.
    named = tuple(Column(name, "") for name in statement.partition_names) if is_view else ()
    own = Schema(statement.columns, statement.partition_keys + named)
    table = _with_view(table, statement, own) if is_view else with_schema(table, true_schema(own, properties))
    return replace(table, notes=(*table.notes, *comment_notes(table), *type_notes(table)))


def with_query_columns(table: Table, found: ViewColumns) -> Table:
    """The view with the types that its query tells; names and comments of its own column list stand."""
    if found.reason is not None:
        what = "the types of its columns are" if table.columns else "its columns are"
        return replace(
            table,
            columns=_without_types(table.columns),
            partition_keys=_without_types(table.partition_keys),
            notes=(*table.notes, f"{what} not known: {found.reason}"),
        )
    columns, notes = found.columns, table.notes
    if table.columns and len(table.columns) != len(columns):
        notes += (f"its column list has {len(table.columns)} names, its query gives {len(columns)} columns",)
        columns = _without_types(table.columns)
    elif table.columns:
        pairs = zip(table.columns, columns, strict=True)
        columns = tuple(replace(own, type_text=inferred.type_text) for own, inferred in pairs)
    return _with_keys(replace(table, notes=(*notes, *_untyped_notes(columns, found.missing))), columns)


def _to_kind(statement: Statement) -> TableKind:
    if statement.kind in ("view", "materialized_view"):
        return "view" if statement.kind == "view" else "materialized_view"
    by_property = statement.properties.get("EXTERNAL", "").upper() == "TRUE"
    # Spark prints a location only for tables that it did not choose the place of.
    by_place = statement.provider is not None and statement.location is not None
    return "external" if statement.external or by_property or by_place else "managed"


def _to_provider(statement: Statement) -> str | None:
    parameters = dict(statement.properties)
    if statement.provider is not None:
        parts = statement.provider.lower().split(".")  # a class name says it in one of its parts
        named = next((part for part in parts if part in FORMATS), statement.provider)
        parameters.setdefault("spark.sql.sources.provider", named)
    if statement.handler:
        parameters["storage_handler"] = statement.handler
    return to_provider(parameters, statement.serde, statement.reader)


def _with_view(table: Table, statement: Statement, own: Schema) -> Table:
    query = statement.query or ""
    encoded = decode_trino_view(query)
    if encoded is not None:
        placed = [Column(c.name, "string" if c.name == "dummy" else UNKNOWN, c.comment) for c in own.columns]
        return with_trino_view(table, encoded, query, replace(own, columns=tuple(placed)))
    table = replace(table, view=_to_view_text(query, statement))
    schema = true_schema(own, statement.properties)
    return with_schema(table, replace(schema, origin="query") if schema.origin == "metastore" else schema)


def _to_view_text(query: str, statement: Statement) -> ViewText:
    by_spark = statement.by_spark or "spark.sql.create.version" in statement.properties
    database = statement.properties.get("view.catalogAndNamespace.part.1") if by_spark else None
    return ViewText(query, None, "spark" if by_spark else "hive", database)


def _without_types(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    return tuple(replace(column, type_text=UNKNOWN) for column in columns)


def _with_keys(table: Table, columns: tuple[Column, ...]) -> Table:
    """Columns and partition keys of a view from `columns`: so far the view knows only the names of its keys."""
    by_name = {column.name.lower(): column for column in columns}
    names = [key.name.lower() for key in table.partition_keys if key.name.lower() in by_name]
    return replace(
        table,
        columns=tuple(column for column in columns if column.name.lower() not in names),
        partition_keys=tuple(by_name[name] for name in names),
    )


def _untyped_notes(columns: tuple[Column, ...], missing: tuple[str, ...]) -> tuple[str, ...]:
    untyped = [column.name for column in columns if column.type_text == UNKNOWN]
    if not untyped:
        return ()
    why = f": the query reads {_shorten(missing)}, whose columns are not known" if missing else ""
    return (f"the type cannot be told from the query for column {_shorten(untyped)}{why}",)


def _shorten(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
