"""Reads tables of a DDL folder one by one; trouble with one is its own answer."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from metadata_assets.isolation import guarded
from metadata_assets.model.table import ReadFailure, Table, TableName, TableRead, Vanished
from metadata_assets.sources.ddl.client import DdlFolder
from metadata_assets.sources.ddl.convert import to_table
from metadata_assets.sources.ddl.parser import parse_statement
from metadata_assets.sources.ddl.statement import Statement, StatementError
from metadata_assets.sources.ddl.views import ViewResolver, needs_query
from metadata_assets.sources.trees import FolderGone, UnreadableFile


class TableReader:
    """Made for one call: keeps listings, and the tables that queries of views name, until it is thrown away."""

    def __init__(self, folder: DdlFolder) -> None:
        self._folder = folder
        self._databases = folder.list_databases()
        self._files: dict[str, Mapping[str, Sequence[Path]]] = {}
        self._views = ViewResolver(self._load)

    def read(self, name: TableName) -> TableRead:
        found = self._read_file(name)
        if not isinstance(found, Table) or not needs_query(found):
            return found
        outcome = guarded(f"view {name}", lambda: self._views.resolve(found), quote=True)
        return ReadFailure(name, str(outcome.error)) if outcome.error is not None else outcome.unwrap()

    def _load(self, name: TableName) -> Table | None:
        found = self._read_file(name)
        return found if isinstance(found, Table) else None

    def _read_file(self, name: TableName) -> TableRead:
        paths = self._paths(name)
        if not paths:
            return Vanished(name)
        if len(paths) > 1:
            both = " and ".join(map(self._folder.locate, paths))
            return ReadFailure(name, f"{both} differ only by case and name the same table: remove one of them")
        try:
            file = self._folder.read_text(paths[0])
        except FileNotFoundError:
            return Vanished(name)
        except UnreadableFile as error:
            return ReadFailure(name, str(error))
        outcome = guarded(file.where, lambda: _to_table(name, file.text), quote=True)
        if isinstance(outcome.error, StatementError):
            return ReadFailure(name, f"{file.where}:{outcome.error.line}: {outcome.error.reason}")
        return ReadFailure(name, str(outcome.error)) if outcome.error is not None else outcome.unwrap()

    def _paths(self, name: TableName) -> Sequence[Path]:
        if name.database not in self._files:
            self._files[name.database] = self._list(name.database)
        return self._files[name.database].get(name.table, ())

    def _list(self, database: str) -> Mapping[str, Sequence[Path]]:
        try:
            return self._folder.list_tables(self._databases[database]) if database in self._databases else {}
        except FolderGone:
            return {}


def _to_table(name: TableName, text: str) -> Table:
    statement = parse_statement(text)
    _check_name(name, statement)
    return to_table(name, statement)


def _check_name(name: TableName, statement: Statement) -> None:
    """The place of a file is what names its table; a text of another table was saved under a wrong name.

    Raises:
        StatementError: the text names another table.
    """
    if statement.kind == "database":
        raise StatementError(statement.line, "expected CREATE TABLE or VIEW, found CREATE DATABASE")
    told = TableName.of(statement.database or name.database, statement.name)
    if told != name:
        raise StatementError(statement.line, f"it creates {told}, but lies where the file of {name} is expected")
