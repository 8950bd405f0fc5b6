"""What Expedia's Apiary listener sends to Kafka, made from entries of a metastore's notification log; pure.

The format is that of `JsonMetaStoreEventSerDe` and `KafkaMessageSender` (ExpediaGroup/apiary-extensions 8.2): the
event's own fields around the metastore's Thrift structures, each field under its IDL name; what is not set is null, 0
or false. The log does not hold everything that a listener sees: failed operations, the environment of an ALTER and
whether a drop deletes data are not in it.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pymetastore.hive_metastore.ttypes import Partition, PrincipalType, SerdeType, Table
from thrift.protocol.TJSONProtocol import TJSONProtocolFactory
from thrift.Thrift import TType
from thrift.TSerialization import deserialize

from metadata_assets.isolation import guarded

# Fields of Thrift's definition of Hive 3 that earlier releases do not have, and of Hive 4 that 3 does not have.
_NEWER_THAN_2 = {
    "Table": {"creationMetadata", "ownerType", "writeId"},
    "Partition": {"writeId"},
    "SerDeInfo": {"description", "serializerClass", "deserializerClass", "serdeType"},
}
_NEWER_THAN_3 = {"Table": {"writeId"}, "Partition": {"writeId"}}
_NAMES: Mapping[str, Mapping[int, str]] = {
    "ownerType": PrincipalType._VALUES_TO_NAMES,
    "grantorType": PrincipalType._VALUES_TO_NAMES,
    "serdeType": SerdeType._VALUES_TO_NAMES,
}
_NUMBERS = {TType.BYTE, TType.I16, TType.I32, TType.I64, TType.DOUBLE}
_SKEWED = ("skewedColNames", "skewedColValues", "skewedColValueLocationMaps")
_TABLE_EVENTS = {"CREATE_TABLE", "ALTER_TABLE", "DROP_TABLE"}


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the log. `message` is the JSON text inside; `at` is in epoch seconds."""

    id: int
    at: int
    type: str
    database: str
    table: str
    message: str


@dataclass(frozen=True, slots=True)
class ApiaryMessage:
    """A message for Kafka: `hashed` is the name whose hash chooses the partition, `at` its time in epoch seconds."""

    event_id: int
    at: int
    hashed: str
    value: bytes


