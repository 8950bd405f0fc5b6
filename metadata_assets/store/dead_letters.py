"""Dead letters: messages that could not be read, kept with their bytes until they can be."""

import time
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, func, select, update

from metadata_assets.store.codec import storable
from metadata_assets.store.engine import chunks, insert_into
from metadata_assets.store.tables import dead_letters

_LONGEST_REASON = 2000


@dataclass(frozen=True, slots=True)
class BadMessage:
    """A message that becomes a dead letter. Its position is unique in its source: it is kept once.

    `received_at` is the time that the message came with (epoch seconds); `key` belongs to it where there is one.
    """

    source: str
    position: str
    payload: bytes
    reason: str
    received_at: float
    key: bytes | None = None


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A message that could not be decoded: where it was read, its bytes, and why not."""

    id: int
    source: str
    position: str
    payload: bytes
    reason: str
    received_at: float
    replayed_at: float | None
    key: bytes | None


class DeadLetters:
    """Reads dead letters. They are written with whatever else a look at a source brought: see `Inbox.take_in`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def open(self) -> list[DeadLetter]:
        """Dead letters that were not replayed, oldest first."""
        query = select(dead_letters).where(dead_letters.c.replayed_at.is_(None)).order_by(dead_letters.c.id)
        with self._engine.connect() as connection:
            return [DeadLetter(**row._mapping) for row in connection.execute(query)]

    def with_reason(self, source: str, reason: str) -> list[DeadLetter]:
        """Dead letters of a source with exactly this reason, oldest first, those that were replayed included."""
        here = (dead_letters.c.source == storable(source), dead_letters.c.reason == _kept_reason(reason))
        query = select(dead_letters).where(*here).order_by(dead_letters.c.id)
        with self._engine.connect() as connection:
            return [DeadLetter(**row._mapping) for row in connection.execute(query)]

    def count(self) -> int:
        """How many dead letters were not replayed, without reading them."""
        with self._engine.connect() as connection:
            return connection.scalar(select(func.count()).where(dead_letters.c.replayed_at.is_(None))) or 0


def keep_letters(connection: Connection, letters: Iterable[BadMessage]) -> None:
    """Keep messages as dead letters; one that is kept already stays as it is."""
    if rows := [_to_row(letter) for letter in letters]:
        connection.execute(insert_into(connection, dead_letters).on_conflict_do_nothing(), rows)


def settle_letters(connection: Connection, ids: Iterable[int]) -> None:
    """These could be read now."""
    for part in chunks(sorted(ids)):
        these = update(dead_letters).where(dead_letters.c.id.in_(part))
        connection.execute(these.values(replayed_at=time.time()))


def _to_row(letter: BadMessage) -> dict[str, object]:
    return {
        "source": storable(letter.source),
        "position": storable(letter.position),
        "payload": letter.payload,
        "reason": _kept_reason(letter.reason),
        "received_at": letter.received_at,
        "key": letter.key,
    }


def _kept_reason(reason: str) -> str:
    return storable(reason[:_LONGEST_REASON])
