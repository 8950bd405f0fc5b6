"""A Hive metastore as a source: everything listed ends as exactly one table, failure or vanished name."""

import time
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import groupby
from types import TracebackType
from typing import Any, Self

from metadata_assets.errors import Permanent, Transient, Unreachable
from metadata_assets.isolation import guarded
from metadata_assets.model.table import Database, ReadFailure, Table, TableName, TableRead, Vanished
from metadata_assets.sources.hive.client import HiveClient, NotThere, UnknownCall
from metadata_assets.sources.patterns import NamePatterns
from metadata_assets.sources.structures import to_database, to_table

GROWTH = 4  # a batch may grow to so many times its configured size
QUICK_SHARE = 0.05  # of the time limit: a call that took less may ask for more the next time
PROBE_AFTER = 10  # single tables that failed one after the other: is it still them, or the metastore?


class HiveMetastore:
    """Reads over one connection at a time; never asks for anything by partition."""

    def __init__(self, client: HiveClient, patterns: NamePatterns, batch: int) -> None:
        self._client = client
        self._patterns = patterns
        self._batch = batch
        self._ceiling = batch * GROWTH
        self._failures_in_a_row = 0

    @property
    def calls(self) -> int:
        """Calls sent so far."""
        return self._client.calls

    def read_databases(self) -> Sequence[Database]:
        names = self.read_database_names()
        return [database for name in names if (database := self._read_database(name)) is not None]

    def read_database_names(self) -> Sequence[str]:
        """One call, however many databases there are."""
        return sorted(filter(self._patterns.admits_database, map(str.lower, self._client.read_database_names())))

    def read_table_names(self, database: str) -> Sequence[TableName]:
        """All names that the patterns let through.

        Raises:
            NotThere: there is no such database. The metastore itself would answer with an empty list.
        """
        if not self._patterns.admits_database(database):
            return []
        tables = self._client.read_table_names(database.lower())
        if not tables:
            self._client.read_database(database.lower())
        names = sorted(TableName.of(database, table) for table in tables)
        return [name for name in names if self._patterns.admits_table(name)]

    def read_tables(self, names: Sequence[TableName]) -> Iterator[TableRead]:
        for database, group in groupby(sorted(set(names)), key=lambda name: name.database):
            waiting = deque(group)
            while waiting:
                size = min(self._batch, len(waiting))
                yield from self._read_batch(database, [waiting.popleft() for _ in range(size)], waiting)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def _read_database(self, name: str) -> Database | None:
        try:
            return to_database(self._client.read_database(name))
        except NotThere:  # dropped since it was listed
            return None

    def _read_batch(self, database: str, batch: list[TableName], waiting: deque[TableName]) -> Iterator[TableRead]:
        """Read `batch` in one call; when that fails, put it back and ask for less, down to one."""
        wanted = [name for name in batch if self._patterns.admits_table(name)]
        yield from (ReadFailure(n, "left out by `metastore: databases`, so not read") for n in batch if n not in wanted)
        if not wanted:
            return
        begin = time.monotonic()
        try:
            found = self._client.read_tables(database, [name.table for name in wanted])
        except (Unreachable, UnknownCall):
            raise
        except (Transient, Permanent) as error:
            if len(wanted) > 1 and not self._is_gone(database, error):
                self._batch = len(wanted) // 2
                waiting.extendleft(reversed(wanted))
            else:
                yield from self._give_up(wanted, error)
        else:
            self._failures_in_a_row = 0
            self._grow(len(wanted), time.monotonic() - begin)
            yield from _answers(wanted, found)

    def _is_gone(self, database: str, error: Exception) -> bool:
        """Whether the call failed because the database is no more, which no smaller call would cure."""
        return isinstance(error, NotThere) and self._read_database(database) is None

    def _give_up(self, names: Sequence[TableName], error: Exception) -> Iterator[TableRead]:
        if isinstance(error, NotThere):
            yield from map(Vanished, names)
            return
        for name in names:
            self._failures_in_a_row += 1
            if self._failures_in_a_row % PROBE_AFTER == 0:
                self._client.read_database(name.database)  # raises when it is the metastore that fails
            yield ReadFailure(name, str(error))

    def _grow(self, size: int, seconds: float) -> None:
        if size >= self._batch and seconds < QUICK_SHARE * self._client.timeout:
            self._batch = min(self._batch * 2, self._ceiling)


def _answers(wanted: Sequence[TableName], found: Sequence[Any]) -> Iterator[TableRead]:
    by_name = {str(thrift.tableName).lower(): thrift for thrift in found}
    for name in wanted:
        thrift = by_name.pop(name.table, None)
        yield Vanished(name) if thrift is None else _convert(name, thrift)


def _convert(name: TableName, thrift: Any) -> Table | ReadFailure:
    outcome = guarded(f"Hive table {name}", lambda: to_table(thrift))
    return ReadFailure(name, str(outcome.error)) if outcome.error is not None else outcome.unwrap()
