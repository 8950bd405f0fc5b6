"""What a script said so far: its database, variables, and the tables and views that it made."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from metadata_assets.lineage.flows import RowCondition, Traced
from metadata_assets.lineage.tables import table_name
from metadata_assets.lineage.variables import Variables
from metadata_assets.model.table import Column, Table, TableName

# No table can be called so: temporary ones are followed, never shown.
TEMPORARY_DB = "temporary in this script"


@dataclass(slots=True)
class Temporary:
    """A temporary table or view, a cached query, a view that is read through: its columns with what they come from, and
    what decides about its rows."""

    database: str = ""
    columns: dict[str, Traced] = field(default_factory=dict)
    inputs: frozenset[TableName] = frozenset()
    of_files: bool = False  # it reads files: its columns are not known, and come from no table
    rows: frozenset[RowCondition] = frozenset()

    @property
    def is_known(self) -> bool:
        """Whether these are all of its columns."""
        return bool(self.columns) and not {"", "*"} & self.columns.keys()

    def add(self, other: "Temporary") -> None:
        """Rows that come on top of those that are there."""
        for name, traced in other.columns.items():
            self.columns[name] = Traced.joined([self.columns.get(name, Traced()), traced])
        self.inputs |= other.inputs
        self.rows |= other.rows


class Views:
    """Views by their queries, each traced once and when it is named. `expand`: lineage does not stop at them."""

    def __init__(
        self,
        texts: Mapping[TableName, str] = MappingProxyType({}),
        trace: Callable[[TableName, str], Temporary] | None = None,
        *,
        expand: bool = False,
    ) -> None:
        self._texts = texts
        self._trace = trace
        self._expand = expand
        self._traced: dict[TableName, Temporary | None] = {}

    def traced(self, view: TableName) -> Temporary | None:
        """None for what is no view, and for a view that is asked for by its own query."""
        if view not in self._texts or self._trace is None:
            return None
        if view not in self._traced:
            self._traced[view] = None
            self._traced[view] = self._trace(view, self._texts[view])
        return self._traced[view]

    def expanded(self, view: TableName) -> Temporary | None:
        return self.traced(view) if self._expand else None


class Session:
    """The state of one script; it is the catalog for the tracer."""

    def __init__(self, known: Mapping[TableName, Table], database: str) -> None:
        self.database = database
        self.views = Views()
        self.of_lake = True  # so that each table has a database
        self.variables = Variables()
        self.renames: list[tuple[int, TableName, TableName]] = []
        self._known = known
        self._made: dict[TableName, dict[str, str]] = {}
        self._seen: dict[TableName, dict[str, str]] = {}
        self._temporary: dict[str, Temporary] = {}

    def complete(self, parts: Sequence[str]) -> TableName:
        """The full name of a table; the script's own temporary tables go before those of the lake."""
        parts = [part.lower() for part in parts]
        temporary = self._temporary.get(parts[-1])
        if temporary is not None and (len(parts) == 1 or parts[-2] in (temporary.database, "global_temp")):
            return TableName(TEMPORARY_DB, parts[-1])
        return table_name(parts, self.database)

    def columns_of(self, table: TableName) -> Mapping[str, str] | None:
        if (temporary := self.temporary(table)) is not None:
            return dict.fromkeys(temporary.columns, "") if temporary.is_known else None
        if table in self._made:
            return self._made[table]
        if table not in self._seen:
            known = self._known.get(table)
            self._seen[table] = _named(known.all_columns) if known is not None else self._columns_of_view(table)
        return self._seen[table] or None

    def _columns_of_view(self, table: TableName) -> dict[str, str]:
        view = self.views.traced(table)
        return dict.fromkeys(view.columns, "") if view is not None and view.is_known else {}

    def follow(self, table: TableName, column: str) -> Traced | None:
        temporary = self._read_through(table)
        if temporary is None:
            return None
        if column in temporary.columns or temporary.of_files:
            return temporary.columns.get(column, Traced())
        if not temporary.is_known:
            why = temporary.columns.get("*", Traced()).troubles or {
                "it takes all columns of something that is not known"
            }
            return Traced.trouble(f"{column}: of {table.table}: {'; '.join(sorted(why))}")
        return Traced.trouble(f"{column}: {table.table}, which this script makes, has no such column")

    def conditions_of(self, table: TableName) -> frozenset[RowCondition]:
        temporary = self._read_through(table)
        return temporary.rows if temporary is not None else frozenset()

    def _read_through(self, table: TableName) -> Temporary | None:
        """What stands behind a table that is not the end of the way."""
        return self.temporary(table) or self.views.expanded(table)

    def type_of(self, table: TableName, column: str) -> str:
        """Empty where it is not known."""
        return (self.columns_of(table) or {}).get(column, "")

    def temporary(self, table: TableName) -> Temporary | None:
        return self._temporary.get(table.table) if table.database == TEMPORARY_DB else None

    def make_temporary(self, parts: Sequence[str], made: Temporary) -> None:
        made.database = parts[-2].lower() if len(parts) > 1 else self.database
        self._temporary[parts[-1].lower()] = made

    def make(self, table: TableName, names: Sequence[str]) -> None:
        """A table that a query filled: its columns are the query's, with the types that the lake knows."""
        if not {"", "*"} & set(names):
            self._made[table] = {name: self.type_of(table, name) for name in names}

    def define(self, table: TableName, columns: Sequence[Column]) -> None:
        """A table with columns as written; what the lake knows of it is nearer the truth."""
        if columns and self.columns_of(table) is None:
            self._made[table] = _named(columns)

    def drop(self, parts: Sequence[str]) -> None:
        table = self.complete(parts)
        if table.database == TEMPORARY_DB:
            del self._temporary[table.table]

    def rename(self, index: int, parts: Sequence[str], new_parts: Sequence[str]) -> None:
        """Statements before `index` filled what has the new name now."""
        old = self.complete(parts)
        if old.database == TEMPORARY_DB:
            self._temporary[new_parts[-1].lower()] = self._temporary.pop(old.table)
            return
        new = table_name(new_parts if len(new_parts) > 1 else [old.database, *new_parts], self.database)
        if old in self._made:
            self._made[new] = self._made.pop(old)
        self.renames.append((index, old, new))

    def is_whole(self, table: TableName) -> bool:
        """Whether all of the name is known."""
        return self.variables.unset_in(str(table)) is None and bool(table.database or not self.of_lake)

    def real(self, tables: Iterable[TableName]) -> frozenset[TableName]:
        """The tables of the lake that these stand for."""
        found: set[TableName] = set()
        for table in tables:
            temporary = self._read_through(table)
            found |= temporary.inputs if temporary is not None else {table}
        return frozenset(found)


def _named(columns: Iterable[Column]) -> dict[str, str]:
    return {column.name.lower(): column.type_text for column in columns}
