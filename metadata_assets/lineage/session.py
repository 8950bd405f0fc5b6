"""What a script said so far: its database, variables, and the tables and views that it made."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from metadata_assets.lineage.flows import Traced
from metadata_assets.lineage.tables import table_name
from metadata_assets.lineage.variables import Variables
from metadata_assets.model.table import Column, Table, TableName

# No table can be called so: temporary ones are followed, never shown.
TEMPORARY_DB = "temporary in this script"


@dataclass(slots=True)
class Temporary:
    """A temporary table or view, a cached query: its columns with what they come from."""

    database: str
    columns: dict[str, Traced] = field(default_factory=dict)
    inputs: frozenset[TableName] = frozenset()
    of_files: bool = False  # it reads files: its columns are not known, and come from no table

    @property
    def is_known(self) -> bool:
        """Whether these are all of its columns."""
        return bool(self.columns) and not {"", "*"} & self.columns.keys()

    def add(self, columns: Iterable[tuple[str, Traced]], inputs: frozenset[TableName]) -> None:
        """Rows that come on top of those that are there."""
        for name, traced in columns:
            self.columns[name] = Traced.joined([self.columns.get(name, Traced()), traced])
        self.inputs |= inputs


class Session:
    """The state of one script; it is the catalog for the tracer."""

    def __init__(self, known: Mapping[TableName, Table], database: str) -> None:
        self.database = database
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
            self._seen[table] = _named(known.all_columns) if known is not None else {}
        return self._seen[table] or None

    def follow(self, table: TableName, column: str) -> Traced | None:
        if table.database != TEMPORARY_DB:
            return None
        temporary = self._temporary[table.table]
        if column in temporary.columns or temporary.of_files:
            return temporary.columns.get(column, Traced())
        if not temporary.is_known:
            return Traced.trouble(f"{column}: {table.table} takes all columns of something that is not known")
        return Traced.trouble(f"{column}: {table.table}, which this script makes, has no such column")

    def type_of(self, table: TableName, column: str) -> str:
        """Empty where it is not known."""
        return (self.columns_of(table) or {}).get(column, "")

    def temporary(self, table: TableName) -> Temporary | None:
        return self._temporary.get(table.table) if table.database == TEMPORARY_DB else None

    def make_temporary(self, parts: Sequence[str], columns: Mapping[str, Traced], inputs: frozenset[TableName]) -> None:
        database = parts[-2].lower() if len(parts) > 1 else self.database
        self._temporary[parts[-1].lower()] = Temporary(database, dict(columns), inputs, of_files=not columns)

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

    def real(self, tables: Iterable[TableName]) -> frozenset[TableName]:
        """The tables of the lake that these stand for."""
        found: set[TableName] = set()
        for table in tables:
            temporary = self.temporary(table)
            found |= temporary.inputs if temporary is not None else {table}
        return frozenset(found)


def _named(columns: Iterable[Column]) -> dict[str, str]:
    return {column.name.lower(): column.type_text for column in columns}
