"""A metastore's NOTIFICATION_LOG as a source of events: read by number, with a watch for what is missing in it."""

import json
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from metadata_assets.sources.events.base import Limit, Message, Polled
from metadata_assets.sources.events.cursors import parse_cursor, to_cursor
from metadata_assets.sources.hive.client import HiveClient

_HOW = '(everything is compared once then), or set it to {"version": 1, "event_id": NUMBER}'
_PAGE = 500
_FIELDS = ("eventId", "eventTime", "eventType", "dbName", "tableName", "message", "messageFormat", "catName")


class HiveLog:
    """Reads entries after the last one that was read. Not for several threads at once."""

    def __init__(self, client: HiveClient) -> None:
        self._client = client

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def poll(self, cursor: str, limit: Limit) -> Polled:
        """Entries after the cursor, up to the newest one that there was when the poll began.

        A first start begins at the end of the log, and asks for everything to be compared: what the log still holds may
        be a day or a year. So does a log that has a hole, or counts from an earlier number again.
        """
        newest = self._client.read_newest_event_id()
        last = _parse(cursor)
        if last is None:
            return Polled((), _text(newest), 0, "the log is read for the first time")
        if last > newest:
            return Polled((), _text(newest), 0, f"the log ends at {newest}, and {last} was read: it was restored")
        return self._read(last, newest, limit)

    def acknowledge(self, polled: Polled) -> None:
        """Nothing to do: the log forgets by itself, and the cursor of the sensor is the memory."""

    def _read(self, last: int, newest: int, limit: Limit) -> Polled:
        deadline = time.monotonic() + limit.seconds
        messages: list[Message] = []
        taken, gap, first = 0, "", last + 1
        while last < newest and len(messages) < limit.messages and taken < limit.bytes:
            page = self._client.read_events(last, min(_PAGE, limit.messages - len(messages)))
            if not page:
                gap = gap or f"entries {last + 1} to {newest} are gone: deleted before they were read"
                last = newest
                break
            if not messages and page[0].eventId > first:
                gap = f"entries {first} to {page[0].eventId - 1} are gone: deleted before they were read"
            messages += [_to_message(event) for event in page]
            taken += sum(len(message.payload or b"") for message in messages[-len(page) :])
            last = page[-1].eventId
            if time.monotonic() > deadline:
                break
        return Polled(messages, _text(last), max(0, newest - last), gap)


def _to_message(event: Any) -> Message:
    fields = {name: getattr(event, name, None) for name in _FIELDS}
    payload = json.dumps(fields, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return Message(f"{event.eventId}@{event.eventTime}:{event.eventType}", payload, float(event.eventTime))


def _text(event_id: int) -> str:
    return to_cursor(event_id=event_id)


def _parse(cursor: str) -> int | None:
    """The number of the last entry that was read; None at a first start.

    Raises:
        Permanent: somebody edited the cursor into something else.
    """
    return parse_cursor(cursor, _number, _HOW) if cursor else None


def _number(fields: Mapping[str, Any]) -> int:
    number = fields["event_id"]
    if not isinstance(number, int) or number < 0:
        raise ValueError(number)
    return number
