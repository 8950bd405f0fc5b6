"""Messages of Expedia's Apiary metastore listener on SNS: names and locations, no columns.

The format is that of `ApiarySnsListener` (ExpediaGroup/apiary-extensions). Failed operations are not sent. The old name
of a renamed table comes without its database, so a move to another one looks like a change of the new table.
"""

from pydantic import BaseModel, ConfigDict, Field

from metadata_assets.model.event import ChangeEvent
from metadata_assets.model.table import TableName
from metadata_assets.sources.events.base import Decoded
from metadata_assets.sources.events.changes import Stamp, order_of
from metadata_assets.sources.events.envelopes import Notification
from metadata_assets.sources.events.text import checked

_DATA_EVENTS = frozenset({"ADD_PARTITION", "ALTER_PARTITION", "DROP_PARTITION", "INSERT"})


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    eventType: str
    dbName: str = Field(min_length=1)
    tableName: str = Field(min_length=1)
    oldTableName: str | None = None


def decode_topic(notification: Notification) -> Decoded:
    """What a message of the listener says."""
    event = checked(_Event, notification.fields)
    at = notification.sent_at
    stamp = Stamp(notification.source, f"{event.eventType}:{notification.id}", order_of(at), at)
    name = TableName.of(event.dbName, event.tableName)
    if event.eventType in _DATA_EVENTS:
        return Decoded((stamp.event("data_changed", name),))
    if event.eventType == "CREATE_TABLE":
        return Decoded((stamp.event("table_changed", name, move="created"),))
    if event.eventType == "DROP_TABLE":
        return Decoded((stamp.event("table_dropped", name, move="dropped"),))
    if event.eventType == "ALTER_TABLE":
        return Decoded((_altered(event, name, stamp),))
    return Decoded.nothing("of a type that is not known")


def _altered(event: _Event, name: TableName, stamp: Stamp) -> ChangeEvent:
    """A rename, or any other change: nothing tells which, so the table is looked at."""
    old = TableName.of(event.dbName, event.oldTableName or event.tableName)
    if old == name:
        return stamp.event("table_changed", name)
    return stamp.event("table_renamed", name, previous=old.subject, move="renamed")
