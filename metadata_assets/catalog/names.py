"""Patterns over table and column names: two parts name tables, three parts name columns; letter case never counts."""

from collections.abc import Iterable
from fnmatch import fnmatchcase

from metadata_assets.model.table import TableName


def matches_table(pattern: str, table: TableName) -> bool:
    """Whether `db`, `db.table` or a glob of either names the table."""
    database, dot, name = pattern.lower().partition(".")
    return fnmatchcase(table.database, database) and (not dot or fnmatchcase(table.table, name))


def matches_column(pattern: str, table: TableName, column: str) -> bool:
    """Whether a pattern of three parts names the column; the third part may hold dots of nested fields."""
    parts = pattern.lower().split(".", 2)
    return (
        len(parts) == 3
        and fnmatchcase(table.database, parts[0])
        and fnmatchcase(table.table, parts[1])
        and fnmatchcase(column.lower(), parts[2])
    )


def is_selected(patterns: Iterable[str], table: TableName) -> bool:
    """Whether a selection holds the table: any pattern without `!` matches (or there is none), and none with `!`."""
    wanted = [p for p in patterns if not p.startswith("!")]
    unwanted = [p[1:] for p in patterns if p.startswith("!")]
    if any(matches_table(p, table) for p in unwanted):
        return False
    return not wanted or any(matches_table(p, table) for p in wanted)
