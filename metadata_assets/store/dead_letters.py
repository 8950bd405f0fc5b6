"""Dead letters: messages that could not be read, or not all of them, kept with their bytes until they can be."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, Select, delete, func, or_, select, update

from metadata_assets.store.codec import key_text, storable
from metadata_assets.store.engine import chunks, insert_into, writing
from metadata_assets.store.tables import dead_letters
from metadata_assets.store.work import keep_state, read_state

PAGE = 50
# A topic of nothing but garbage must not fill the disk: beyond either of these the oldest letters go.
MOST_LETTERS = 10_000
MOST_BYTES = 256 << 20
_DROPPED_STATE = "dead letters dropped"
_LONGEST_REASON = 2000


@dataclass(frozen=True, slots=True)
class BadMessage:
    """A message that becomes a dead letter. Its position is unique in its source: it is kept once.

    `received_at` is the time that the message came with (epoch seconds); `key` belongs to it where there is one.
    `part_of` names the message that it is a part of, for those that their sender cut.
    """

    source: str
    position: str
    payload: bytes
    reason: str
    received_at: float
    key: bytes | None = None
    part_of: str | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """A dead letter without what it holds: `size` is the number of its bytes, `received_at` in epoch seconds."""

    id: int
    source: str
    position: str
    reason: str
    received_at: float
    size: int


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A message that could not be read: where it came from, its bytes, and why not."""

    id: int
    source: str
    position: str
    reason: str
    received_at: float
    payload: bytes
    key: bytes | None


@dataclass(frozen=True, slots=True)
class Choice:
    """Which dead letters are meant: each of `ids`, `source` and `reason` narrows them. `reason` is a part of the text,
    letter case aside."""

    ids: tuple[int, ...] = ()
    source: str | None = None
    reason: str | None = None

    def conditions(self) -> tuple[ColumnElement[bool], ...]:
        found: list[ColumnElement[bool]] = [dead_letters.c.replayed_at.is_(None)]
        if self.ids:
            found.append(or_(*(dead_letters.c.id.in_(part) for part in chunks(self.ids))))
        if self.source is not None:
            found.append(dead_letters.c.source == self.source)
        if self.reason is not None:
            found.append(func.lower(dead_letters.c.reason).contains(self.reason.lower(), autoescape=True))
        return tuple(found)


ALL = Choice()
_LISTED = tuple(dead_letters.c[n] for n in ("id", "source", "position", "reason", "received_at"))
_WHOLE = (*_LISTED, dead_letters.c.payload, dead_letters.c.key)


class DeadLetters:
    """Reads dead letters and takes them away. They are written with what else a look brought: see `Inbox.take_in`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def listed(self, choice: Choice = ALL, *, after: int = 0, most: int = PAGE) -> list[Listed]:
        """A page of those that are still dead, oldest first, beginning after the number of one."""
        query = select(*_LISTED, func.length(dead_letters.c.payload).label("size"))
        return [Listed(**row._mapping) for row in self._page(query, choice, after, most)]

    def open(self, choice: Choice = ALL, *, after: int = 0, most: int = PAGE) -> list[DeadLetter]:
        """The same with what they hold."""
        return [DeadLetter(**row._mapping) for row in self._page(select(*_WHOLE), choice, after, most)]

    def parts(self, source: str, part_of: str) -> list[DeadLetter]:
        """Parts of one message, oldest first, those of a message that could be read by now included."""
        here = (dead_letters.c.source == storable(source), dead_letters.c.part_of == key_text(part_of))
        with self._engine.connect() as connection:
            found = connection.execute(select(*_WHOLE).where(*here).order_by(dead_letters.c.id))
            return [DeadLetter(**row._mapping) for row in found]

    def count(self, choice: Choice = ALL) -> int:
        """How many are still dead, without reading them."""
        with self._engine.connect() as connection:
            return connection.scalar(select(func.count()).where(*choice.conditions())) or 0

    def dropped(self) -> int:
        """How many were dropped since the store was made because there were too many."""
        with self._engine.connect() as connection:
            return int(read_state(connection, _DROPPED_STATE) or 0)

    def discard(self, choice: Choice) -> int:
        """Take dead letters away for good. Returns how many."""
        with writing(self._engine) as connection:
            return connection.execute(delete(dead_letters).where(*choice.conditions())).rowcount

    def _page(self, query: Select[Any], choice: Choice, after: int, most: int) -> Sequence[Any]:
        here = query.where(*choice.conditions(), dead_letters.c.id > after).order_by(dead_letters.c.id).limit(most)
        with self._engine.connect() as connection:
            return connection.execute(here).all()


def keep_letters(connection: Connection, letters: Iterable[BadMessage]) -> int:
    """Keep messages as dead letters. One that is kept already gets the newest reason; one that was read stays read.

    Returns:
        How many were not known before.
    """
    rows = {(row["source"], row["position"]): row for row in map(_to_row, letters)}
    if not rows:
        return 0
    before = connection.scalar(select(func.count()).select_from(dead_letters)) or 0
    statement = insert_into(connection, dead_letters)
    new = {"reason": statement.excluded.reason, "part_of": statement.excluded.part_of}
    still_dead = dead_letters.c.replayed_at.is_(None)
    known = statement.on_conflict_do_update(index_elements=["source", "position"], set_=new, where=still_dead)
    connection.execute(known, list(rows.values()))
    return (connection.scalar(select(func.count()).select_from(dead_letters)) or 0) - before


def drop_oldest(connection: Connection) -> int:
    """Drop letters beyond the limits: first those that could be read by now, then the oldest. The newest one stays.

    Returns:
        How many were dropped that were still dead.
    """
    size = func.length(dead_letters.c.payload)
    number, held = connection.execute(select(func.count(), func.sum(size)).select_from(dead_letters)).one()
    if number <= MOST_LETTERS and (held or 0) <= MOST_BYTES:
        return 0
    is_dead = dead_letters.c.replayed_at.is_(None).label("is_dead")
    query = select(dead_letters.c.id, is_dead, size.label("size")).order_by(is_dead.desc(), dead_letters.c.id.desc())
    kept, gone = 0, []
    for count, row in enumerate(connection.execute(query).all(), 1):
        kept += row.size
        if count > 1 and (count > MOST_LETTERS or kept > MOST_BYTES):
            gone.append(row)
    for part in chunks([row.id for row in gone]):
        connection.execute(delete(dead_letters).where(dead_letters.c.id.in_(part)))
    lost = sum(1 for row in gone if row.is_dead)
    if lost:
        keep_state(connection, _DROPPED_STATE, int(read_state(connection, _DROPPED_STATE) or 0) + lost)
    return lost


def settle_letters(connection: Connection, source: str, positions: Iterable[str]) -> None:
    """Whatever is dead of a source at these positions could be read now."""
    ours = (dead_letters.c.source == storable(source), dead_letters.c.replayed_at.is_(None))
    if connection.scalar(select(dead_letters.c.id).where(*ours).limit(1)) is None:
        return
    for part in chunks(sorted(map(key_text, positions))):
        these = update(dead_letters).where(*ours, dead_letters.c.position.in_(part))
        connection.execute(these.values(replayed_at=time.time()))


def _to_row(letter: BadMessage) -> dict[str, object]:
    return {
        "source": storable(letter.source),
        "position": key_text(letter.position),
        "payload": letter.payload,
        "reason": storable(letter.reason[:_LONGEST_REASON]),
        "received_at": letter.received_at,
        "key": letter.key,
        "part_of": None if letter.part_of is None else key_text(letter.part_of),
    }
