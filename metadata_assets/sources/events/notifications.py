"""Entries of a Hive metastore's NOTIFICATION_LOG, as `get_next_notification` gives them.

A message is the NotificationEvent as JSON, by the names of its Thrift fields; the entry's own message is JSON inside,
plain or compressed, and the tables in that are Thrift's JSON protocol in a string.
"""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

from metadata_assets.errors import Undecodable
from metadata_assets.model.event import ChangeEvent
from metadata_assets.model.subject import Subject
from metadata_assets.model.table import TableName
from metadata_assets.sources.events.base import Decoded, Decoder, Message
from metadata_assets.sources.events.changes import Stamp, altered, is_foreign
from metadata_assets.sources.events.tables import TableFields, table_of_ids
from metadata_assets.sources.events.text import checked, parse_json_object, parse_object, unpack

_PLAIN = frozenset({None, "", "json-0.2", "json-2.0"})
_COMPRESSED = frozenset({"gzip", "gzip(json-2.0)"})
_DATA_EVENTS = frozenset({
    "ADD_PARTITION", "ALTER_PARTITION", "ALTER_PARTITIONS", "DROP_PARTITION", "INSERT", "INSERT_EVENT",
})  # fmt: skip


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    eventId: int
    eventTime: int
    eventType: str
    dbName: str | None = None
    tableName: str | None = None
    message: str | None = None
    messageFormat: str | None = None
    catName: str | None = None

    @property
    def database(self) -> str:
        return self._named("dbName")

    @property
    def table(self) -> TableName:
        return TableName.of(self._named("dbName"), self._named("tableName"))

    def _named(self, field: str) -> str:
        name = getattr(self, field)
        if not name:
            raise Undecodable(f"{self.eventType} without {field}")
        return str(name)


def notification_decoder(catalog: str | None = None) -> Decoder:
    """A decoder of log entries.

    Args:
        catalog: whose tables and databases are meant, on Hive 3 and later; the default catalog without it.
    """

    def _decode(message: Message, source: str) -> Decoded:
        entry = checked(_Entry, parse_object(message))
        if is_foreign(entry.catName, catalog):
            return Decoded.nothing("of another catalog")
        known = _EVENTS.get(entry.eventType)
        if known is None and entry.eventType not in _DATA_EVENTS:
            return Decoded.nothing("of a type that changes nothing in the catalog")
        identity = f"{entry.eventId}:{entry.eventType}:{entry.eventTime}"
        stamp = Stamp(source, identity, entry.eventId, float(entry.eventTime), numbered=True)
        if known is None:
            return Decoded((stamp.event("data_changed", entry.table),))
        return Decoded((known(entry, stamp),))

    return _decode


def _text_of(entry: _Entry) -> str:
    """The entry's own message.

    Raises:
        Undecodable: it is of a format that is not known, or is not what its format says.
    """
    if entry.messageFormat in _PLAIN:
        return entry.message or ""
    if entry.messageFormat not in _COMPRESSED:
        raise Undecodable(f"the message format {entry.messageFormat!r} is not known")
    return unpack(entry.message or "")


def _table_in(fields: Mapping[str, Any], name: str) -> TableFields | None:
    text = fields.get(name)
    return table_of_ids(text) if isinstance(text, str) and text else None


def _created(entry: _Entry, stamp: Stamp) -> ChangeEvent:
    found = _table_in(parse_json_object(_text_of(entry)), "tableObjJson")
    return stamp.event("table_changed", entry.table, after=None if found is None else found.to_table(), move="created")


def _altered(entry: _Entry, stamp: Stamp) -> ChangeEvent:
    fields = parse_json_object(_text_of(entry))
    before, after = _table_in(fields, "tableObjBeforeJson"), _table_in(fields, "tableObjAfterJson")
    if before is None or after is None:
        raise Undecodable("ALTER_TABLE without the table before and after")
    return altered(before.to_table(), after.to_table(), stamp)


def _dropped(entry: _Entry, stamp: Stamp) -> ChangeEvent:
    return stamp.event("table_dropped", entry.table, move="dropped")


def _database_changed(entry: _Entry, stamp: Stamp) -> ChangeEvent:
    return stamp.about("database_changed", str(Subject("database", entry.database.lower())))


def _database_dropped(entry: _Entry, stamp: Stamp) -> ChangeEvent:
    return stamp.about("database_dropped", str(Subject("database", entry.database.lower())))


_EVENTS: dict[str, Callable[[_Entry, Stamp], ChangeEvent]] = {
    "CREATE_TABLE": _created,
    "ALTER_TABLE": _altered,
    "DROP_TABLE": _dropped,
    "CREATE_DATABASE": _database_changed,
    "ALTER_DATABASE": _database_changed,
    "DROP_DATABASE": _database_dropped,
}
