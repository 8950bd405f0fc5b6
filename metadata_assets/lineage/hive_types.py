"""Types of expressions as Hive and Spark give them, where sqlglot's own inference keeps to something simpler.

sqlglot takes the type of one operand for the result; the engines widen decimals by rules of their own. A wrong
precision in a catalog is worse than none, so a decimal for which there is no rule here stays unknown.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

_Decimal = tuple[int, int]  # precision, scale
_Rule = Callable[[exp.Expr], exp.DataType | None]
MAX_PRECISION = 38
_KEPT_SCALE = 6  # so many digits stay behind the point when a result has to be cut down
_INTEGERS: dict[exp.DType, _Decimal] = {
    exp.DType.TINYINT: (3, 0), exp.DType.SMALLINT: (5, 0), exp.DType.INT: (10, 0), exp.DType.BIGINT: (19, 0),
}  # fmt: skip
_TEXTS = (exp.DType.TEXT, exp.DType.VARCHAR, exp.DType.CHAR)
_UNKNOWN = exp.DType.UNKNOWN


def annotators(dialect: str) -> dict[type[exp.Expr], dict[str, Any]]:
    """The dialect's table of sqlglot's, with ours on top; a rule that gives None leaves it to sqlglot."""
    arithmetic = partial(_arithmetic, as_decimal=_as_spark_decimal if dialect == "spark" else _as_decimal)
    literal = _spark_literal if dialect == "spark" else _literal
    base: dict[type[exp.Expr], Any] = dict(Dialect.get_or_raise(dialect).EXPRESSION_METADATA)
    rules: dict[type[exp.Expr], _Rule] = {
        exp.Add: arithmetic(_add), exp.Sub: arithmetic(_add), exp.Mul: arithmetic(_multiply),
        exp.Div: arithmetic(_divide), exp.Mod: arithmetic(_modulo),
        exp.Sum: _sum, exp.Avg: _average, exp.Literal: literal, exp.Bracket: _element, exp.Round: _round,
        exp.Coalesce: _common_of_arguments, exp.Case: _common_of_branches, exp.If: _common_of_branches,
        exp.Greatest: _common_of_arguments, exp.Least: _common_of_arguments,
        exp.ArrayUniqueAgg: _array, exp.ArrayAgg: _array,
        **dict.fromkeys((exp.Year, exp.Month, exp.Day, exp.Hour, exp.Quarter), _integer),
        **dict.fromkeys((exp.Quantile, exp.ApproxQuantile), _quantile),
        **dict.fromkeys((exp.TsOrDsAdd, exp.DateAdd, exp.DateSub), _date),
    }  # fmt: skip
    return {**base, **{kind: {"annotator": _annotator(rule, base.get(kind))} for kind, rule in rules.items()}}


def _annotator(rule: _Rule, spec: Any) -> Callable[[Any, exp.Expr], Any]:
    def annotate(annotator: Any, expression: exp.Expr) -> Any:
        found = rule(expression)
        if found is not None or spec is None:
            return annotator._set_type(expression, found)
        if "annotator" in spec:
            return spec["annotator"](annotator, expression)
        return annotator._set_type(expression, spec["returns"])

    return annotate


def _arithmetic(
    rule: Callable[[_Decimal, _Decimal], _Decimal], as_decimal: Callable[[exp.Expr], _Decimal | None]
) -> _Rule:
    """For two operands of which at least one is a decimal and the other a whole number or a decimal."""

    def infer(expression: exp.Expr) -> exp.DataType | None:
        operands = (expression.this, expression.expression)
        if not any(operand.is_type(exp.DType.DECIMAL) for operand in operands):
            return None
        left, right = map(as_decimal, operands)
        if left is not None and right is not None:
            return _to_decimal(rule(left, right))
        approximate = (exp.DType.FLOAT, exp.DType.DOUBLE, *_TEXTS)
        return _build("double") if any(operand.is_type(*approximate) for operand in operands) else _build("unknown")

    return infer


def _add(left: _Decimal, right: _Decimal) -> _Decimal:
    scale = max(left[1], right[1])
    return max(left[0] - left[1], right[0] - right[1]) + scale + 1, scale


def _multiply(left: _Decimal, right: _Decimal) -> _Decimal:
    return left[0] + right[0] + 1, left[1] + right[1]


def _divide(left: _Decimal, right: _Decimal) -> _Decimal:
    scale = max(_KEPT_SCALE, left[1] + right[0] + 1)
    return left[0] - left[1] + right[1] + scale, scale


def _modulo(left: _Decimal, right: _Decimal) -> _Decimal:
    scale = max(left[1], right[1])
    return min(left[0] - left[1], right[0] - right[1]) + scale, scale


def _sum(expression: exp.Expr) -> exp.DataType | None:
    summed = _unwrapped(expression.this)
    if summed.is_type(*_INTEGERS):
        return _build("bigint")
    if summed.is_type(exp.DType.DECIMAL):
        found = _as_decimal(summed)
        return _build("unknown") if found is None else _exact(min(MAX_PRECISION, found[0] + 10), found[1])
    return _build("double") if summed.is_type(exp.DType.FLOAT, exp.DType.DOUBLE, *_TEXTS) else None


def _average(expression: exp.Expr) -> exp.DataType | None:
    averaged = _unwrapped(expression.this)
    if not averaged.is_type(exp.DType.DECIMAL):
        return None
    found = _as_decimal(averaged)
    if found is None:
        return _build("unknown")
    before = found[0] - found[1]
    scale = min(found[1] + 4, MAX_PRECISION - before)
    return _exact(min(MAX_PRECISION, before + scale), scale)


def _literal(expression: exp.Expr) -> exp.DataType | None:
    """Hive keeps no zeros at the end: `1.50` is a decimal(2,1). With an exponent it is a double."""
    return _literal_type(expression, expression.name.rstrip("0"))


def _spark_literal(expression: exp.Expr) -> exp.DataType | None:
    return _literal_type(expression, expression.name)


def _literal_type(expression: exp.Expr, digits: str) -> exp.DataType | None:
    before, point, after = digits.partition(".")
    if expression.args.get("is_string") or not point or not (before + after).isdecimal():
        return None
    return _exact(max(1, len(before.lstrip("0") + after)), len(after))


def _element(expression: exp.Expr) -> exp.DataType | None:
    """The value of a map; elements of arrays sqlglot knows."""
    container = expression.this.type
    if container is not None and container.is_type(exp.DType.MAP) and len(container.expressions) == 2:
        found = container.expressions[1]
        return found if isinstance(found, exp.DataType) else None
    return None


def _round(expression: exp.Expr) -> exp.DataType | None:
    """Engines and their versions differ for decimals."""
    return _build("unknown") if expression.this.is_type(exp.DType.DECIMAL) else None


def _array(expression: exp.Expr) -> exp.DataType | None:
    element = _unwrapped(expression.this).type
    if element is None or element.is_type(_UNKNOWN):
        return _build("unknown")
    return exp.DataType(this=exp.DType.ARRAY, expressions=[element.copy()], nested=True)


def _quantile(expression: exp.Expr) -> exp.DataType | None:
    several = isinstance(expression.args.get("quantile"), exp.Array)
    return _build("array<double>" if several else "double")


def _integer(_: exp.Expr) -> exp.DataType | None:
    return _build("int")


def _date(_: exp.Expr) -> exp.DataType | None:
    return _build("date")


def _common_of_arguments(expression: exp.Expr) -> exp.DataType | None:
    return _common([expression.this, *expression.expressions])


def _common_of_branches(expression: exp.Expr) -> exp.DataType | None:
    if isinstance(expression, exp.If):
        branches = [expression.args.get("true"), expression.args.get("false")]
    else:
        branches = [branch.args.get("true") for branch in expression.args.get("ifs") or ()]
        branches.append(expression.args.get("default"))
    return _common([branch for branch in branches if branch is not None])


def _common(values: Sequence[exp.Expr]) -> exp.DataType | None:
    """The type that all values fit in; NULL fits in any."""
    typed = [value for value in values if not isinstance(value, exp.Null)]
    if not typed or any(value.type is None or value.is_type(_UNKNOWN) for value in typed):
        return None
    if len({value.type for value in typed}) == 1:
        return typed[0].type
    if any(value.is_type(exp.DType.DECIMAL) for value in typed):
        return _common_decimal(map(_as_decimal, typed), typed)
    if all(value.is_type(*_INTEGERS) for value in typed):
        return max((value.type for value in typed if value.type is not None), key=lambda found: _INTEGERS[_base(found)])
    return _build("string") if all(value.is_type(*_TEXTS) for value in typed) else None


def _common_decimal(decimals: Iterable[_Decimal | None], typed: Sequence[exp.Expr]) -> exp.DataType:
    known = [found for found in decimals if found is not None]
    if len(known) == len(typed):
        scale = max(found[1] for found in known)
        return _to_decimal((max(found[0] - found[1] for found in known) + scale, scale))
    inexact = any(value.is_type(exp.DType.FLOAT, exp.DType.DOUBLE) for value in typed)
    return _build("double" if inexact else "unknown")


def _base(data_type: exp.DataType) -> exp.DType:
    found = data_type.this
    return found if isinstance(found, exp.DType) else _UNKNOWN


def _unwrapped(expression: exp.Expr) -> exp.Expr:
    """What is aggregated: `DISTINCT x` is x."""
    if isinstance(expression, exp.Distinct) and len(expression.expressions) == 1:
        inner = expression.expressions[0]
        return inner if isinstance(inner, exp.Expr) else expression
    return expression


def _as_decimal(expression: exp.Expr) -> _Decimal | None:
    data_type = expression.type
    if data_type is None:
        return None
    if not data_type.is_type(exp.DType.DECIMAL):
        return _INTEGERS.get(_base(data_type))
    given = [int(parameter.name) for parameter in data_type.expressions if parameter.name.isdecimal()]
    return (given[0], given[1] if len(given) > 1 else 0) if given else (10, 0)


def _as_spark_decimal(expression: exp.Expr) -> _Decimal | None:
    """Spark counts the digits of a whole number in the query, and needs one more than Hive for a bigint."""
    if isinstance(expression, exp.Literal) and expression.name.isdecimal():
        return len(expression.name), 0
    return (20, 0) if expression.is_type(exp.DType.BIGINT) else _as_decimal(expression)


def _to_decimal(wanted: _Decimal) -> exp.DataType:
    """What does not fit in 38 digits loses digits behind the point first, down to six."""
    precision, scale = wanted
    if precision > MAX_PRECISION:
        scale = max(MAX_PRECISION - (precision - scale), min(scale, _KEPT_SCALE))
    return _exact(min(precision, MAX_PRECISION), scale)


def _exact(precision: int, scale: int) -> exp.DataType:
    return _build(f"decimal({precision},{scale})")


def _build(text: str) -> exp.DataType:
    return exp.DataType.build(text, dialect="hive")
