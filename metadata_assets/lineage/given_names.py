"""What the engines call a column that the text gives no name."""

from itertools import islice

from sqlglot import exp

_SPARK = ("spark", "spark2", "databricks")
# Parts of an expression above which nobody refers to it by its text, and writing it so takes ever longer.
_LONG = 500
_BY_POSITION = {"hive": "_c", "trino": "_col", "presto": "_col", "athena": "_col"}


def has_name(column: exp.Expr) -> bool:
    """An alias, a column or a field; in Hive and Spark the cast of a column too."""
    named = column.this if isinstance(column, exp.Cast) else column
    return isinstance(named, (exp.Alias, exp.Column, exp.Dot, exp.Subquery, exp.Aliases)) and bool(column.output_name)


def given_name(column: exp.Expr, position: int, windows: int, dialect: str) -> str:
    """The name of the column at a position from 0, of which `windows` window functions stand up to here."""
    if dialect == "hive" and isinstance(column, exp.Window):
        function = column.this.sql(dialect="hive").partition("(")[0].lower()
        return f"{function}_window_{windows - 1}"
    if dialect in _BY_POSITION:
        return f"{_BY_POSITION[dialect]}{position}"
    if dialect in _SPARK and not _is_long(column):
        column = column.copy().transform(_as_spark_shows, copy=False)
    return column.sql(dialect=dialect, comments=False).lower()


def _is_long(column: exp.Expr) -> bool:
    return next(islice(column.walk(), _LONG, None), None) is not None


def _as_spark_shows(node: exp.Expr) -> exp.Expr:
    """Spark names a column by its expression, with operators in parentheses, without quotes and names of tables."""
    if isinstance(node, exp.Paren):
        inner: exp.Expr = node.this.transform(_as_spark_shows, copy=False)
        return inner
    if isinstance(node, exp.Literal) and node.is_string:
        return exp.Var(this=node.name)
    if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star):
        return exp.Var(this=node.name)
    if isinstance(node, exp.Count) and isinstance(node.this, exp.Star):
        return exp.Count(this=exp.Literal.number(1))
    if isinstance(node, exp.Subquery):
        return exp.Anonymous(this="scalarsubquery")
    if isinstance(node, (exp.Binary, exp.In, exp.Between)) and not isinstance(node, exp.Dot):
        return _in_parentheses(node)
    return node


def _in_parentheses(node: exp.Expr) -> exp.Expr:
    for child in list(node.iter_expressions()):
        child.replace(child.transform(_as_spark_shows, copy=False))
    return exp.Var(this=f"({node.sql(dialect='spark', comments=False)})")
