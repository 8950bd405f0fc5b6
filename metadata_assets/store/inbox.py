"""The event inbox: events are stored before anything acts on them, and each only once."""

import json
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, Row, Select, false, func, or_, select, update

from metadata_assets.model.event import ChangeEvent, EventKind
from metadata_assets.model.table import Table, TableName
from metadata_assets.store import codec
from metadata_assets.store.codec import key_text, storable
from metadata_assets.store.data_changes import NEVER, DataChange, known_changes, note_changes
from metadata_assets.store.dead_letters import BadMessage, drop_oldest, keep_letters, settle_letters
from metadata_assets.store.engine import chunks, exclusively, insert_into, writing
from metadata_assets.store.event_heads import EventHead, keep_heads
from metadata_assets.store.event_order import order_values
from metadata_assets.store.moves import note_moves
from metadata_assets.store.outbox import Outbox
from metadata_assets.store.tables import events
from metadata_assets.store.work import mark

PROFILE_ASKED = "profile asked for"  # why the entry of a table is to be merged again: its profile comes first

_PAGE = 1000
_LIGHT = (*(c for c in events.c if c is not events.c.after), events.c.after.is_not(None).label("shows"))


@dataclass(frozen=True, slots=True)
class WaitingEvent:
    """An event that nothing has dealt with yet, with its number in the inbox; `received_at` in epoch seconds.

    Thousands may wait, and a table may have thousands of columns: the event comes without the one that it `shows`.
    """

    id: int
    event: ChangeEvent
    received_at: float
    shows: bool = False


@dataclass(frozen=True, slots=True)
class DueEvents:
    """Events of one kind, subject and source that are due: one or thousands of them ask for the same."""

    kind: EventKind
    subject: str
    source: str


