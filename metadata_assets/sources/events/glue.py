"""Notices of the Glue Data Catalog that come through EventBridge. They name tables and hold no schema.

The words of `typeOfChange` are those of Glue's API; one that is not known asks to look again, which does no harm.
"""

import re
from collections.abc import Callable, Mapping
from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from metadata_assets.model.event import ChangeEvent
from metadata_assets.model.subject import Subject
from metadata_assets.model.table import TableName
from metadata_assets.sources.events.base import Decoded
from metadata_assets.sources.events.changes import Stamp, order_of
from metadata_assets.sources.events.envelopes import Notification
from metadata_assets.sources.events.text import checked, epoch_of

_TABLE = "Glue Data Catalog Table State Change"
_DATABASE = "Glue Data Catalog Database State Change"
_CHANGE = re.compile(r"(?:Batch)?(Create|Update|Delete)(Database|Table)")
_OF_DATA = ("Partition", "ColumnStatistics")


class _Fields(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)


class _TableDetail(_Fields):
    databaseName: str = Field(min_length=1)
    tableName: str = Field(min_length=1)
    typeOfChange: str


class _DatabaseDetail(_Fields):
    databaseName: str = Field(min_length=1)
    typeOfChange: str
    changedTables: tuple[str, ...] = ()


class _Bridged(_Fields):
    id: str
    time: datetime
    account: str


class _TableChange(_Bridged):
    detail: _TableDetail


class _DatabaseChange(_Bridged):
    detail: _DatabaseDetail


def decode_glue(notification: Notification, account: str | None) -> Decoded:
    """What a notification says.

    Args:
        notification: an event of EventBridge whose source is `aws.glue`.
        account: whose catalog is meant; any without it.
    """
    decode = _DETAILS.get(str(notification.fields.get("detail-type")))
    if decode is None:
        return Decoded.nothing("of a type that changes nothing in the catalog")
    found = checked(_Bridged, notification.fields)
    if account is not None and found.account != account:
        return Decoded.nothing("of another catalog")
    at = epoch_of(found.time)
    return Decoded(decode(notification.fields, Stamp(notification.source, found.id, order_of(at), at)))


def _of_table(fields: Mapping[str, object], stamp: Stamp) -> tuple[ChangeEvent, ...]:
    detail = checked(_TableChange, fields).detail
    return (_table_event(detail.databaseName, detail.tableName, detail.typeOfChange, stamp),)


def _table_event(database: str, table: str, change: str, stamp: Stamp) -> ChangeEvent:
    name = TableName.of(database, table)
    if any(word in change for word in _OF_DATA):
        return stamp.event("data_changed", name)
    known = _CHANGE.fullmatch(change)
    verb = known[1] if known is not None and known[2] == "Table" else ""
    if verb == "Delete":
        return stamp.event("table_dropped", name, move="dropped")
    return stamp.event("table_changed", name, move="created" if verb == "Create" else None)


def _of_database(fields: Mapping[str, object], stamp: Stamp) -> tuple[ChangeEvent, ...]:
    """It tells of a database, or of tables in it that came, changed or went."""
    detail = checked(_DatabaseChange, fields).detail
    if detail.changedTables:
        return tuple(
            _table_event(detail.databaseName, table, detail.typeOfChange, stamp) for table in detail.changedTables
        )
    subject = str(Subject("database", detail.databaseName.lower()))
    gone = detail.typeOfChange == "DeleteDatabase"
    return (stamp.about("database_dropped" if gone else "database_changed", subject),)


_DETAILS: dict[str, Callable[[Mapping[str, object], Stamp], tuple[ChangeEvent, ...]]] = {
    _TABLE: _of_table,
    _DATABASE: _of_database,
}
