"""MERGE and UPDATE as what they are for columns: a query over source and target, and the columns that it fills."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from metadata_assets.errors import ForeignCodeError

# A column of the target, and the value that it gets.
Assignment = tuple[str, exp.Expr]


@dataclass(frozen=True, slots=True)
class Change:
    """`target` is a table in the tree of `query`; `columns` are filled by the outputs of the query, by position."""

    target: exp.Table
    query: exp.Select
    columns: tuple[str, ...]


def read_merge(tree: exp.Merge, known: Sequence[str] | None) -> Change:
    """`known` are the columns of the target: what `SET *` and `INSERT *` stand for.

    Raises:
        ForeignCodeError: the target is no table, or a `*` over a table whose columns are not known.
    """
    target = _table(tree.this)
    source = tree.args["using"]
    whens = tree.args["whens"].expressions
    assignments = [a for when in whens for a in _of_branch(when.args["then"], source.alias_or_name, known)]
    return _change(tree, target, assignments, [source])


def read_update(tree: exp.Update) -> Change:
    """The columns that UPDATE sets.

    Raises:
        ForeignCodeError: the target is no table.
    """
    from_ = tree.args.get("from_")
    return _change(tree, _table(tree.this), list(_set(tree.expressions)), [from_.this] if from_ is not None else [])


def _change(
    tree: exp.Expr, target: exp.Table, assignments: Sequence[Assignment], sources: Sequence[exp.Expr]
) -> Change:
    query = exp.Select(expressions=[exp.alias_(value.copy(), f"_{i}") for i, (_, value) in enumerate(assignments)])
    query.set("from_", exp.From(this=target))
    query.set("joins", [exp.Join(this=source, kind="CROSS", on=tree.args.get("on")) for source in sources])
    query.set("where", _where(tree))
    if tree.args.get("with_") is not None:
        query.set("with_", tree.args["with_"])
    return Change(target, query, tuple(name for name, _ in assignments))


def _where(tree: exp.Expr) -> exp.Where | None:
    """What decides about the rows that change, beside the join."""
    if isinstance(tree, exp.Update):
        return tree.args.get("where")
    whens = tree.args["whens"].expressions
    conditions = [when.args["condition"] for when in whens if when.args.get("condition") is not None]
    return exp.Where(this=exp.Tuple(expressions=conditions)) if conditions else None


def _table(target: exp.Expr) -> exp.Table:
    if not isinstance(target, exp.Table):
        raise ForeignCodeError("the target is not the name of a table")
    return target


def _of_branch(then: exp.Expr, source: str, known: Sequence[str] | None) -> Iterator[Assignment]:
    if isinstance(then, exp.Update):
        if any(isinstance(item, exp.Star) for item in then.expressions):
            yield from _all(source, known)
        else:
            yield from _set(then.expressions)
    elif isinstance(then, exp.Insert):
        yield from _inserted(then, source, known)


def _set(items: Sequence[exp.Expr]) -> Iterator[Assignment]:
    for item in items:
        if isinstance(item, exp.EQ):
            yield item.this.name.lower(), item.expression


def _inserted(then: exp.Insert, source: str, known: Sequence[str] | None) -> Iterator[Assignment]:
    if isinstance(then.this, exp.Star) or (then.this is None and then.expression is None):
        yield from _all(source, known)
        return
    values = then.expression.expressions if then.expression is not None else []
    names = [column.name.lower() for column in then.this.expressions] if then.this is not None else known
    if names is None:
        raise ForeignCodeError("INSERT VALUES into a table whose columns are not known")
    yield from zip(names, values, strict=False)


def _all(source: str, known: Sequence[str] | None) -> Iterator[Assignment]:
    if known is None:
        raise ForeignCodeError("`*` fills a table whose columns are not known")
    for name in known:
        yield name, exp.column(name, table=source)
