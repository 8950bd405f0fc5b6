"""A metastore's NOTIFICATION_LOG as a source of events: read by number, with a watch for what is missing in it."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from metadata_assets.sources.events.base import Limit, Message, Polled
from metadata_assets.sources.events.cursors import parse_cursor, to_cursor
from metadata_assets.sources.hive.client import CallFailed, HiveClient

_HOW = '(everything is compared once then), or set it to {"version": 1, "event_id": NUMBER}'
_PAGE = 500
_FIELDS = ("eventId", "eventTime", "eventType", "dbName", "tableName", "message", "messageFormat", "catName")


@dataclass(frozen=True, slots=True)
class LogCursor:
    """The number of the last entry that was read, and how many to ask for at once: fewer where the server fails."""

    last: int
    page: int = _PAGE

    def to_text(self) -> str:
        return to_cursor(event_id=self.last, **({} if self.page == _PAGE else {"page": self.page}))

    @staticmethod
    def parse(text: str) -> "LogCursor":
        """Read what `to_text` wrote.

        Raises:
            Permanent: somebody edited it into something else.
        """
        return parse_cursor(text, _of_fields, _HOW)


def _of_fields(fields: Mapping[str, Any]) -> LogCursor:
    last, page = fields["event_id"], fields.get("page", _PAGE)
    if not isinstance(last, int) or last < 0 or page not in range(1, _PAGE + 1):
        raise ValueError(fields)
    return LogCursor(last, page)


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
        if not cursor:
            return Polled((), LogCursor(newest).to_text(), 0, "the log is read for the first time")
        known = LogCursor.parse(cursor)
        if known.last > newest:
            gap = f"the log ends at {newest}, and {known.last} was read: it was restored"
            return Polled((), LogCursor(newest).to_text(), 0, gap)
        return self._read(known, newest, limit)

    def acknowledge(self, polled: Polled) -> None:
        """Nothing to do: the log forgets by itself, and the cursor of the sensor is the memory."""

    def _read(self, known: LogCursor, newest: int, limit: Limit) -> Polled:
        deadline = time.monotonic() + limit.seconds
        messages: list[Message] = []
        last, size = known.last, known.page
        taken, gap, first = 0, "", last + 1
        while last < newest and len(messages) < limit.messages and taken < limit.bytes:
            try:
                page = self._client.read_events(last, min(size, limit.messages - len(messages)))
            except CallFailed:
                if size == 1 and not messages:
                    raise
                size = max(1, size // 2)  # the next look asks for less: entries of wide tables are megabytes each
                break
            size = min(_PAGE, size * 2)
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
        return Polled(messages, LogCursor(last, size).to_text(), max(0, newest - last), gap)


def _to_message(event: Any) -> Message:
    fields = {name: getattr(event, name, None) for name in _FIELDS}
    payload = json.dumps(fields, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return Message(f"{event.eventId}@{event.eventTime}:{event.eventType}", payload, float(event.eventTime))
