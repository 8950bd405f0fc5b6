"""Which databases and tables a source reads: globs that are applied before anything is read."""

import re
from functools import cache
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field

from metadata_assets.model.table import TableName


def _checked(pattern: str) -> str:
    parts = pattern.strip().lower().split(".")
    if len(parts) > 2 or not all(parts):
        raise ValueError(f"pattern {pattern!r} has to be DATABASE or DATABASE.TABLE; * stands for any characters")
    return ".".join(parts)


Pattern = Annotated[str, AfterValidator(_checked)]


class NamePatterns(BaseModel, frozen=True, extra="forbid", hide_input_in_errors=True):
    """What `include` names and `exclude` does not. Without a dot, a database with all its tables."""

    include: tuple[Pattern, ...] = Field(("*",), description="Globs of databases or database.table to read.")
    exclude: tuple[Pattern, ...] = Field((), description="Globs to leave out of what `include` names.")

    def admits_database(self, database: str) -> bool:
        """Whether at least one table of the database may pass."""
        included = any(_matches(pattern.partition(".")[0], database) for pattern in self.include)
        return included and not any(_matches(pattern, database) for pattern in self.exclude if "." not in pattern)

    def admits_table(self, name: TableName) -> bool:
        return any(_covers(p, name) for p in self.include) and not any(_covers(p, name) for p in self.exclude)


def _covers(pattern: str, name: TableName) -> bool:
    database, dot, table = pattern.partition(".")
    return _matches(database, name.database) and (not dot or _matches(table, name.table))


def _matches(glob: str, name: str) -> bool:
    return _compiled(glob).fullmatch(name.lower()) is not None


@cache
def _compiled(glob: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, glob.split("*"))), re.DOTALL)
