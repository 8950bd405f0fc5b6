"""Patterns over table and column names: two parts name tables, three parts name columns; letter case never counts."""

import re
from collections.abc import Iterable
from functools import lru_cache

from metadata_assets.model.table import TableName


@lru_cache(maxsize=10_000)
def _compiled(pattern: str) -> re.Pattern[str]:
    """`*` and `?` alone mean something: brackets are literal, because nested columns have them (`items[].price`)."""
    parts = (".*" if char == "*" else "." if char == "?" else re.escape(char) for char in pattern)
    return re.compile("".join(parts), re.DOTALL)


def _glob(pattern: str, name: str) -> bool:
    return _compiled(pattern).fullmatch(name) is not None


def matches_table(pattern: str, table: TableName) -> bool:
    """Whether `db`, `db.table` or a glob of either names the table."""
    database, dot, name = pattern.lower().partition(".")
    return _glob(database, table.database) and (not dot or _glob(name, table.table))


def matches_column(pattern: str, table: TableName, column: str) -> bool:
    """Whether a pattern of three parts names the column; the third part may hold dots of nested fields."""
    return bool(columns_matching(pattern, table, [column]))


def columns_matching(pattern: str, table: TableName, columns: Iterable[str]) -> list[str]:
    """Those columns of the table that a pattern of three parts names."""
    parts = pattern.lower().split(".", 2)
    if len(parts) != 3 or not _glob(parts[0], table.database) or not _glob(parts[1], table.table):
        return []
    named = _compiled(parts[2]).fullmatch
    return [c for c in columns if named(c.lower())]


def is_selected(patterns: Iterable[str], table: TableName) -> bool:
    """Whether a selection holds the table: any pattern without `!` matches (or there is none), and none with `!`."""
    wanted = [p for p in patterns if not p.startswith("!")]
    unwanted = [p[1:] for p in patterns if p.startswith("!")]
    if any(matches_table(p, table) for p in unwanted):
        return False
    return not wanted or any(matches_table(p, table) for p in wanted)
