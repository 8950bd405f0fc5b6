"""Where data comes from: edges between columns and tables, and what became of each statement."""

from dataclasses import dataclass
from typing import Literal, get_args

from metadata_assets.model.table import TableName

# Hive's and Atlas's three kinds of dependency.
EdgeKind = Literal["SIMPLE", "EXPRESSION", "SCRIPT"]
# OpenLineage's subtypes (column lineage facet 1-2-0): what happens to the value on the way, or, where the value itself
# never arrives, what it decides.
DirectSubtype = Literal["IDENTITY", "TRANSFORMATION", "AGGREGATION"]
IndirectSubtype = Literal["JOIN", "FILTER", "GROUP_BY", "SORT", "WINDOW", "CONDITIONAL"]
Subtype = DirectSubtype | IndirectSubtype
EdgeType = Literal["DIRECT", "INDIRECT"]
# The same in one word, as specs declare it and people read it.
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


# What a bare query gives goes into no table.
QUERY_RESULT = TableName("", "")
_INDIRECT: frozenset[str] = frozenset(get_args(IndirectSubtype))
_OF_TRANSFORM: dict[Transform, tuple[Subtype, bool]] = {
    "identity": ("IDENTITY", False),
    "transformation": ("TRANSFORMATION", False),
    "aggregation": ("AGGREGATION", False),
    "masking": ("TRANSFORMATION", True),
    "indirect": ("FILTER", False),
}


@dataclass(frozen=True, slots=True, order=True)
class ColumnEdge:
    """A column that another one is made of, by Hive's kind and by OpenLineage's subtype; both views are kept.

    Hive counts the condition of a CASE and the keys of a window among what a column is made of, OpenLineage does not:
    such an edge has an indirect subtype. `masking`: the value cannot be read any more in the target.
    """

    source: ColumnRef
    target: ColumnRef
    kind: EdgeKind = "SIMPLE"
    subtype: Subtype = "IDENTITY"
    masking: bool = False

    @staticmethod
    def declared(source: ColumnRef, target: ColumnRef, transform: Transform) -> "ColumnEdge":
        kind: EdgeKind = "SIMPLE" if transform == "identity" else "EXPRESSION"
        return ColumnEdge(source, target, kind, *_OF_TRANSFORM[transform])

    @property
    def type(self) -> EdgeType:
        return edge_type(self.subtype)

    @property
    def transform(self) -> Transform:
        if self.subtype in _INDIRECT:
            return "indirect"
        if self.masking and self.subtype != "AGGREGATION":
            return "masking"
        return next(word for word, (subtype, _) in _OF_TRANSFORM.items() if subtype == self.subtype)


@dataclass(frozen=True, slots=True, order=True)
class IndirectEdge:
    """A column whose value decides which rows arrive in a table, or which values in one of its columns.

    `column` is empty where it is rows that it decides about.
    """

    source: ColumnRef
    target: TableName
    column: str
    subtype: IndirectSubtype
    masking: bool = False


def edge_type(subtype: Subtype) -> EdgeType:
    return "INDIRECT" if subtype in _INDIRECT else "DIRECT"


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
    indirect: tuple[IndirectEdge, ...] = ()

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
