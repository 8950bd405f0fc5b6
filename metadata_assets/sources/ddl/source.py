"""A folder of DDL texts as a source: everything listed ends as exactly one table, failure or vanished name."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from metadata_assets.errors import Permanent
from metadata_assets.model.counts import first_of
from metadata_assets.model.table import Database, ReadFailure, TableName, TableRead
from metadata_assets.sources.base import Overlooked
from metadata_assets.sources.ddl.client import DdlFolder
from metadata_assets.sources.ddl.convert import to_database
from metadata_assets.sources.ddl.parser import parse_statement
from metadata_assets.sources.ddl.reader import TableReader
from metadata_assets.sources.ddl.statement import StatementError
from metadata_assets.sources.patterns import NamePatterns


class DdlSource:
    """Reads what is in the folder at the time of the call; nothing is kept from one call to the next."""

    def __init__(self, folder: DdlFolder, patterns: NamePatterns) -> None:
        self._folder = folder
        self._patterns = patterns

    def read_databases(self) -> Sequence[Database]:
        """The databases that the patterns let through.

        Raises:
            Permanent: the text of one cannot be read; without it the database would look as if it had no comment.
        """
        folders = self._folder.list_databases()
        return [self._read_database(n, folders[n]) for n in self._admitted(folders)]

    def read_database_names(self) -> Sequence[str]:
        return self._admitted(self._folder.list_databases())

    def _admitted(self, names: Iterable[str]) -> list[str]:
        return sorted(n for n in names if self._patterns.admits_database(n))

    def read_table_names(self, database: str) -> Sequence[TableName]:
        """All names that the patterns let through, by the names of the files.

        Raises:
            Permanent: there is no such database.
        """
        database = database.lower()
        if not self._patterns.admits_database(database):
            return []
        folder = self._folder.list_databases().get(database)
        if folder is None:
            raise Permanent(f"{self._folder.locate(self._folder.root)}: there is no folder for database {database}")
        names = sorted(TableName(database, table) for table in self._folder.list_tables(folder))
        return [name for name in names if self._patterns.admits_table(name)]

    def read_tables(self, names: Sequence[TableName]) -> Iterator[TableRead]:
        reader = TableReader(self._folder)
        for name in sorted(set(names)):
            if self._patterns.admits_table(name):
                yield reader.read(name)
            else:
                yield ReadFailure(name, "left out by `metastore: databases`, so not read")

    def read_overlooked(self) -> Overlooked:
        folder = self._folder
        found: dict[str, list[str]] = {}
        for reason, path in folder.list_overlooked():
            found.setdefault(reason, []).append(folder.locate(path))
        left_out = [str(n) for n in self._left_out()]
        expected = f"expected are files {folder.locate(folder.root)}/<database>/<table>.sql"
        if left_out:
            expected += f"; `metastore: databases` leaves out {first_of(left_out)}"
        return Overlooked(found, expected)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is held open."""

    def _left_out(self) -> Iterator[str | TableName]:
        """Databases, and tables of others, that the patterns do not let through."""
        for database, path in sorted(self._folder.list_databases().items()):
            if not self._patterns.admits_database(database):
                yield database
                continue
            names = (TableName(database, table) for table in sorted(self._folder.list_tables(path)))
            yield from (name for name in names if not self._patterns.admits_table(name))

    def _read_database(self, name: str, folder: Path) -> Database:
        path = self._folder.find_database_file(folder)
        if path is None:
            return Database(name)
        try:
            file = self._folder.read_text(path)
        except FileNotFoundError:
            return Database(name)
        try:
            statement = parse_statement(file.text)
        except StatementError as error:
            raise Permanent(f"{file.where}:{error.line}: {error.reason}") from error
        if (statement.kind, statement.name.lower()) != ("database", name):
            raise Permanent(f"{file.where}:{statement.line}: expected CREATE DATABASE {name}, as the folder is named")
        return to_database(name, statement)
