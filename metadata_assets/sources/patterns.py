"""Which databases and tables a source reads: globs that are applied before anything is read."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field

from metadata_assets.model.pattern import NamePattern
from metadata_assets.model.table import TableName


def _checked(pattern: str) -> str:
    parts = pattern.strip().lower().split(".")
    if len(parts) > 2 or not all(parts):
        raise ValueError(f"pattern {pattern!r} has to be DATABASE or DATABASE.TABLE; * and ? are wild")
    return ".".join(parts)


Pattern = Annotated[str, AfterValidator(_checked)]


class NamePatterns(BaseModel, frozen=True, extra="forbid", hide_input_in_errors=True):
    """What `include` names and `exclude` does not. Without a dot, a database with all its tables."""

    include: tuple[Pattern, ...] = Field(("*",), description="Globs (* and ?) of databases or database.table to read.")
    exclude: tuple[Pattern, ...] = Field((), description="Globs to leave out of what `include` names.")

    def admits_database(self, database: str) -> bool:
        """Whether at least one table of the database may pass."""
        excluded = any(p.table is None and p.matches_database(database) for p in map(NamePattern.parse, self.exclude))
        return not excluded and any(NamePattern.parse(p).matches_database(database) for p in self.include)

    def admits_table(self, name: TableName) -> bool:
        excluded = any(NamePattern.parse(p).matches_table(name) for p in self.exclude)
        return not excluded and any(NamePattern.parse(p).matches_table(name) for p in self.include)
