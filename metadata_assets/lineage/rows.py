"""Follows what decides about the rows of a query down to the columns of tables, through every query that it reads."""

from collections.abc import Iterator

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

from metadata_assets.lineage.conditions import Deciding, deciding
from metadata_assets.lineage.flows import RowCondition, Traced
from metadata_assets.lineage.tables import is_stored, name_of
from metadata_assets.lineage.trace import Catalog, Tracer
from metadata_assets.model.lineage import IndirectSubtype


class RowTracer:
    """What cannot be followed is left out: it takes no column of the result with it."""

    def __init__(self, tracer: Tracer, catalog: Catalog) -> None:
        self._tracer = tracer
        self._catalog = catalog

    def conditions(self, root: Scope) -> frozenset[RowCondition]:
        """The columns of tables that decide about the rows of a query, each with how."""
        found: set[RowCondition] = set()
        seen: set[int] = set()
        waiting = [root]
        while waiting:
            scope = waiting.pop()
            if id(scope) in seen:
                continue
            seen.add(id(scope))
            for item in (*deciding(scope.expression), *_natural(scope)):
                for traced in self._traced(scope, item):
                    found |= _conditions(traced, item.subtype)
            found |= {condition for part in self._filtering(scope) for condition in part}
            waiting += self._read_by(scope)
        return frozenset(found)

    def _read_by(self, scope: Scope) -> Iterator[Scope]:
        yield from scope.set_operation_scopes if isinstance(scope.expression, exp.SetOperation) else ()
        yield from scope.subquery_scopes
        for source in _sources(scope).values():
            if isinstance(source, Scope):
                yield self._tracer.whole(source)

    def _filtering(self, scope: Scope) -> Iterator[frozenset[RowCondition]]:
        """What queries below WHERE give, and what decides about the rows of temporary tables."""
        for inner in scope.subquery_scopes:
            if isinstance(inner.expression.parent, exp.Subquery) and _is_kept(inner.expression.parent):
                for position in range(len(getattr(inner.expression, "selects", ()))):
                    yield _conditions(self._tracer.output(inner, position), "FILTER")
        for source in _sources(scope).values():
            if isinstance(source, exp.Table) and is_stored(source):
                yield self._catalog.conditions_of(name_of(source))

    def _traced(self, scope: Scope, item: Deciding) -> Iterator[Traced]:
        if item.position:
            yield self._tracer.output(scope, item.position - 1)
        elif item.shared:
            names = self._tracer.candidates(scope, item.name[0])
            yield from (self._tracer.named_column(scope, name, item.name[0]) for name in names)
        elif (found := self._resolved(scope, item)) is not None:
            yield found

    def _resolved(self, scope: Scope, item: Deciding) -> Traced | None:
        """By the rules of SQL: the sources of the query, its outputs, then the queries around it.

        Sorting asks the outputs first. A name whose first part is no source is a field of a column.
        """
        at: Scope | None = scope
        while at is not None:
            if item.subtype == "SORT" and (output := self._output(at, item.name)) is not None:
                return output
            table, name = _in_sources(at, item.name)
            if table or self._tracer.candidates(at, name):
                return self._tracer.named_column(at, table, name)
            if at is scope and (output := self._output(at, item.name)) is not None:
                return output
            at = at.parent
        return None

    def _output(self, scope: Scope, name: tuple[str, ...]) -> Traced | None:
        selects = scope.expression.selects if isinstance(scope.expression, exp.Query) else []
        names = [select.alias_or_name.lower() for select in selects]
        return self._tracer.output(scope, names.index(name[0])) if len(name) == 1 and name[0] in names else None


def _natural(scope: Scope) -> Iterator[Deciding]:
    """The columns of natural joins, which the resolver finds; conditions as written are not in the tree any more."""
    for join in scope.expression.args.get("joins") or ():
        on = join.args.get("on")
        for column in on.find_all(exp.Column) if on is not None else ():
            yield Deciding("JOIN", tuple(part.name.lower() for part in column.parts))


def _sources(scope: Scope) -> dict[str, exp.Expr | Scope]:
    return {name: source for name, (_, source) in scope.selected_sources.items()}


def _in_sources(scope: Scope, name: tuple[str, ...]) -> tuple[str, str]:
    """The source and the column that the parts of a name stand for."""
    for at in range(min(len(name) - 1, 3)):
        if name[at] in scope.sources:
            return name[at], name[at + 1]
    return "", name[0]


def _is_kept(subquery: exp.Expr) -> bool:
    return isinstance(subquery.parent, exp.Tuple) and isinstance(subquery.parent.parent, exp.Where)


def _conditions(traced: Traced, subtype: IndirectSubtype) -> frozenset[RowCondition]:
    return frozenset((origin.ref, subtype) for origin in traced.sources)
