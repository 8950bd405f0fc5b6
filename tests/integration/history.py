"""A history of a lake, driven through a real metastore: every kind of change that a catalog has to follow."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from pymetastore.hive_metastore import ThriftHiveMetastore
from pymetastore.hive_metastore.ttypes import (
    FieldSchema,
    FireEventRequest,
    FireEventRequestData,
    GetTableRequest,
    InsertEventRequestData,
    Partition,
)
from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.Thrift import TException, TType

from metadata_assets.sources.hive.connection import Connector
from tests.integration.warehouse import LAKE, make_database, make_table, make_view

Step = tuple[str, Callable[["Writer"], None]]
_MOST_SECONDS = 900  # for all of the history together
_KEEP_FILES, _CASCADE = False, True
_GUESTS = [
    ("guest_id", "bigint", "surrogate key"), ("email", "string", None), ("nick", "string", None),
    ("address", "struct<street:string,zip:string>", "住所 😀"), ("price", "decimal(10,2)", None),
]  # fmt: skip


class Writer:
    """Changes a metastore over one connection."""

    def __init__(self, uri: str, version: str) -> None:
        self._connection = Connector(60).open(uri)
        self._connection.socket.deadline = time.monotonic() + _MOST_SECONDS
        # The accelerated protocol knows no structures but its own, and Hive 2.3 reads an insert in its own way.
        self.stub = ThriftHiveMetastore.Client(TBinaryProtocol(self._connection.transport))
        self._version = version

    def take(self, number: int) -> None:
        """Take one of STEPS."""
        what, change = STEPS[number]
        try:
            change(self)
        except TException as error:  # the stubs' exceptions cannot be modified, so a `with` around would fail too
            raise RuntimeError(f"{what}: {error}") from error

    def close(self) -> None:
        self._connection.close()

    def alter(self, name: str, change: Callable[[Any], None]) -> None:
        database, _, table = name.partition(".")
        found = self.stub.get_table_req(GetTableRequest(dbName=database, tblName=table)).table
        change(found)
        self.stub.alter_table(database, table, found)

    def set_columns(self, name: str, change: Callable[[list[Any]], None]) -> None:
        self.alter(name, lambda table: change(table.sd.cols))

    def insert(self, name: str, values: Sequence[str]) -> None:
        database, _, table = name.partition(".")
        files = [f"{LAKE}/warehouse/{database}.db/{table}/part-0.parquet"]
        sums = ["9f1c"] * len(files)  # as many as files, or the metastore fails
        newer = InsertEventRequestData(replace=False, filesAdded=files, filesAddedChecksum=sums)
        added = _Insert2(files, sums) if self._version.startswith("2.") else newer
        data = FireEventRequestData(insertData=added)
        self.stub.fire_listener_event(
            FireEventRequest(successful=True, data=data, dbName=database, tableName=table, partitionVals=list(values))
        )

    def add_partitions(self, name: str, *values: str) -> None:
        database, _, table = name.partition(".")
        storage = self.stub.get_table_req(GetTableRequest(dbName=database, tblName=table)).table.sd
        partitions = []
        for value in values:
            place = make_table(database, table, []).sd
            place.cols, place.location = storage.cols, f"{storage.location}/ds={value}"
            partitions.append(Partition([value], database, table, int(time.time()), 0, place, {}))
        self.stub.add_partitions(partitions)


class _Insert2:
    """What was added, as Hive 2.3 reads it: fields 1 and 2 are files and checksums; Hive 3 put one before them."""

    def __init__(self, files: Sequence[str], checksums: Sequence[str]) -> None:
        self._lists = {1: files, 2: checksums}

    def write(self, protocol: Any) -> None:
        protocol.writeStructBegin("InsertEventRequestData")
        for number, texts in self._lists.items():
            protocol.writeFieldBegin("", TType.LIST, number)
            protocol.writeListBegin(TType.STRING, len(texts))
            for text in texts:
                protocol.writeString(text)
            protocol.writeListEnd()
            protocol.writeFieldEnd()
        protocol.writeFieldStop()
        protocol.writeStructEnd()


def _database(name: str, **more: Any) -> Step:
    return f"create database {name}", lambda w: w.stub.create_database(make_database(name, **more))


def _table(name: str, columns: Sequence[tuple[str, str, str | None]], **parameters: str) -> Step:
    database, _, table = name.partition(".")
    return f"create {name}", lambda w: w.stub.create_table(make_table(database, table, columns, parameters))


def _columns(what: str, name: str, change: Callable[[list[Any]], Any]) -> Step:
    return f"{what} of {name}", lambda w: w.set_columns(name, lambda columns: (change(columns), None)[1])


def _parameters(what: str, name: str, **parameters: str) -> Step:
    return f"{what} of {name}", lambda w: w.alter(name, lambda table: table.parameters.update(parameters))


def _named(old: str, new: str) -> Step:
    database, _, table = new.partition(".")

    def _change(found: Any) -> None:
        found.dbName, found.tableName = database, table

    return f"rename {old} to {new}", lambda w: w.alter(old, _change)


def _drop(name: str) -> Step:
    database, _, table = name.partition(".")
    return f"drop {name}", lambda w: w.stub.drop_table(database, table, _KEEP_FILES)


def _view(name: str, source: str) -> Step:
    database, _, table = name.partition(".")
    expanded = f"SELECT `guests`.`guest_id` FROM `{source.replace('.', '`.`')}`"
    made = make_view(database, table, f"select guest_id from {source}", expanded, [("guest_id", "bigint", None)])
    return f"create view {name}", lambda w: w.stub.create_table(made)


STEPS: tuple[Step, ...] = (
    _database("stays", comment="Stays of guests, ünïcode ✓", owner="etl"),
    _database("archive"),
    _database("mart"),
    _database("closed"),
    _table("stays.guests", _GUESTS, comment="One row a guest"),
    _table("STAYS.UPPER_T", [("ID", "int", "number"), ("NAME", "string", None)]),
    _table("mart.daily", [("guest_id", "bigint", None), ("email", "string", None)]),
    _table("closed.a", [("id", "int", None)]),
    _table("closed.b", [("id", "int", None)]),
    _view("mart.v_guests", "stays.guests"),
    _columns("a column added", "stays.guests", lambda c: c.append(FieldSchema("phone", "string", "E.164"))),
    _columns("a type", "stays.guests", lambda c: setattr(c[4], "type", "decimal(12,2)")),
    _columns("a comment", "stays.guests", lambda c: setattr(c[0], "comment", "the guest")),
    _columns("a column renamed", "stays.guests", lambda c: setattr(c[1], "name", "email_address")),
    _columns("a column dropped", "stays.guests", lambda c: c.pop(2)),
    _columns("the order", "stays.guests", lambda c: c.insert(1, c.pop())),
    _parameters("the comment", "stays.guests", comment="One row per guest 😀"),
    _parameters("statistics", "stays.guests", numRows="12", totalSize="345"),
    _parameters("an Iceberg commit", "mart.daily", table_type="ICEBERG", metadata_location="s3://lake/m/00001.json"),
    _parameters("the next commit", "mart.daily", metadata_location="s3://lake/m/00002.json"),
    ("partitions of stays.guests", lambda w: w.add_partitions("stays.guests", "2026-01-01", "2026-01-02")),
    ("a partition less", lambda w: w.stub.drop_partition("stays", "guests", ["2026-01-02"], _KEEP_FILES)),
    ("an insert", lambda w: w.insert("stays.guests", ["2026-01-01"])),
    ("the owner of stays.guests", lambda w: w.alter("stays.guests", lambda t: setattr(t, "owner", "someone_else"))),
    _table("stays.draft", [("id", "int", None)]),
    _named("stays.draft", "stays.orders"),
    _columns("a column added", "stays.orders", lambda c: c.append(FieldSchema("total", "double", None))),
    _named("stays.upper_t", "archive.moved"),
    _table("stays.again", [("old", "int", None)], comment="the first"),
    _drop("stays.again"),
    _table("stays.again", [("new", "string", "of the second")], comment="the second"),
    _table("stays.to_drop", [("id", "int", None)]),
    _drop("stays.to_drop"),
    _table("stays.draft", [("other", "int", "a table of its own")]),
    ("drop database closed", lambda w: w.stub.drop_database("closed", _KEEP_FILES, _CASCADE)),
    _view("archive.v_old", "stays.guests"),
    _drop("archive.v_old"),
)
