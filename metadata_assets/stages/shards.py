"""Catalog shards: the unit of partitions and runs. A shard is a database, or one of k equal parts of a large one."""

import zlib
from collections.abc import Iterable, Mapping

from metadata_assets.model.counts import Counts
from metadata_assets.model.table import TableName, tables_among
from metadata_assets.stages.scope import Scope

TABLES_PER_SHARD = 1000


def plan_shards(sizes: Mapping[str, int], before: Mapping[str, int]) -> dict[str, int]:
    """Database → number of shards. The number never shrinks: moving tables between shards for less is not worth it."""
    return {d: max(-(-n // TABLES_PER_SHARD), before.get(d, 1), 1) for d, n in sizes.items()}


def shard_keys(counts: Mapping[str, int]) -> list[str]:
    """All partition keys in order."""
    return [key for database in sorted(counts) for key in _keys_of(database, counts[database])]


def _keys_of(database: str, count: int) -> list[str]:
    return [database] if count == 1 else [f"{database}#{k}" for k in range(count)]


def shard_of(table: TableName, counts: Mapping[str, int]) -> str:
    """The partition key of a table. Every process computes the same one, so it needs no look-up."""
    count = counts.get(table.database, 1)
    if count == 1:
        return table.database
    return f"{table.database}#{zlib.crc32(table.table.encode()) % count}"


def tables_in(subjects: Iterable[str], shards: Iterable[str], counts: Mapping[str, int], scope: Scope) -> list[str]:
    """Those subjects that are tables of these shards and in scope."""
    wanted = frozenset(shards)
    tables = (t for t in tables_among(subjects) if shard_of(t, counts) in wanted)
    return [t.subject for t in tables if scope.holds(t)]


class ShardTally:
    """Counts kept apart by shard: a run covers many, and each is a partition with figures of its own."""

    def __init__(self, shards: Iterable[str], numbers: Mapping[str, int]) -> None:
        """`shards` are those of the run, `numbers` how many each database has."""
        self._numbers = numbers
        self._parts = {shard: Counts() for shard in shards}

    def of(self, table: TableName) -> Counts:
        """The counts of the shard that a table belongs to."""
        return self._parts.setdefault(shard_of(table, self._numbers), Counts())

    def of_subject(self, subject: str) -> Counts:
        return self.of(TableName.of_subject(subject))

    def of_database(self, database: str) -> Counts:
        """The counts of its first shard here, for what concerns a database as a whole."""
        shard = next((s for s in self._parts if database_of(s) == database), database)
        return self._parts.setdefault(shard, Counts())

    def list_all(self, tables: Iterable[TableName]) -> None:
        for table in tables:
            self.of(table).listed += 1

    def skip_all(self, reason: str, tables: Iterable[TableName]) -> None:
        for table in tables:
            self.of(table).skip(reason)

    def total(self) -> Counts:
        return Counts.of_parts(self._parts)


def databases_of(keys: Iterable[str]) -> list[str]:
    return sorted({database_of(key) for key in keys})


def database_of(key: str) -> str:
    """The database of a shard."""
    return key.partition("#")[0]
