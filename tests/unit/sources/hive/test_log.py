"""The notification log in pages: smaller ones where the server cannot give a large one in time."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from metadata_assets.sources.events.base import Limit
from metadata_assets.sources.hive.client import CallFailed
from metadata_assets.sources.hive.log import HiveLog, LogCursor


@dataclass
class Server:
    """A log of `newest` entries that gives at most `able` of them in one answer."""

    newest: int
    able: int
    asked: list[int] = field(default_factory=list)

    def read_newest_event_id(self) -> int:
        return self.newest

    def read_events(self, after: int, most: int) -> list[Any]:
        self.asked.append(most)
        if most > self.able:
            raise CallFailed("too slow")
        ids = range(after + 1, min(after + most, self.newest) + 1)
        return [SimpleNamespace(eventId=n, eventTime=1, eventType="ALTER_TABLE", message="{}") for n in ids]


def read_all(server: Server, cursor: str, looks: int = 200) -> list[str]:
    log = HiveLog(server)  # type: ignore[arg-type]  # what it asks of a client
    found: list[str] = []
    for _ in range(looks):
        polled = log.poll(cursor, Limit())
        found += [m.position.partition("@")[0] for m in polled.messages]
        cursor = polled.cursor
        if polled.lag == 0:
            break
    return found


@pytest.mark.parametrize("able", [1, 3, 60, 500])
def test_a_server_that_gives_little_at_once_is_asked_for_less(able: int) -> None:
    server = Server(120, able)
    assert read_all(server, LogCursor(0).to_text()) == [str(n) for n in range(1, 121)]


def test_one_entry_that_cannot_be_given_is_an_error() -> None:
    with pytest.raises(CallFailed):
        read_all(Server(5, 0), LogCursor(0).to_text())


def test_pages_grow_again() -> None:
    server = Server(2_000, 500)
    read_all(server, LogCursor(0, 50).to_text())
    assert server.asked[:5] == [50, 100, 200, 400, 500]
