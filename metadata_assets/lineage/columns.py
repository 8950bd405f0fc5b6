"""Columns of a query: resolved once for the whole statement, then traced one by one, by position."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import Scope, build_scope
from sqlglot.schema import Schema

from metadata_assets.errors import ForeignCodeError
from metadata_assets.isolation import Outcome, guarded
from metadata_assets.lineage.conditions import drop_kept_queries, take_conditions
from metadata_assets.lineage.flows import RowCondition, Traced
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


def query_result(query: exp.Query, tables: Iterable[TableName], catalog: Catalog, dialect: str) -> Outcome[Result]:
    """Trace every output of a query whose tables have their full names. The query is changed on the way."""
    return guarded("the columns", lambda: _result(query, tables, catalog, dialect), quote=True)


def _result(query: exp.Query, tables: Iterable[TableName], catalog: Catalog, dialect: str) -> Result:
    doubtful = _simplify(query, dialect)
    names = list(tables)
    known = [catalog.columns_of(name) is not None for name in names]
    schema = KnownColumns(catalog, dialect, empty=not any(known))
    scope = _resolve(query, schema, dialect, may_fail=doubtful or not all(known))
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


def _resolve(query: exp.Query, schema: Schema, dialect: str, *, may_fail: bool) -> Scope:
    """The scopes of the query with all names qualified; where that fails for what is not known, a second try does less.

    Raises:
        ForeignCodeError: neither way works; it carries the reason of the first.
    """
    spare = query.copy() if may_fail else None
    first = guarded("the columns", lambda: _qualified(query, schema, dialect), quote=True)
    if first.error is None or spare is None:
        return first.unwrap()
    _loosen(spare)
    second = guarded("the columns", lambda: _qualified(spare, schema, dialect), quote=True)
    return first.unwrap() if second.error is not None else second.unwrap()


def _loosen(query: exp.Query) -> None:
    """Without USING and queries that decide about rows; columns of a subquery are of the one table it reads."""
    drop_kept_queries(query.find_all(exp.Query))
    for join in query.find_all(exp.Join):
        join.set("using", None)
    for column in query.find_all(exp.Column):
        select = column.find_ancestor(exp.Select)
        if select is None or select is query or column.table or isinstance(column.this, exp.Star):
            continue
        from_ = select.args.get("from_")
        if from_ is not None and isinstance(from_.this, exp.Table) and not select.args.get("joins"):
            column.set("table", exp.to_identifier(from_.this.alias_or_name, quoted=True))


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


def _simplify(query: exp.Query, dialect: str) -> bool:
    """Take out what tells nothing about columns, and give names where the engine would.

    Says whether that may not be enough: a join has USING, or queries are left that decide about rows. USING makes a
    coalesce, from which those that people wrote are told apart by a mark.
    """
    doubtful = False
    for node in list(query.find_all(exp.Query, exp.Join, exp.Coalesce, exp.Column)):
        if isinstance(node, exp.Query):
            doubtful |= take_conditions(node)
            if isinstance(node, exp.Select):
                _name_columns(node, dialect)
        elif isinstance(node, exp.Join):
            doubtful |= bool(node.args.get("using")) or node.method == "NATURAL"
        elif isinstance(node, exp.Coalesce):
            node.meta[WRITTEN] = True
        elif is_marked(node.name) and not node.args.get("table") and not isinstance(node.parent, exp.Select):
            node.replace(exp.null())  # a variable within an expression is a value
    return doubtful


def _name_columns(select: exp.Select, dialect: str) -> None:
    """Functions with several columns become several, and columns without a name get the one that the engine gives."""
    named = [column for item in select.expressions for column in _several(item)]
    windows: dict[str, None] = {}
    columns = []
    for position, column in enumerate(named):
        windows |= dict.fromkeys(window.sql() for window in column.find_all(exp.Window)) if dialect == "hive" else {}
        columns.append(
            column if column.is_star or _has_name(column) else _given(column, position, len(windows), dialect)
        )
    select.set("expressions", columns)


def _several(item: exp.Expr) -> Iterator[exp.Expr]:
    if not isinstance(item, exp.Aliases):
        yield item
        return
    for name in item.expressions:
        yield exp.alias_(item.this.copy(), name.name)


def _has_name(column: exp.Expr) -> bool:
    """An alias, a column or a field; in Hive and Spark the cast of a column too."""
    named = column.this if isinstance(column, exp.Cast) else column
    return isinstance(named, (exp.Alias, exp.Column, exp.Dot, exp.Subquery, exp.Aliases)) and bool(column.output_name)


def _as_text(column: exp.Expr, dialect: str) -> str:
    """The expression itself; Spark leaves out the quotes of texts."""
    if dialect in ("spark", "databricks") and column.find(exp.Literal) is not None:
        column = column.transform(lambda n: exp.Var(this=n.name) if isinstance(n, exp.Literal) and n.is_string else n)
    return column.sql(dialect=dialect, comments=False).lower()


def _given(column: exp.Expr, position: int, windows: int, dialect: str) -> exp.Expr:
    """The column under the name that the engine gives it; `windows` is the count of window functions up to here."""
    names = {
        "hive": f"_c{position}",
        "trino": f"_col{position}",
        "presto": f"_col{position}",
        "athena": f"_col{position}",
    }
    name = names.get(dialect) or _as_text(column, dialect)
    if dialect == "hive" and isinstance(column, exp.Window):
        function = column.this.sql(dialect="hive").partition("(")[0].lower()
        name = f"{function}_window_{windows - 1}"
    named = exp.alias_(column.unalias(), name, quoted=True, copy=False)
    named.meta[_GIVEN] = True
    return named
