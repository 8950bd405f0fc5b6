"""Batches that shrink and grow, and one answer for each name, against a metastore that fails on command."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from pymetastore.hive_metastore import ttypes

from metadata_assets.errors import Permanent, Unreachable
from metadata_assets.model.table import ReadFailure, Table, TableName, TableRead, Vanished
from metadata_assets.sources.hive.client import CallFailed, HiveClient, NotThere
from metadata_assets.sources.hive.connection import Connector
from metadata_assets.sources.hive.source import GROWTH, HiveMetastore
from metadata_assets.sources.patterns import NamePatterns

NAMES = [TableName("db", f"t{n:02}") for n in range(40)]
Trouble = Callable[[Sequence[str]], Exception | None]


class Scripted(HiveClient):
    """Answers every table that it is asked for, unless `trouble` has an exception for the call."""

    def __init__(self, trouble: Trouble = lambda tables: None, gone: Sequence[str] = ()) -> None:
        super().__init__(["thrift://h:1"], Connector(60))
        self.sizes: list[int] = []
        self._trouble, self._gone = trouble, gone

    def read_database(self, database: str) -> Any:
        if database in self._gone:
            raise NotThere(database)
        return ttypes.Database(name=database)

    def read_database_names(self) -> list[str]:
        return ["db", "Other", "tmp_1", "lost"]

    def read_table_names(self, database: str) -> list[str]:
        return [] if database == "empty" else ["b", "A", "skip_c"]

    def read_tables(self, database: str, tables: Sequence[str]) -> list[Any]:
        self.sizes.append(len(tables))
        error = self._trouble(tables)
        if error is not None:
            raise error
        return [ttypes.Table(tableName=name, dbName=database) for name in reversed(tables) if name not in self._gone]


def source_of(client: HiveClient, batch: int = 8, **patterns: Any) -> HiveMetastore:
    return HiveMetastore(client, NamePatterns(**patterns), batch)


def kinds(reads: Sequence[TableRead]) -> dict[str, set[str]]:
    return {kind.__name__: {r.name.table for r in reads if isinstance(r, kind)} for kind in (ReadFailure, Vanished)}


def test_a_batch_grows_while_answers_are_quick() -> None:
    client = Scripted()
    reads = list(source_of(client, batch=2).read_tables(NAMES))
    assert [type(read) for read in reads] == [Table] * 40
    assert client.sizes == [2, 4, 8, 8, 8, 8, 2]
    assert max(client.sizes) == 2 * GROWTH


def test_one_table_that_breaks_its_batch_is_found_alone() -> None:
    client = Scripted(lambda tables: CallFailed("too large") if "t13" in tables else None)
    reads = list(source_of(client, batch=16).read_tables(NAMES))
    assert sorted(read.name for read in reads) == NAMES
    assert kinds(reads) == {"ReadFailure": {"t13"}, "Vanished": set()}
    assert client.sizes[:5] == [16, 8, 16, 8, 4]


@pytest.mark.parametrize("error", [CallFailed("OutOfMemoryError"), Permanent("permission denied")])
def test_batches_halve_until_they_fit_and_grow_again(error: Exception) -> None:
    client = Scripted(lambda tables: error if len(tables) > 3 else None)
    reads = list(source_of(client, batch=8).read_tables(NAMES))
    assert sorted(read.name for read in reads) == NAMES
    assert kinds(reads) == {"ReadFailure": set(), "Vanished": set()}


def test_names_that_do_not_come_back_have_vanished() -> None:
    reads = list(source_of(Scripted(gone=("t03", "t20"))).read_tables(NAMES))
    assert kinds(reads) == {"ReadFailure": set(), "Vanished": {"t03", "t20"}}
    assert len(reads) == 40


def test_a_dropped_database_makes_its_tables_vanish_in_one_call() -> None:
    client = Scripted(lambda tables: NotThere("db"), gone=("db",))
    reads = list(source_of(client, batch=40).read_tables(NAMES))
    assert len(kinds(reads)["Vanished"]) == 40
    assert client.sizes == [40]


def test_a_metastore_out_of_order_ends_the_reading() -> None:
    client = Scripted(lambda tables: CallFailed("database is down"))
    client.read_database = lambda database: (_ for _ in ()).throw(CallFailed("down"))  # type: ignore[method-assign]
    reads: list[TableRead] = []
    with pytest.raises(CallFailed, match="down"):
        reads += source_of(client, batch=1).read_tables(NAMES)
    assert len(client.sizes) == 10


def test_unreachable_is_no_fault_of_a_table() -> None:
    with pytest.raises(Unreachable):
        list(source_of(Scripted(lambda tables: Unreachable("nobody"))).read_tables(NAMES))


def test_a_table_that_cannot_be_converted_fails_alone() -> None:
    class Odd(Scripted):
        def read_tables(self, database: str, tables: Sequence[str]) -> list[Any]:
            found = super().read_tables(database, tables)
            found[0].parameters = ["no", "mapping"]
            return found

    reads = list(source_of(Odd(), batch=40).read_tables(NAMES))
    (failure,) = (read for read in reads if isinstance(read, ReadFailure))
    assert failure.name == TableName("db", "t39")
    assert failure.reason.startswith("Hive table db.t39: AttributeError")
    assert len(reads) == 40


def test_a_name_asked_twice_is_answered_once() -> None:
    assert len(list(source_of(Scripted()).read_tables([NAMES[0], NAMES[0]]))) == 1


def test_listings_obey_the_patterns() -> None:
    client = Scripted(gone=("lost",))
    source = source_of(client, exclude=("tmp_*", "*.skip_*"))
    assert [database.name for database in source.read_databases()] == ["db", "other"]
    assert source.read_table_names("DB") == [TableName("db", "a"), TableName("db", "b")]
    assert source.read_table_names("tmp_1") == []
    assert source.read_table_names("empty") == []


def test_an_empty_listing_is_checked() -> None:
    with pytest.raises(NotThere):
        source_of(Scripted(gone=("empty",))).read_table_names("empty")