@dataclass
class Translator:
    """Makes messages of entries, in their order.

    The log of Hive 2.3 drops a table by name only, the listener shows it: `tables` remembers what was seen, by
    `database.table`, as the Thrift structures are sent. `refused` says of entries that are not what the log of Hive 2.3
    or 3.1 holds why not.
    """

    version: str
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    refused: dict[int, str] = field(default_factory=dict)

    def to_messages(self, entries: Sequence[Entry]) -> list[ApiaryMessage]:
        """Messages of consecutive entries; those of which the listener says nothing, and refused ones, have none."""
        cascades = _cascades(entries)
        messages = []
        for entry in entries:
            read = partial(self._to_message, entry, in_transaction=entry.id in cascades)
            outcome = guarded(f"event {entry.id}", read)
            if outcome.error is not None:
                self.refused[entry.id] = str(outcome.error)
            elif (message := outcome.unwrap()) is not None:
                messages.append(message)
        return messages

    def _to_message(self, entry: Entry, *, in_transaction: bool) -> ApiaryMessage | None:
        body = _BODIES.get(entry.type)
        if body is None:
            return None
        text = json.loads(entry.message)
        fields = body(self, entry, text)
        self._remember(entry, fields)
        named = fields.get("newTable") or {"dbName": entry.database, "tableName": entry.table}
        hashed = fields.get("oldTable") or named  # release 8.2 hashes the old name
        fields |= {
            "eventType": f"ON_{entry.type}",
            "databaseName": named["dbName"],
            "tableName": named["tableName"],
            "qualifiedTableName": f"{named['dbName']}.{named['tableName']}",
            "status": True,
            "parameters": self._parameters(entry, text, in_transaction=in_transaction),
            "environmentContext": None,
        }
        value = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
        return ApiaryMessage(entry.id, entry.at, f"{hashed['dbName']}.{hashed['tableName']}", value)

    def _parameters(self, entry: Entry, text: Mapping[str, Any], *, in_transaction: bool) -> dict[str, str]:
        found = {"hive.version": self.version}
        if entry.type == "ALTER_PARTITION" or text.get("isTruncateOp") == "true":
            return found
        found["DB_NOTIFICATION_EVENT_ID_KEY_NAME"] = str(entry.id)
        if entry.type != "INSERT":
            found["HIVE_METASTORE_TRANSACTION_ACTIVE"] = str(in_transaction).lower()
        return found

    def _remember(self, entry: Entry, fields: Mapping[str, Any]) -> None:
        if entry.type not in _TABLE_EVENTS:
            return
        for gone in (fields.get("oldTable"), fields.get("table")):
            if gone is not None:
                self.tables.pop(_key(gone["dbName"], gone["tableName"]), None)
        left = fields.get("newTable") or (fields.get("table") if entry.type == "CREATE_TABLE" else None)
        if left is not None:
            self.tables[_key(left["dbName"], left["tableName"])] = _as_stored(left)

    def _structure(self, kind: type[Any], text: str) -> dict[str, Any]:
        return self._to_fields(deserialize(kind(), text.encode(), TJSONProtocolFactory()))

    def _to_fields(self, structure: Any) -> dict[str, Any]:
        """A Thrift structure by the names of its fields, those of later releases left out."""
        newer = _NEWER_THAN_2 if self.version.startswith("2.") else _NEWER_THAN_3
        left_out = newer.get(type(structure).__name__, set())
        return {
            spec[2]: self._to_value(spec, getattr(structure, spec[2]))
            for spec in structure.thrift_spec
            if spec is not None and spec[2] not in left_out
        }

    def _to_value(self, spec: Sequence[Any], value: Any) -> Any:
        name, kind = spec[2], spec[1]
        if name in _NAMES:
            return None if value is None else _NAMES[name][value]
        if value is None and kind in _NUMBERS:
            return 0
        if value is None and kind == TType.BOOL:
            return False
        if name == "skewedColValueLocationMaps" and value is not None:
            return [{"key": list(key), "value": place} for key, place in value.items()]
        return self._plain(value)

    def _plain(self, value: Any) -> Any:
        if hasattr(value, "thrift_spec"):
            return self._to_fields(value)
        if isinstance(value, list | tuple | set):
            return [self._plain(item) for item in value]
        if isinstance(value, dict):
            return {key: self._plain(item) for key, item in value.items()}
        return value

    def _table(self, entry: Entry, text: Mapping[str, Any]) -> dict[str, Any]:
        """The table of an entry; where the log shows none, as it was last seen, else nothing but its name."""
        shown = text.get("tableObjJson")
        if shown:
            return self._structure(Table, shown)
        name = entry.database.lower(), entry.table.lower()
        return self.tables.get(_key(*name)) or self._to_fields(Table(tableName=name[1], dbName=name[0]))

    def _created(self, entry: Entry, text: Mapping[str, Any]) -> dict[str, Any]:
        return {"table": self._table(entry, text)}

    def _altered(self, entry: Entry, text: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "oldTable": self._structure(Table, text["tableObjBeforeJson"]),
            "newTable": self._structure(Table, text["tableObjAfterJson"]),
        }

    def _dropped(self, entry: Entry, text: Mapping[str, Any]) -> dict[str, Any]:
        return {"table": self._table(entry, text), "deleteData": False}

    def _partitions_added(self, entry: Entry, text: Mapping[str, Any]) -> dict[str, Any]:
        partitions = [self._structure(Partition, p) for p in text["partitionListJson"]]
        return {"table": self._table(entry, text), "partitions": partitions}

    def _partition_altered(self, entry: Entry, text: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "table": self._table(entry, text),
            "oldPartition": self._structure(Partition, text["partitionObjBeforeJson"]),
            "newPartition": self._structure(Partition, text["partitionObjAfterJson"]),
        }

    def _partitions_dropped(self, entry: Entry, text: Mapping[str, Any]) -> dict[str, Any]:
        """The log names partitions by their values only."""
        name = {"dbName": entry.database, "tableName": entry.table}
        partitions = [self._to_fields(Partition(values=list(p.values()), **name)) for p in text["partitions"]]
        return {"table": self._table(entry, text), "partitions": partitions, "deleteData": False}

    def _inserted(self, entry: Entry, text: Mapping[str, Any]) -> dict[str, Any]:
        files = [name.partition("#") for name in text["files"]]
        return {
            "partitionKeyValues": self._values_of(text),
            "files": [name for name, _, _ in files],
            "fileChecksums": [checksum for _, mark, checksum in files if mark],
        }

    def _values_of(self, text: Mapping[str, Any]) -> dict[str, str]:
        """Partition key → value; Hive 2.3 writes that, later ones the table and the partition."""
        if "partKeyVals" in text:
            return dict(text["partKeyVals"])
        if not text.get("ptnObjJson"):
            return {}
        keys = self._structure(Table, text["tableObjJson"])["partitionKeys"]
        values = self._structure(Partition, text["ptnObjJson"])["values"]
        return {key["name"]: value for key, value in zip(keys, values, strict=True)}


def partition_of(name: str, partitions: int) -> int:
    """Where the listener sends what is said of a table: by Java's hash of `database.table`, as it was spelt."""
    number = 0
    for unit in memoryview(name.encode("utf-16-le")).cast("H"):
        number = (31 * number + unit) & 0xFFFFFFFF
    signed = number - (1 << 32) if number >= 1 << 31 else number
    return abs(signed) % partitions  # Java's remainder has the sign of the number, and the listener takes it off


def _cascades(entries: Iterable[Entry]) -> set[int]:
    """Drops of tables from within the drop of their database: those after which nothing else is said of it."""
    found: set[int] = set()
    drops: dict[str, set[int]] = {}
    for entry in entries:
        database = entry.database.lower()
        if entry.type == "DROP_TABLE":
            drops.setdefault(database, set()).add(entry.id)
        elif entry.type == "DROP_DATABASE":
            found |= drops.pop(database, set())
        else:
            drops.pop(database, None)
    return found


def _as_stored(table: dict[str, Any]) -> dict[str, Any]:
    """A table as the metastore shows it once it has stored it: names in lower case, nothing skewed instead of null."""
    storage = table["sd"]
    if storage is not None and storage["skewedInfo"] is None:
        storage = storage | {"skewedInfo": {name: [] for name in _SKEWED}}
    names = {name: table[name].lower() for name in ("dbName", "tableName")}
    return table | names | {"sd": storage}


def _key(database: str, table: str) -> str:
    return f"{database}.{table}".lower()


_BODIES: Mapping[str, Callable[[Translator, Entry, Mapping[str, Any]], dict[str, Any]]] = {
    "CREATE_TABLE": Translator._created,
    "ALTER_TABLE": Translator._altered,
    "DROP_TABLE": Translator._dropped,
    "ADD_PARTITION": Translator._partitions_added,
    "ALTER_PARTITION": Translator._partition_altered,
    "DROP_PARTITION": Translator._partitions_dropped,
    "INSERT": Translator._inserted,
}
