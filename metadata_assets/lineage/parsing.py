"""The one place that calls the parser: its warnings become reasons, its errors outcomes."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from sqlglot import exp, parse_one

from metadata_assets.errors import ForeignCodeError
from metadata_assets.isolation import Outcome, guarded

_LOGGER = logging.getLogger("sqlglot")


class _Collector(logging.Filter):
    """Keeps what the parser would have logged, and lets none of it through."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def filter(self, record: logging.LogRecord) -> bool:
        self.messages.append(record.getMessage())
        return False


@contextmanager
def quiet() -> Iterator[list[str]]:
    """What the parser logs within goes into the list."""
    collector = _Collector()
    _LOGGER.addFilter(collector)
    try:
        yield collector.messages
    finally:
        _LOGGER.removeFilter(collector)


def parse_query(sql: str, dialect: str) -> Outcome[exp.Query]:
    """Parse a text that must be a query: whatever else the parser makes of it is an error."""
    return guarded("the query", lambda: _query(sql, dialect), quote=True)


def parse_tree(sql: str, dialect: str, kind: type[exp.Expr]) -> Outcome[exp.Expr]:
    """Parse a statement that must come out as this kind."""
    return guarded("the statement", lambda: _tree(sql, dialect, kind), quote=True)


def _query(sql: str, dialect: str) -> exp.Query:
    tree = parse_one(sql, read=dialect)
    while isinstance(tree, (exp.Subquery, exp.Paren)) and not tree.args.get("with_") and not tree.args.get("alias"):
        tree = tree.this
    if isinstance(tree, exp.Values):
        tree = exp.select("*").from_(tree)
    if not isinstance(tree, exp.Query) or isinstance(tree, exp.Table):
        raise ForeignCodeError(f"the parser read {type(tree).__name__} where a query must stand")
    if not tree.selects:
        raise ForeignCodeError("the query has no columns")
    return tree


def _tree(sql: str, dialect: str, kind: type[exp.Expr]) -> exp.Expr:
    tree = parse_one(sql, read=dialect)
    if not isinstance(tree, kind):
        raise ForeignCodeError(f"the parser read {type(tree).__name__} where {kind.__name__.upper()} must stand")
    return tree
