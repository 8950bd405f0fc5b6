"""Messages of Expedia's Apiary metastore listener on Kafka.

The format is that of `JsonMetaStoreEventSerDe` (ExpediaGroup/apiary-extensions): the event's own fields around the
metastore's Thrift structures by field name. The record key is the producer's clock, 8 bytes of milliseconds.
"""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

from metadata_assets.errors import Undecodable
from metadata_assets.model.event import ChangeEvent, EventKind, Move
from metadata_assets.model.table import TableName
from metadata_assets.sources.events.base import Decoded, Decoder, Message
from metadata_assets.sources.events.changes import Stamp, altered, is_foreign
from metadata_assets.sources.events.tables import TableFields
from metadata_assets.sources.events.text import checked, parse_object

_EVENT_ID = "DB_NOTIFICATION_EVENT_ID_KEY_NAME"
_IN_TRANSACTION = "HIVE_METASTORE_TRANSACTION_ACTIVE"
_DATA_EVENTS = frozenset({"ON_ADD_PARTITION", "ON_ALTER_PARTITION", "ON_DROP_PARTITION", "ON_INSERT"})


class _Envelope(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    eventType: str
    databaseName: str
    tableName: str
    status: bool = True
    parameters: Mapping[str, str | None] | None = None
    table: TableFields | None = None
    oldTable: TableFields | None = None
    newTable: TableFields | None = None


def apiary_decoder(catalog: str | None = None) -> Decoder:
    """A decoder of the listener's seven events.

    Args:
        catalog: whose tables are meant, on Hive 3 and later; the default catalog without it.
    """

    def _decode(message: Message, source: str) -> Decoded:
        event = checked(_Envelope, _without_partitions(parse_object(message)))
        if not event.status:
            return Decoded.nothing("the operation failed in the metastore")
        table = event.table or event.newTable
        if table is not None and is_foreign(table.catName, catalog):
            return Decoded.nothing("of another catalog")
        return _to_decoded(event, _stamp(message, event, source))

    return _decode


def _without_partitions(fields: dict[str, Any]) -> dict[str, Any]:
    """A message can name thousands of partitions, and none of them matters."""
    return {name: value for name, value in fields.items() if "artition" not in name}


def _stamp(message: Message, event: _Envelope, source: str) -> Stamp:
    milliseconds = _milliseconds(message)
    number = (event.parameters or {}).get(_EVENT_ID) or ""
    offset = int(message.position.rpartition("@")[0].rpartition("/")[2] or 0)
    return Stamp(
        source,
        f"{event.eventType}:{number or message.position}:{milliseconds}",
        int(number) if number.isdecimal() else milliseconds * 1_000_000 + offset % 1_000_000,
        milliseconds / 1000,
        numbered=number.isdecimal(),
        tentative=(event.parameters or {}).get(_IN_TRANSACTION) == "true",
    )


def _milliseconds(message: Message) -> int:
    if message.key is not None and len(message.key) == 8:
        return int.from_bytes(message.key, "big", signed=True)
    return int(message.received_at * 1000)


def _to_decoded(event: _Envelope, stamp: Stamp) -> Decoded:
    if event.eventType in _DATA_EVENTS:
        name = TableName.of(event.databaseName, event.tableName)
        return Decoded((stamp.event("data_changed", name),))
    known = _TABLE_EVENTS.get(event.eventType)
    if known is None:
        return Decoded.nothing("of a type that is not known")
    return Decoded((known(event, stamp),))


def _altered(event: _Envelope, stamp: Stamp) -> ChangeEvent:
    if event.oldTable is None or event.newTable is None:
        raise Undecodable("ON_ALTER_TABLE without oldTable or newTable")
    return altered(event.oldTable.to_table(), event.newTable.to_table(), stamp)


def _told(kind: EventKind, move: Move) -> Callable[[_Envelope, Stamp], ChangeEvent]:
    def _event(event: _Envelope, stamp: Stamp) -> ChangeEvent:
        if event.table is None:
            raise Undecodable(f"{event.eventType} without a table")
        table = event.table.to_table()
        return stamp.event(kind, table.name, after=table if move == "created" else None, move=move)

    return _event


_TABLE_EVENTS: dict[str, Callable[[_Envelope, Stamp], ChangeEvent]] = {
    "ON_CREATE_TABLE": _told("table_changed", "created"),
    "ON_ALTER_TABLE": _altered,
    "ON_DROP_TABLE": _told("table_dropped", "dropped"),
}
