"""Patterns over the names of databases, tables and columns, read in the same way wherever people write them.

`*` stands for any characters, dots and none at all included, and `?` for exactly one. All else stands for itself,
brackets too: nested columns have them (`items[].price`). Letter case never counts.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache

from metadata_assets.errors import SelectionError
from metadata_assets.model.table import TableName

_REMEMBERED = 10_000
_WILD = {"*": ".*", "?": "."}


@lru_cache(_REMEMBERED)
def _compiled(glob: str) -> re.Pattern[str]:
    return re.compile("".join(_WILD.get(char) or re.escape(char) for char in glob.lower()), re.DOTALL)


def _matches(glob: str | None, name: str) -> bool:
    return glob is None or _compiled(glob).fullmatch(name.lower()) is not None


@dataclass(frozen=True, slots=True)
class NamePattern:
    """`database`, `database.table` or `database.table.column`, each part a glob. A part that is not there is any."""

    database: str
    table: str | None = None
    column: str | None = None

    @staticmethod
    @lru_cache(_REMEMBERED)
    def parse(text: str) -> "NamePattern":
        """Read a pattern. The third part may hold dots: those of nested fields.

        Raises:
            ValueError: a part is empty.
        """
        parts = text.strip().lower().split(".", 2)
        if not all(parts):
            raise ValueError(f"{text!r} is not a pattern of the form database, database.table or database.table.column")
        return NamePattern(*parts)

    def matches_database(self, name: str) -> bool:
        """Whether the database may hold something that the pattern names."""
        return _matches(self.database, name)

    def matches_table(self, table: TableName) -> bool:
        """Whether the pattern names the table, or may name columns of it."""
        return _matches(self.database, table.database) and _matches(self.table, table.table)

    def columns_among(self, table: TableName, columns: Iterable[str]) -> list[str]:
        """Those columns of the table that the pattern names; none where it names databases or tables."""
        if self.column is None or not self.matches_table(table):
            return []
        return [c for c in columns if _matches(self.column, c)]

    def __str__(self) -> str:
        return ".".join(part for part in (self.database, self.table, self.column) if part is not None)


@dataclass(frozen=True, slots=True)
class Selection:
    """Tables that somebody chose: those that a wanted pattern names, or all where there is none, less the unwanted."""

    wanted: tuple[NamePattern, ...] = ()
    unwanted: tuple[NamePattern, ...] = ()

    @staticmethod
    @lru_cache(_REMEMBERED)
    def parse(patterns: tuple[str, ...]) -> "Selection":
        """Read patterns of databases and tables; `!` before one leaves out what it names.

        Raises:
            SelectionError: a pattern has an empty part or more than two.
        """
        parsed = [(p.startswith("!"), _table_pattern(p)) for p in patterns]
        return Selection(tuple(p for no, p in parsed if not no), tuple(p for no, p in parsed if no))

    def holds(self, table: TableName) -> bool:
        if any(p.matches_table(table) for p in self.unwanted):
            return False
        return not self.wanted or any(p.matches_table(table) for p in self.wanted)

    def idle(self, tables: Collection[TableName]) -> list[NamePattern]:
        """The wanted patterns that name none of these tables."""
        return [p for p in self.wanted if not any(map(p.matches_table, tables))]

    def may_hold_of(self, database: str) -> bool:
        """Whether a table of the database may be chosen."""
        return not self.wanted or any(p.matches_database(database) for p in self.wanted)


def _table_pattern(text: str) -> NamePattern:
    hint = f"{text!r} is no selection: write db, db.table or a glob such as 'raw.*'"
    try:
        pattern = NamePattern.parse(text.removeprefix("!"))
    except ValueError as error:
        raise SelectionError(hint) from error
    if pattern.column is not None:
        raise SelectionError(hint)
    return pattern
