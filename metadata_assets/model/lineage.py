"""Where data comes from: edges between columns and tables, and what became of each statement."""

from dataclasses import dataclass
from typing import Literal

from metadata_assets.model.table import TableName

# Hive's and Atlas's three kinds of dependency.
EdgeKind = Literal["SIMPLE", "EXPRESSION", "SCRIPT"]
# OpenLineage's words for what happens to the value on the way.
Transform = Literal["identity", "transformation", "aggregation", "masking", "indirect"]
StatementStatus = Literal["lineage", "no_lineage", "table_only", "unresolved", "unparsed", "timeout"]


@dataclass(frozen=True, slots=True, order=True)
class ColumnRef:
    table: TableName
    column: str

    def __str__(self) -> str:
        return f"{self.table}.{self.column}"

    @staticmethod
    def parse(text: str) -> "ColumnRef":
        """Read `database.table.column`; the column may itself be a nested path.

        Raises:
            ValueError: fewer than three parts.
        """
        parts = text.strip().lower().split(".", 2)
        if len(parts) < 3 or not all(parts):
            raise ValueError(f"{text!r} is not a column name of the form database.table.column")
        return ColumnRef(TableName(parts[0], parts[1]), parts[2])


@dataclass(frozen=True, slots=True, order=True)
class ColumnEdge:
    source: ColumnRef
    target: ColumnRef
    kind: EdgeKind = "SIMPLE"
    transform: Transform = "identity"


_VIEW_PREFIX = "view:"


def view_script(view: TableName) -> str:
    """What the script is called that is the query of a view, where job files are called by their paths."""
    return f"{_VIEW_PREFIX}{view}"


def view_of(script: str) -> TableName | None:
    """The view whose query a script is; None for a job file."""
    return TableName.of_text(script.removeprefix(_VIEW_PREFIX)) if script.startswith(_VIEW_PREFIX) else None


@dataclass(frozen=True, slots=True)
class StatementPlace:
    """Where a statement was read: a job file, a view (`view:db.table`) or a spec; lines count from 1."""

    file: str
    line: int
    index: int  # position of the statement in its file, from 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class StatementLineage:
    """One statement and what is known of it. `reason` is set for every status but `lineage`."""

    place: StatementPlace
    status: StatementStatus
    verb: str  # INSERT, CREATE VIEW, MERGE …
    inputs: tuple[TableName, ...] = ()
    outputs: tuple[TableName, ...] = ()
    columns: tuple[ColumnEdge, ...] = ()
    unresolved: tuple[str, ...] = ()  # columns that could not be traced, in the statement's own words
    reason: str = ""

    @property
    def job(self) -> str:
        """The name that people know: the file without its ending, or `view:db.table`."""
        if view_of(self.place.file) is not None:
            return self.place.file
        folder, slash, name = self.place.file.rpartition("/")
        return folder + slash + (name.rpartition(".")[0] or name)

    @property
    def tables(self) -> frozenset[TableName]:
        return frozenset(self.inputs) | frozenset(self.outputs)


@dataclass(frozen=True, slots=True)
class Script:
    """All statements of one job file or view text: none is left out, so their number is the number found."""

    statements: tuple[StatementLineage, ...] = ()
