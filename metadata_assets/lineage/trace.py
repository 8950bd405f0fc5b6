"""Follows a column of a resolved query down to the columns of tables, through every query between them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Protocol

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

from metadata_assets.lineage.flows import BRANCH, CHANGED, COPY, SCRIPTED, Flow, RowCondition, Traced
from metadata_assets.lineage.pivots import pivoted_columns
from metadata_assets.lineage.steps import set_effect, steps_of
from metadata_assets.lineage.structs import built_field, field_access
from metadata_assets.lineage.tables import is_stored, name_of
from metadata_assets.lineage.type_names import are_same
from metadata_assets.lineage.variables import is_marked
from metadata_assets.model.lineage import ColumnRef
from metadata_assets.model.table import TableName

_LEAVES = (exp.Literal, exp.Identifier, exp.DataType)
# Columns that the engines add: they hold no data of the table.
_PSEUDO_COLUMNS = frozenset(
    {"grouping__id", "input__file__name", "block__offset__inside__file", "row__offset__inside__block", "row__id"}
)


class Catalog(Protocol):
    """What is known of tables: of the lake and of the script so far."""

    def columns_of(self, table: TableName) -> Mapping[str, str] | None:
        """Names in lower case and types, in order; None where the table, or its columns, are not known."""

    def follow(self, table: TableName, column: str) -> Traced | None:
        """Where a column of a temporary table, or of a view that is read through, comes from; None for all others."""

    def conditions_of(self, table: TableName) -> frozenset[RowCondition]:
        """What decides about the rows of such a table."""


class Tracer:
    """Each column of each query is traced once, however many columns are built from it."""

    def __init__(self, root: Scope, catalog: Catalog) -> None:
        self._catalog = catalog
        self._scopes = {id(scope.expression): scope for scope in root.traverse()}
        self._done: dict[tuple[int, int], Traced] = {}
        self._positions: dict[int, dict[str, int]] = {}
        self._leaves: dict[tuple[int, str], Traced] = {}
        self._names: dict[int, Collection[str] | None] = {}
        self._sources: dict[int, list[tuple[str, Scope | exp.Expr]]] = {}

    def output(self, scope: Scope, position: int) -> Traced:
        """The output column of a query at a position."""
        key = (id(scope), position)
        if key not in self._done:
            self._done[key] = Traced()  # what a recursive query adds by calling itself is nothing new
            self._done[key] = self._output(scope, position)
        return self._done[key]

    def _output(self, scope: Scope, position: int) -> Traced:
        query = scope.expression
        if isinstance(query, exp.SetOperation):
            return Traced.joined(self._branches(scope, position)).after(set_effect(query))
        if isinstance(query, exp.Subquery) and scope.subquery_scopes:
            return self.output(scope.subquery_scopes[0], position)
        if not isinstance(query, exp.Select) or position >= len(query.selects):
            return Traced.trouble(f"column {position + 1}: the query has no such column")
        return self._expression(scope, query.selects[position])

    def _branches(self, union: Scope, position: int) -> Iterator[Traced]:
        """The column in every branch. Unions of hundreds are nested as deep, so this goes without recursion."""
        waiting = [union]
        while waiting:
            scope = waiting.pop()
            if not isinstance(scope.expression, exp.SetOperation):
                yield self.output(scope, position)
            elif scope.expression.args.get("by_name"):
                name = _selects(scope.expression)[position].alias_or_name.lower()
                yield from (self._named(branch, name) for branch in scope.set_operation_scopes)
            else:
                waiting += reversed(scope.set_operation_scopes)

    def _named(self, scope: Scope, name: str) -> Traced:
        """The output column of a query, or of a table function, with a name."""
        if isinstance(scope.expression, exp.UDTF):
            return self._function_column(scope, name)
        positions = self._positions.get(id(scope))
        if positions is None:
            positions = {}
            for position, select in enumerate(_selects(scope.expression)):
                positions.setdefault(select.alias_or_name.lower(), position)
            self._positions[id(scope)] = positions
        if name in positions:
            return self.output(scope, positions[name])
        if "*" in positions:
            return self._through_star(scope, name, positions["*"])
        return Traced.trouble(f"{name}: not among the columns of the query that it is taken from")

    def _through_star(self, scope: Scope, name: str, position: int) -> Traced:
        """A star that could not be expanded: of one table it must be that table's column."""
        star = _selects(scope.expression)[position]
        sources = [star.table] if isinstance(star, exp.Column) and star.table else list(scope.sources)
        if len(sources) != 1 or sources[0] not in scope.sources:
            return Traced.trouble(f"{name}: it comes out of a star over {', '.join(sorted(sources))}")
        return self._from_source(scope, sources[0], name)

    def _function_column(self, scope: Scope, name: str) -> Traced:
        """All that goes into a table function goes into each of its columns, but not into the count of its rows."""
        function = scope.expression
        offset = function.args.get("offset")
        if isinstance(function, exp.Values) or (isinstance(offset, exp.Identifier) and offset.name.lower() == name):
            return Traced()
        if isinstance(function.this, exp.Subquery):  # a LATERAL query is a query
            inner = self._scopes.get(id(function.this.unnest()))
            return self._named(inner, name) if inner is not None else Traced.trouble(f"{name}: of a LATERAL query")
        columns = (self.column(scope, column) for column in function.find_all(exp.Column))
        return Traced.joined(columns).after(SCRIPTED)

    def _expression(self, scope: Scope, root: exp.Expr) -> Traced:
        if root.is_star:
            return _unknown_star(root.table if isinstance(root, exp.Column) else "")
        parts: list[Traced] = []
        waiting: list[tuple[exp.Expr, Flow]] = [(root, COPY)]
        while waiting:
            node, flow = waiting.pop()
            if isinstance(node, _LEAVES):
                continue
            if (traced := self._at_once(scope, node)) is not None:
                parts.append(traced.after(flow))
            elif isinstance(node, exp.Cast) and self._keeps_type(scope, node):
                waiting.append((node.this, flow))
            else:
                waiting += [(child, flow.then(step)) for child, step in steps_of(scope, node)]
        return Traced.joined(parts)

    def _at_once(self, scope: Scope, node: exp.Expr) -> Traced | None:
        """What is traced as it is; None for an expression that is followed into its parts."""
        if isinstance(node, exp.Column):
            return self.column(scope, node)
        if isinstance(node, exp.Star):
            return Traced() if isinstance(node.parent, exp.Count) else self._star(scope, "")
        if isinstance(node, exp.UNWRAPPED_QUERIES):
            return self._subquery(scope, node)
        return self._field(scope, node) if isinstance(node, exp.Dot) else None

    def _keeps_type(self, scope: Scope, cast: exp.Cast) -> bool:
        """Hive leaves out a cast of a column to the type that it has."""
        if not isinstance(cast.this, exp.Column):
            return False
        sources = self.column(scope, cast.this).sources
        if list(sources.values()) != [COPY]:
            return False
        ref = next(iter(sources)).ref
        own = (self._catalog.columns_of(ref.table) or {}).get(ref.column, "")
        return bool(own) and are_same(own, cast.to.sql(dialect="hive"))

    def _subquery(self, scope: Scope, query: exp.Expr) -> Traced:
        inner = next((s for s in scope.subquery_scopes if s.expression is query), None)
        if inner is None:
            return Traced.trouble("a subquery that could not be resolved")
        positions = range(len(_selects(query)))
        return Traced.joined(self.output(inner, position) for position in positions).after(BRANCH)

    def _field(self, scope: Scope, node: exp.Expr) -> Traced | None:
        """A field of a struct that a query below builds; None for all others, which are taken whole."""
        access = field_access(node)
        while access is not None:
            column, name = access
            access = None
            inner = _source(scope, column.table)
            if not isinstance(inner, Scope) or not isinstance(inner.expression, exp.Select):
                return None
            select = next((s for s in inner.expression.selects if s.alias_or_name == column.name), exp.Null())
            built = built_field(select.unalias(), name)
            if built is not None:
                return self._expression(inner, built).after(CHANGED)
            scope = inner
            below = select.unalias()
            if isinstance(below, exp.Column):
                access = below, name
        return None

    def column(self, scope: Scope, column: exp.Column) -> Traced:
        if isinstance(column.this, exp.Star):
            return self._star(scope, column.table)
        return self.named_column(scope, column.table, column.name.lower())

    def named_column(self, scope: Scope, source: str, name: str) -> Traced:
        """A column by its name, of a source of the query, or of the one that has such a column where none is named."""
        if name in _PSEUDO_COLUMNS:
            return Traced()
        if is_marked(name):
            return Traced.trouble(f"{name} is not set")
        if source:
            return self._from_source(scope, source, name)
        at: Scope | None = scope
        while at is not None:  # what no source of the query has may be of a query around it
            sources = self.candidates(at, name)
            if len(sources) > 1:
                return Traced.trouble(f"{name}: it may come from {' or '.join(sorted(sources))}")
            if sources:
                return self._from_source(at, sources[0], name)
            at = at.parent
        return Traced.trouble(f"{name}: nothing that is read here has such a column")

    def _star(self, scope: Scope, qualifier: str) -> Traced:
        """All columns, as an argument of a function; the stars of a SELECT were expanded where that could be done."""
        columns: list[Traced] = []
        for source, (_, found) in scope.selected_sources.items():
            if qualifier in ("", source):
                names = self._names_of(found)
                if names is None:
                    return _unknown_star(qualifier)
                columns += [self._from_source(scope, source, name) for name in names]
        return Traced.joined(columns)

    def _names_of(self, source: Scope | exp.Expr) -> Collection[str] | None:
        """The columns of what a query reads; None where they are not known."""
        if id(source) not in self._names:
            self._names[id(source)] = self._look_up_names(source)
        return self._names[id(source)]

    def _look_up_names(self, source: Scope | exp.Expr) -> Collection[str] | None:
        if isinstance(source, Scope):
            names = dict.fromkeys(select.alias_or_name.lower() for select in _selects(source.expression))
            return None if "*" in names else names
        if not isinstance(source, exp.Table) or not is_stored(source):
            return None
        return self._catalog.columns_of(name_of(source))

    def candidates(self, scope: Scope, name: str) -> list[str]:
        """The sources that may have a column: those that do, else those whose columns are not known."""
        if id(scope) not in self._sources:
            self._sources[id(scope)] = [(key, found) for key, (_, found) in scope.selected_sources.items() if key]
        verdicts = {key: self._has(found, name) for key, found in self._sources[id(scope)]}
        certain = [key for key, verdict in verdicts.items() if verdict]
        return certain or [key for key, verdict in verdicts.items() if verdict is None]

    def _has(self, source: Scope | exp.Expr, name: str) -> bool | None:
        names = self._names_of(source)
        if names is not None:
            return name in names
        selects = _selects(source.expression) if isinstance(source, Scope) else ()
        return any(select.alias_or_name.lower() == name for select in selects) or None

    def _from_source(self, scope: Scope, source: str, name: str) -> Traced:
        found = _source(scope, source)
        if found is None:
            return self._pivoted(scope, source, name)
        if isinstance(found, Scope):
            return self._named(self.whole(found), name)
        key = (id(found), name)
        if key not in self._leaves:
            self._leaves[key] = self._leaf(name_of(found), name) if is_stored(found) else Traced()
        return self._leaves[key]

    def whole(self, scope: Scope) -> Scope:
        """A recursive query stands for itself with its first branch only, which was never resolved."""
        union = scope.expression.parent
        if scope.sources or not isinstance(union, exp.SetOperation):
            return scope
        return self._scopes.get(id(union), scope)

    def _pivoted(self, scope: Scope, source: str, name: str) -> Traced:
        for pivot in scope.pivots:
            if pivot.alias_or_name == source and pivot.parent is not None:
                flow, columns = pivoted_columns(pivot, name)
                inner = pivot.parent.alias_or_name
                return Traced.joined(self._from_source(scope, inner, column) for column in columns).after(flow)
        return Traced.trouble(f"{source}.{name}: nothing here is called {source}")

    def _leaf(self, table: TableName, name: str) -> Traced:
        followed = self._catalog.follow(table, name)
        if followed is not None:
            return followed
        columns = self._catalog.columns_of(table)
        if columns is not None and name not in columns:
            return Traced.trouble(f"{name}: {table} has no such column")
        return Traced.of(ColumnRef(table, name))


def _selects(query: exp.Expr) -> Sequence[exp.Expr]:
    return query.selects if isinstance(query, (exp.Query, exp.UDTF)) else ()


def _unknown_star(qualifier: str) -> Traced:
    shown = f"{qualifier}.*" if qualifier else "*"
    return Traced.trouble(f"{shown}: the columns that the star stands for are not known")


def _source(scope: Scope, name: str) -> Scope | exp.Table | None:
    """What a name stands for in a query, or in those around it."""
    at: Scope | None = scope
    while at is not None:
        found = at.sources.get(name)
        if isinstance(found, (Scope, exp.Table)):
            return found
        at = at.parent
    return None
