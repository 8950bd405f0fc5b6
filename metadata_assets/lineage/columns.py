"""Columns of a query: resolved once for the whole statement, then traced one by one, by position."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import Scope, build_scope
from sqlglot.schema import Schema

from metadata_assets.errors import ForeignCodeError
from metadata_assets.isolation import Outcome, guarded
from metadata_assets.lineage.conditions import drop_kept_queries, take_conditions
from metadata_assets.lineage.flows import RowCondition, Traced
from metadata_assets.lineage.given_names import given_name, has_name
from metadata_assets.lineage.known_columns import KnownColumns
from metadata_assets.lineage.rows import RowTracer
from metadata_assets.lineage.steps import WRITTEN
from metadata_assets.lineage.trace import Catalog, Tracer
from metadata_assets.lineage.variables import is_marked
from metadata_assets.model.table import TableName

# Set on an alias that is the engine's.
_GIVEN = "given"


@dataclass(frozen=True, slots=True)
class Output:
    """One column of a query; `is_star`: it stands for columns that are not known."""

    name: str
    traced: Traced
    is_star: bool = False
    is_named: bool = True  # in the text, not by the engine


@dataclass(frozen=True, slots=True)
class Result:
    """The columns of a query, and the columns of tables that decide which of its rows there are."""

    outputs: Sequence[Output] = ()
    rows: frozenset[RowCondition] = frozenset()


def query_result(
    query: exp.Query, again: Callable[[], exp.Query], tables: Iterable[TableName], catalog: Catalog, dialect: str
) -> Outcome[Result]:
    """Trace every output of a query whose tables have their full names. The query is changed on the way.

    Args:
        query: the query.
        again: makes the same query once more, for a second try that does less where the first one fails.
        tables: those that it names.
        catalog: what is known of tables.
        dialect: by sqlglot's name.
    """
    names = list(tables)
    schema = KnownColumns(catalog, dialect, empty=all(catalog.columns_of(name) is None for name in names))

    def traced(tree: exp.Query, *, loosely: bool) -> Result:
        _simplify(tree, dialect)
        if loosely:
            _loosen(tree, schema)
        return _result(_qualified(tree, schema, dialect), catalog)

    first = guarded("the columns", lambda: traced(query, loosely=False), quote=True)
    if first.error is None:
        return first
    second = guarded("the columns", lambda: traced(again(), loosely=True), quote=True)
    return first if second.error is not None else second


def _result(scope: Scope, catalog: Catalog) -> Result:
    tracer = Tracer(scope, catalog)
    selects = enumerate(query_selects(scope.expression))
    outputs = [_output(tracer, scope, position, select) for position, select in selects]
    return Result(outputs, RowTracer(tracer, catalog).conditions(scope))


def query_selects(query: exp.Expr) -> list[exp.Expr]:
    return query.selects if isinstance(query, exp.Query) else []


def _output(tracer: Tracer, scope: Scope, position: int, select: exp.Expr) -> Output:
    name = select.alias_or_name.lower()
    is_star = select.is_star or _is_variable(select)
    return Output(name, tracer.output(scope, position), is_star, not select.meta.get(_GIVEN))


def _is_variable(select: exp.Expr) -> bool:
    """A variable alone may hold any number of columns."""
    column = select.unalias()
    return isinstance(column, exp.Column) and is_marked(column.name) and not column.table


def _loosen(query: exp.Query, schema: KnownColumns) -> None:
    """Without USING and queries that decide about rows; columns of a subquery are of the one table it reads."""
    drop_kept_queries(query.find_all(exp.Query))
    for inner in list(query.find_all(exp.Select)):
        _expand_own_names(inner, schema)
    for join in query.find_all(exp.Join):
        join.set("using", None)
    for column in query.find_all(exp.Column):
        select = column.find_ancestor(exp.Select)
        if select is None or select is query or column.table or isinstance(column.this, exp.Star):
            continue
        from_ = select.args.get("from_")
        if from_ is not None and isinstance(from_.this, exp.Table) and not select.args.get("joins"):
            column.set("table", exp.to_identifier(from_.this.alias_or_name, quoted=True))


def _expand_own_names(select: exp.Select, schema: KnownColumns) -> None:
    """What an earlier column of the same list is called stands for that column, where no table is known to have one."""
    known: dict[str, exp.Expr] = {}
    from_ = select.args.get("from_")
    read = [item.this for item in (*([from_] if from_ else []), *(select.args.get("joins") or ()))]
    for item in select.expressions:
        for column in list(item.find_all(exp.Column)):
            meant = known.get(column.name.lower()) if not column.table else None
            if meant is None or any(schema.has_column(table, column) for table in read):
                continue
            if column.find_ancestor(exp.Select) is select:
                column.replace(exp.paren(meant.copy()))
        own = item.this
        keeps_name = isinstance(own, exp.Column) and own.name.lower() == item.alias.lower()
        if isinstance(item, exp.Alias) and not keeps_name:
            known[item.alias.lower()] = own


def _qualified(query: exp.Query, schema: Schema, dialect: str) -> Scope:
    tree = qualify(
        query,
        dialect=dialect,
        schema=schema,
        allow_partial_qualification=True,  # one column that is not known must not take the others with it
        validate_qualify_columns=False,
        quote_identifiers=False,
        identify=False,
    )
    scope = build_scope(tree)
    if scope is None:
        raise ForeignCodeError("the query has no columns")
    return scope


def _simplify(query: exp.Query, dialect: str) -> None:
    """Take out what tells nothing about columns, and give names where the engine would.

    USING makes a coalesce, from which those that people wrote are told apart by a mark.
    """
    for node in list(query.find_all(exp.Query, exp.Coalesce, exp.Column)):
        if isinstance(node, exp.Query):
            take_conditions(node)
            if isinstance(node, exp.Select):
                _name_columns(node, dialect)
        elif isinstance(node, exp.Coalesce):
            node.meta[WRITTEN] = True
        elif is_marked(node.name) and not node.args.get("table") and not isinstance(node.parent, exp.Select):
            node.replace(exp.null())  # a variable within an expression is a value


def _name_columns(select: exp.Select, dialect: str) -> None:
    """Functions with several columns become several, and columns without a name get the one that the engine gives."""
    named = [column for item in select.expressions for column in _several(item)]
    windows: dict[str, None] = {}
    columns = []
    for position, column in enumerate(named):
        windows |= dict.fromkeys(window.sql() for window in column.find_all(exp.Window)) if dialect == "hive" else {}
        columns.append(
            column if column.is_star or has_name(column) else _given(column, position, len(windows), dialect)
        )
    select.set("expressions", columns)


def _several(item: exp.Expr) -> Iterator[exp.Expr]:
    if not isinstance(item, exp.Aliases):
        yield item
        return
    for name in item.expressions:
        yield exp.alias_(item.this.copy(), name.name)


def _given(column: exp.Expr, position: int, windows: int, dialect: str) -> exp.Expr:
    name = given_name(column, position, windows, dialect)
    named = exp.alias_(column.unalias(), name, quoted=True, copy=False)
    named.meta[_GIVEN] = True
    return named
