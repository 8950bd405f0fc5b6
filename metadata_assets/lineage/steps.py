"""The parts of an expression, each with what happens to the values in it."""

from collections.abc import Iterator

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

from metadata_assets.lineage.effects import effect_of
from metadata_assets.lineage.flows import BRANCH, CHANGED, CONDITION, COPY, COUNTED_ROWS, WINDOW_KEY, Flow

# Set on a coalesce that stands in the text.
WRITTEN = "written"

Step = tuple[exp.Expr, Flow]


def steps_of(scope: Scope, node: exp.Expr) -> Iterator[Step]:
    """What to follow in an expression of a query."""
    if isinstance(node, exp.Coalesce) and not node.meta.get(WRITTEN):
        yield from _using(scope, node)
    elif isinstance(node, exp.Window):
        yield from _window(scope, node)
    elif isinstance(node, exp.Case):
        yield from _case(node)
    elif isinstance(node, (exp.If, exp.Nvl2)):
        yield from _branches(node)
    elif isinstance(node, exp.Grouping):
        return  # it tells which set of keys a row is of, and nothing of the keys
    elif isinstance(node, exp.Filter):
        yield node.this, COPY
        yield node.expression, CONDITION
    else:
        effect = effect_of(node)
        yield from ((child, effect) for child in node.iter_expressions())


def _case(node: exp.Case) -> Iterator[Step]:
    """The values pass as they are; what is compared decides which of them."""
    if node.this is not None:
        yield node.this, CONDITION
    for branch in node.args.get("ifs") or ():
        yield from _branches(branch)
    if (default := node.args.get("default")) is not None:
        yield default, BRANCH


def _branches(node: exp.Expr) -> Iterator[Step]:
    yield node.this, CONDITION
    yield from ((value, BRANCH) for name in ("true", "false") if (value := node.args.get(name)) is not None)


def _window(scope: Scope, node: exp.Window) -> Iterator[Step]:
    yield node.this, effect_of(node)
    keys = [*node.args.get("partition_by", ()), node.args.get("order")]
    keys += [window for window in scope.expression.args.get("windows") or () if _is_window(node, window)]
    yield from ((key, WINDOW_KEY) for key in keys if key is not None)


def _using(scope: Scope, coalesce: exp.Coalesce) -> Iterator[Step]:
    """The one column that USING makes of several: that of the left side, unless the join keeps all of the right."""
    columns = [coalesce.this, *coalesce.expressions]
    sides = {join.side for join in scope.expression.args.get("joins") or ()}
    if "FULL" in sides:
        yield from ((column, CHANGED) for column in columns)
    else:
        yield (columns[-1] if "RIGHT" in sides else columns[0]), COPY


def _is_window(use: exp.Window, definition: exp.Expr) -> bool:
    name = use.args.get("alias") or use.args.get("over")
    return isinstance(name, exp.Identifier) and name.name.lower() == definition.name.lower()


def set_effect(query: exp.SetOperation) -> Flow:
    """Hive counts the rows of INTERSECT ALL and EXCEPT ALL by a table function."""
    counted = isinstance(query, (exp.Intersect, exp.Except)) and not query.args.get("distinct")
    return COUNTED_ROWS if counted else BRANCH
