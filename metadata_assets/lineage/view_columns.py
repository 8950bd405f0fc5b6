"""Names and types of the columns that a view's query gives, where nothing but the query tells them; pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlglot import exp, parse_one
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.optimizer.qualify import qualify
from sqlglot.schema import MappingSchema

from metadata_assets.isolation import guarded
from metadata_assets.model.table import Column, Table, TableName
from metadata_assets.model.types import UnknownType, parse_type, to_text

UNKNOWN = "unknown"
_NAMELESS = re.compile(r"_col_([0-9]+)")


@dataclass(frozen=True, slots=True)
class ViewColumns:
    """The columns, or why there are none. A type that cannot be inferred is `unknown`."""

    columns: tuple[Column, ...] = ()
    reason: str | None = None


def view_tables(sql: str, dialect: str, default_db: str) -> frozenset[TableName]:
    """Tables and views that a query reads; none when it cannot be parsed."""
    outcome = guarded("the query", lambda: _tables(_parse(sql, dialect), default_db))
    return frozenset() if outcome.error is not None else frozenset(outcome.unwrap())


def view_columns(sql: str, dialect: str, known: Mapping[TableName, Table], default_db: str) -> ViewColumns:
    """Columns of a query over `known` tables; names without a database are of `default_db`.

    Types come out as Hive writes them, in lower case.
    """
    parsed = guarded("the query", lambda: _parse(sql, dialect))
    if parsed.error is not None:
        return ViewColumns(reason="its query cannot be parsed")
    query = parsed.unwrap()
    names = _tables(query, default_db)
    missing = [str(name) for name in names if name not in known or not known[name].all_columns]
    schema = _schema([known[name] for name in names if str(name) not in missing], dialect)
    resolved = guarded("the query", lambda: _resolve(query, dialect, schema, default_db))
    if resolved.error is not None:
        return ViewColumns(reason="its query can be parsed, but not resolved")
    columns = tuple(_column(position, select) for position, select in enumerate(resolved.unwrap().selects))
    if not columns or any(column.name in ("", "*") for column in columns):
        return ViewColumns(reason=f"its query takes all columns of {', '.join(missing) or 'something unknown'}")
    return ViewColumns(columns)


def _parse(sql: str, dialect: str) -> exp.Query:
    parsed = parse_one(sql, read=dialect)
    if not isinstance(parsed, exp.Query):
        raise TypeError("no query")
    return parsed


def _tables(query: exp.Query, default_db: str) -> dict[TableName, None]:
    """In the order of the text. A name without a database may be one of the query's own WITH names."""
    local = {cte.alias.lower() for cte in query.find_all(exp.CTE)}
    found = dict[TableName, None]()
    for table in query.find_all(exp.Table):
        if table.name and (table.db or table.name.lower() not in local):
            found[TableName.of(table.db or default_db, table.name)] = None
    return found


def _resolve(query: exp.Query, dialect: str, schema: MappingSchema, default_db: str) -> Any:
    """The query with its stars expanded and its columns typed."""
    if isinstance(query, exp.SetOperation):  # a query around it makes one type of those of its branches
        query = exp.select("*").from_(query.subquery("branches", copy=False))
    qualified = qualify(query, schema=schema, dialect=dialect, db=default_db, validate_qualify_columns=False)
    return annotate_types(qualified, schema=schema, dialect=dialect)


def _schema(tables: list[Table], dialect: str) -> MappingSchema:
    schema = MappingSchema(dialect=dialect, normalize=False)
    for table in tables:
        columns = {column.name.lower(): _data_type(column.type_text) for column in table.all_columns}
        schema.add_table(exp.table_(table.name.table, db=table.name.database), columns)
    return schema


def _data_type(text: str) -> exp.DataType:
    """sqlglot's form of a type; one that it does not know is unknown to it, not an error."""
    parsed = parse_type(text)
    if isinstance(parsed, UnknownType):
        return exp.DataType.build("unknown")
    outcome = guarded("the type", lambda: exp.DataType.build(to_text(parsed), dialect="hive"))
    return exp.DataType.build("unknown") if outcome.error is not None else outcome.unwrap()


def _column(position: int, select: exp.Expr) -> Column:
    if isinstance(select, exp.Star) or isinstance(select.this, exp.Star):
        return Column("*", UNKNOWN)
    name = select.alias_or_name
    nameless = _NAMELESS.fullmatch(name)
    if nameless is not None and int(nameless[1]) == position:
        name = f"_c{position}"  # Hive's own name for a column without one
    return Column(name, _type_text(select.type))


def _type_text(data_type: Any) -> str:
    if data_type is None:
        return UNKNOWN
    parsed = parse_type(data_type.sql(dialect="hive"))
    return UNKNOWN if isinstance(parsed, UnknownType) else to_text(parsed)
