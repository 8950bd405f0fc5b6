"""What decides which rows of a query arrive.

It is taken out of the tree as names, so that the parser's resolver, which is slow on long conditions and strict with
their names, never sees them.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sqlglot import exp

from metadata_assets.model.lineage import IndirectSubtype

_ROWS = "rows"
_FILTERS = ("where", "having", "qualify")
_SORTS = ("order", "sort", "cluster")
_QUERIES = (exp.Subquery, *exp.UNWRAPPED_QUERIES)
# They say nothing about rows that is kept, and nothing about columns.
_DROPPED = ("distribute", "limit", "offset")


class Deciding(NamedTuple):
    """A column that decides about rows, by the parts of its name as written, or an output by its position from 1.

    `shared`: every source that has a column of this name takes part, as with USING.
    """

    subtype: IndirectSubtype
    name: tuple[str, ...] = ()
    position: int = 0
    shared: bool = False


class _Taken(tuple[Deciding, ...]):
    """They never change, so that a copy of the tree has the same: the parser's copies go into everything else."""

    __slots__ = ()

    def __deepcopy__(self, memo: object) -> "_Taken":
        return self


def deciding(query: exp.Expr) -> tuple[Deciding, ...]:
    """What was taken out of this query."""
    found: tuple[Deciding, ...] = query.meta.get(_ROWS, ())
    return found


def take_conditions(query: exp.Query) -> None:
    """Take out the clauses that decide about rows; queries within them stay, below a WHERE."""
    found: list[Deciding] = []
    kept: list[exp.Expr] = []
    for name, subtype in _clauses():
        if (clause := query.args.get(name)) is not None:
            _take(clause, subtype, found, kept)
            query.set(name, None)
    for name in _DROPPED:
        if query.args.get(name) is not None:
            query.set(name, None)
    if isinstance(query, exp.Select):
        kept += _take_joins(query, found)
        if kept:
            query.set("where", exp.Where(this=exp.Tuple(expressions=kept)))
    query.meta[_ROWS] = _Taken((*deciding(query), *dict.fromkeys(found)))


def _clauses() -> Iterator[tuple[str, IndirectSubtype]]:
    yield from ((name, "FILTER") for name in _FILTERS)
    yield "group", "GROUP_BY"
    yield from ((name, "SORT") for name in _SORTS)


def _take_joins(select: exp.Select, found: list[Deciding]) -> Iterator[exp.Expr]:
    """The right side of a semi join is not visible to the columns: it becomes a query of its own."""
    visible: list[exp.Join] = []
    for join in select.args.get("joins") or ():
        semi = str(join.kind or join.side).upper() in ("SEMI", "ANTI")
        own: list[Deciding] = []
        kept: list[exp.Expr] = []
        if (on := join.args.get("on")) is not None:
            _take(on, "JOIN", own, kept)
            join.set("on", None)
        own += [Deciding("JOIN", (column.name.lower(),), shared=True) for column in join.args.get("using") or ()]
        if semi:
            inner = exp.Select(expressions=[exp.Literal.number(1)], from_=exp.From(this=join.this))
            inner.meta[_ROWS] = _Taken(own)
            yield exp.Exists(this=inner)
            found += [d for d in own if d.shared]
        else:
            visible.append(join)
            found += own
        yield from kept
    if select.args.get("joins"):
        select.set("joins", visible)


def _take(clause: exp.Expr, subtype: IndirectSubtype, found: list[Deciding], kept: list[exp.Expr]) -> None:
    for node in clause.walk(prune=lambda n: isinstance(n, (*_QUERIES, exp.Column, exp.Exists))):
        if isinstance(node, exp.Exists):
            kept.append(_without_outputs(node))
        elif isinstance(node, _QUERIES):
            kept.append(exp.Subquery(this=node.unnest()))
        elif isinstance(node, exp.Column) and not isinstance(node.this, exp.Star):
            found.append(Deciding(subtype, tuple(part.name.lower() for part in node.parts)))
        elif isinstance(node, exp.Literal) and subtype != "FILTER" and _is_position(node):
            found.append(Deciding(subtype, position=int(node.name)))


def _is_position(node: exp.Literal) -> bool:
    return not node.is_string and node.name.isdecimal() and isinstance(node.parent, (exp.Group, exp.Ordered))


def _without_outputs(exists: exp.Exists) -> exp.Exists:
    """EXISTS asks whether there is a row, not what is in it."""
    inner = exists.this.unnest() if isinstance(exists.this, exp.Query) else exists.this
    if isinstance(inner, exp.Select) and not inner.args.get("group"):
        inner.set("expressions", [exp.Literal.number(1)])
    return exp.Exists(this=inner)


def drop_kept_queries(queries: Iterable[exp.Query]) -> None:
    """Without the queries that only decide about rows, for another try where they cannot be resolved."""
    for query in queries:
        if query.args.get("where") is not None:
            query.set("where", None)