@dataclass(frozen=True, slots=True)
class Arrivals:
    """What one look at a source brought: events, messages that cannot be read, and what is told of the data of tables,
    by subject. `read` are positions in `source` whose messages could be read whole; `told` the events for listeners."""

    events: tuple[ChangeEvent, ...] = ()
    dead: tuple[BadMessage, ...] = ()
    data_changes: Mapping[str, DataChange] = field(default_factory=dict)
    source: str = ""
    read: Collection[str] = ()
    told: tuple[ChangeEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What of some arrivals was not known before: keys of events, and numbers of dead letters. `known_changes` is what
    was known of the data of their tables; `dropped` dead letters had to make room."""

    keys: frozenset[str] = frozenset()
    letters: int = 0
    known_changes: Mapping[str, DataChange] = field(default_factory=dict)
    dropped: int = 0

    def is_new(self, event: ChangeEvent) -> bool:
        return key_text(event.dedupe_id) in self.keys


class Inbox:
    """Stores change events until a run has dealt with them."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def store(self, arrived: Iterable[ChangeEvent]) -> int:
        """Store events; those whose `dedupe_id` is known already are left out. Returns how many are new."""
        return len(self.take_in(Arrivals(tuple(arrived))).keys)

    def take_in(self, arrivals: Arrivals) -> TakenIn:
        """Store all that one look at a source brought, in one transaction.

        What was stored before is left as it is, so the same look may be taken again after a crash. A message that could
        be read settles its dead letter, if it has one.
        """
        if arrivals == Arrivals():
            return TakenIn()
        by_key: dict[str, ChangeEvent] = {}
        for event in arrivals.events:
            by_key.setdefault(key_text(event.dedupe_id), event)
        with writing(self._engine) as connection:
            exclusively(connection, events)  # else two that bring the same events in two orders would block each other
            new = _insert_events(connection, by_key)
            note_moves(connection, [by_key[key] for key in new])
            known = known_changes(connection, arrivals.data_changes)
            note_changes(connection, arrivals.data_changes)
            mark(connection, _asked_for(arrivals.data_changes, known), PROFILE_ASKED)
            letters = keep_letters(connection, arrivals.dead)
            dropped = drop_oldest(connection) if letters else 0
            Outbox.put(connection, arrivals.told)
            settle_letters(connection, arrivals.source, arrivals.read)
        return TakenIn(frozenset(new), letters, known, dropped)

    def waiting(
        self,
        *,
        kinds: Collection[EventKind] | None = None,
        databases: Collection[str] | None = None,
        holds: Callable[[str], bool] = lambda _: True,
        most: int | None = None,
    ) -> list[WaitingEvent]:
        """Events not dealt with, oldest first: all, those of some kinds, or those of tables of some databases.

        Args:
            kinds: of which kinds.
            databases: of tables of which databases.
            holds: of which subjects, asked of those that are left.
            most: how many; those that are due go before those whose last try failed, or these would keep them out.
        """
        conditions: list[ColumnElement[bool]] = [events.c.done_at.is_(None)]
        if kinds is not None:
            conditions.append(events.c.kind.in_(sorted(kinds)))
        if databases is not None:
            starts = (TableName(d, "").subject for d in sorted(databases))
            conditions.append(or_(false(), *(events.c.subject.startswith(s, autoescape=True) for s in starts)))
        now = time.time()
        found: list[WaitingEvent] = []
        for is_due in (events.c.due_at <= now, events.c.due_at > now):
            left = None if most is None else most - len(found)
            found += islice((w for w in self._paged(*conditions, is_due) if holds(w.event.subject)), left)
        return sorted(found, key=lambda w: w.id)

    def _paged(self, *conditions: ColumnElement[bool]) -> Iterator[WaitingEvent]:
        query = select(*_LIGHT).where(*conditions).order_by(events.c.id).limit(_PAGE)
        last = 0
        while rows := self._rows(query.where(events.c.id > last)):
            yield from map(_to_waiting, rows)
            last = rows[-1].id

    def shown(self, ids: Sequence[int]) -> dict[int, Table]:
        """Number of an event → the table that it shows, of those that do."""
        found = {}
        for part in chunks(ids):
            here = events.c.id.in_(part) & events.c.after.is_not(None)
            for row in self._rows(select(events.c.id, events.c.after).where(here)):
                found[row.id] = codec.parse_json(row.after, Table)
        return found

    def due(self, now: float) -> list[DueEvents]:
        """What events that are not dealt with and whose next try is due are about, however many they are."""
        here = (events.c.done_at.is_(None), events.c.due_at <= now)
        query = select(events.c.kind, events.c.subject, events.c.source).where(*here).distinct()
        return [DueEvents(**row._mapping) for row in self._rows(query)]

    def postpone(self, ids: Sequence[int], until: float) -> None:
        """Leave events waiting, but not before a time (epoch seconds): what they ask for has just failed."""
        if not ids:
            return
        with writing(self._engine) as connection:
            exclusively(connection, events)
            for part in chunks(sorted(ids)):
                connection.execute(update(events).where(events.c.id.in_(part)).values(due_at=until))

    def count_waiting(self) -> int:
        """How many events are not dealt with, without reading them."""
        with self._engine.connect() as connection:
            return connection.scalar(select(func.count()).where(events.c.done_at.is_(None))) or 0

    def _rows(self, query: Select[Any]) -> list[Row[Any]]:
        with self._engine.connect() as connection:
            return list(connection.execute(query))

    def finish(self, ids: Sequence[int], run_id: str, outcome: str, heads: Sequence[EventHead] = ()) -> None:
        """Mark events as dealt with, and remember the newest of them by table where schemas are taken from events."""
        if not ids and not heads:
            return
        done = {"done_at": time.time(), "run_id": run_id, "outcome": storable(outcome), "after": None}
        with writing(self._engine) as connection:
            exclusively(connection, events)
            for part in chunks(sorted(ids)):
                connection.execute(
                    update(events).where(events.c.id.in_(part), events.c.done_at.is_(None)).values(**done)
                )
            keep_heads(connection, heads)


def _insert_events(connection: Connection, by_key: Mapping[str, ChangeEvent]) -> list[str]:
    """Store events by their keys. Returns the keys that are new."""
    if not by_key:
        return []
    statement = insert_into(connection, events).on_conflict_do_nothing(index_elements=["dedupe_id"])
    rows = [_to_row(key, event) for key, event in by_key.items()]
    return list(connection.scalars(statement.returning(events.c.dedupe_id), rows))


def _asked_for(changes: Mapping[str, DataChange], known: Mapping[str, DataChange]) -> list[str]:
    """Tables whose profile is asked for anew."""
    return [s for s, change in changes.items() if change.asked_at > known.get(s, NEVER).asked_at]


def _to_row(key: str, event: ChangeEvent) -> dict[str, object]:
    return {
        "dedupe_id": key,
        "source": storable(event.source),
        "kind": event.kind,
        "subject": storable(event.subject),
        **order_values(event.order),
        "details": json.dumps(event.details, sort_keys=True),
        "tentative": event.tentative,
        "previous": None if event.previous is None else storable(event.previous),
        "after": None if event.after is None else codec.to_json(event.after),
        "received_at": (now := time.time()),
        "due_at": now,
    }


def _to_waiting(row: Row[Any]) -> WaitingEvent:
    event = ChangeEvent(
        row.kind,
        row.subject,
        row.source,
        row.dedupe_id,
        row.order_key,
        row.occurred_at,
        json.loads(row.details),
        row.numbered,
        row.previous,
        tentative=row.tentative,
    )
    return WaitingEvent(row.id, event, row.received_at, row.shows)
