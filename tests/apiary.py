"""Messages as Apiary's metastore listener sends them, for tests: the fields that matter, in its spelling."""

import json
from dataclasses import replace
from typing import Any

from metadata_assets.model.table import Column, Table
from metadata_assets.sources.events.base import Message

_KINDS = {"managed": "MANAGED_TABLE", "external": "EXTERNAL_TABLE", "view": "VIRTUAL_VIEW"}


def created(number: int, table: Table, at: float, **more: Any) -> Message:
    return _message(number, "ON_CREATE_TABLE", table, at, {"table": to_fields(table), **more})


def altered(number: int, before: Table, after: Table, at: float, **more: Any) -> Message:
    fields = {"oldTable": to_fields(before), "newTable": to_fields(after), **more}
    return _message(number, "ON_ALTER_TABLE", after, at, fields)


def dropped(number: int, table: Table, at: float, **more: Any) -> Message:
    return _message(number, "ON_DROP_TABLE", table, at, {"table": to_fields(table), "deleteData": False, **more})


def inserted(number: int, table: Table, at: float) -> Message:
    return _message(number, "ON_INSERT", table, at, {"partitionKeyValues": {}, "files": [], "fileChecksums": None})


def statistics(number: int, table: Table, at: float) -> Message:
    """An ALTER of nothing but statistics."""
    after = to_fields(table)
    after["parameters"] = {**after["parameters"], "numRows": str(number), "transient_lastDdlTime": "1"}
    return _message(number, "ON_ALTER_TABLE", table, at, {"oldTable": to_fields(table), "newTable": after})


def _message(number: int, kind: str, table: Table, at: float, fields: dict[str, Any]) -> Message:
    name = table.name
    payload = {
        "eventType": kind,
        "databaseName": name.database,
        "tableName": name.table,
        "qualifiedTableName": str(name),
        "status": True,
        "parameters": {"hive.version": "2.3.10", "DB_NOTIFICATION_EVENT_ID_KEY_NAME": str(number)},
        "environmentContext": None,
        **fields,
    }
    milliseconds = int(at * 1000)
    key = milliseconds.to_bytes(8, "big", signed=True)
    return Message(f"topic/0/{number}@{milliseconds}", json.dumps(payload).encode(), at, key)


def to_fields(table: Table) -> dict[str, Any]:
    """A table by the names of its Thrift fields."""
    storage = {"cols": [_field(c) for c in table.columns], "location": table.location, "serdeInfo": None}
    return {
        "tableName": table.name.table,
        "dbName": table.name.database,
        "owner": table.owner,
        "createTime": table.created_at or 0,
        "sd": storage,
        "partitionKeys": [_field(c) for c in table.partition_keys],
        "parameters": {"comment": table.comment} if table.comment else {},
        "viewOriginalText": table.view.original if table.view else None,
        "viewExpandedText": table.view.expanded if table.view else None,
        "tableType": _KINDS[table.kind],
    }


def _field(column: Column) -> dict[str, Any]:
    return {"name": column.name, "type": column.type_text, "comment": column.comment}


def renamed(table: Table, name: str) -> Table:
    """The same table under another `database.table`."""
    from metadata_assets.model.table import TableName

    return replace(table, name=TableName.parse(name))
