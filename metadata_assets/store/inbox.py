"""The event inbox and the dead letters: events are stored before anything acts on them, and each only once."""

import json
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Engine, Row, Select, case, false, func, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from metadata_assets.model.event import ChangeEvent, EventKind, EventOrder
from metadata_assets.model.table import Table, TableName
from metadata_assets.store import codec
from metadata_assets.store.codec import storable
from metadata_assets.store.engine import chunks, exclusively, writing
from metadata_assets.store.event_order import order_of, order_values
from metadata_assets.store.outbox import Outbox
from metadata_assets.store.tables import column_moves, data_changes, dead_letters, event_heads, events, moves


@dataclass(frozen=True, slots=True)
class WaitingEvent:
    """An event that nothing has dealt with yet, with its number in the inbox; `received_at` in epoch seconds."""

    id: int
    event: ChangeEvent
    received_at: float


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


@dataclass(frozen=True, slots=True)
class DueEvents:
    """Events of one kind, subject and source that are due: one or thousands of them ask for the same."""

    kind: EventKind
    subject: str
    source: str


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
class EventHead:
    """The newest event of a table from which its schema was taken, and the order key of the fact that it became."""

    source: str
    subject: str
    order: EventOrder
    fact_order: int


@dataclass(frozen=True, slots=True)
class Arrivals:
    """What one look at a source brought. `data_changes`: table subject → when its data changed (epoch seconds);
    `replayed` are numbers of dead letters that could be read this time; `told` the events for listeners."""

    events: tuple[ChangeEvent, ...] = ()
    dead: tuple[BadMessage, ...] = ()
    data_changes: Mapping[str, float] = field(default_factory=dict)
    replayed: tuple[int, ...] = ()
    told: tuple[ChangeEvent, ...] = ()


class Inbox:
    """Stores change events until a run has dealt with them."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._insert = (postgresql if engine.dialect.name == "postgresql" else sqlite).insert

    def store(self, arrived: Iterable[ChangeEvent]) -> int:
        """Store events; those whose `dedupe_id` is known already are left out. Returns how many are new."""
        return self.take_in(Arrivals(tuple(arrived)))

    def take_in(self, arrivals: Arrivals) -> int:
        """Store all that one look at a source brought, in one transaction. Returns how many events are new.

        What was stored before is left as it is, so the same look may be taken again after a crash.
        """
        rows: dict[str, dict[str, object]] = {}
        for event in arrivals.events:
            rows.setdefault(event.dedupe_id, _to_row(event))
        statement = self._insert(events).on_conflict_do_nothing(index_elements=["dedupe_id"]).returning(events.c.id)
        if arrivals == Arrivals():
            return 0
        with writing(self._engine) as connection:
            exclusively(connection, events)  # else two that bring the same events in two orders would block each other
            new = len(connection.execute(statement, list(rows.values())).all()) if rows else 0
            self._note_data_changes(connection, arrivals.data_changes)
            if moved := [_to_move(event) for event in arrivals.events if event.move]:
                connection.execute(self._insert(moves).on_conflict_do_nothing(), moved)
            if columns := [row for event in arrivals.events for row in _to_column_moves(event)]:
                connection.execute(self._insert(column_moves).on_conflict_do_nothing(), columns)
            if arrivals.dead:
                dead = [_to_dead_row(letter) for letter in arrivals.dead]
                connection.execute(self._insert(dead_letters).on_conflict_do_nothing(), dead)
            Outbox.put(connection, arrivals.told)
            for part in chunks(sorted(arrivals.replayed)):
                these = update(dead_letters).where(dead_letters.c.id.in_(part))
                connection.execute(these.values(replayed_at=time.time()))
        return new

    def _note_data_changes(self, connection: Connection, changes: Mapping[str, float]) -> None:
        if not changes:
            return
        statement = self._insert(data_changes)
        later = case((statement.excluded.at > data_changes.c.at, statement.excluded.at), else_=data_changes.c.at)
        rows = [{"subject": storable(s), "at": at} for s, at in sorted(changes.items())]
        connection.execute(statement.on_conflict_do_update(index_elements=["subject"], set_={"at": later}), rows)

    def waiting(
        self, *, kinds: Collection[EventKind] | None = None, databases: Collection[str] | None = None
    ) -> list[WaitingEvent]:
        """Events not dealt with, oldest first: all, those of some kinds, or those of tables of some databases."""
        query = select(events).where(events.c.done_at.is_(None)).order_by(events.c.id)
        if kinds is not None:
            query = query.where(events.c.kind.in_(sorted(kinds)))
        if databases is not None:
            starts = (TableName(d, "").subject for d in sorted(databases))
            query = query.where(or_(false(), *(events.c.subject.startswith(s, autoescape=True) for s in starts)))
        return [_to_waiting(row) for row in self._rows(query)]

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
        done = {"done_at": time.time(), "run_id": run_id, "outcome": storable(outcome)}
        with writing(self._engine) as connection:
            exclusively(connection, events)
            for part in chunks(sorted(ids)):
                connection.execute(
                    update(events).where(events.c.id.in_(part), events.c.done_at.is_(None)).values(**done)
                )
            if heads:
                statement = self._insert(event_heads)
                new = {c: statement.excluded[c] for c in ("order_key", "numbered", "occurred_at", "fact_order")}
                known = statement.on_conflict_do_update(index_elements=["source", "subject"], set_=new)
                connection.execute(known, [_to_head_row(h) for h in heads])

    def heads(self, subjects: Iterable[str]) -> dict[tuple[str, str], EventHead]:
        """(source, subject) → the newest event whose table was taken."""
        found = {}
        for part in chunks(sorted(set(subjects))):
            for row in self._rows(select(event_heads).where(event_heads.c.subject.in_(part))):
                found[row.source, row.subject] = EventHead(row.source, row.subject, order_of(row), row.fact_order)
        return found

    def data_changes(self) -> dict[str, float]:
        """Table subject → when its data last changed (epoch seconds), as events told it."""
        return {row.subject: row.at for row in self._rows(select(data_changes))}

    def dead(self) -> list[DeadLetter]:
        """Dead letters that were not replayed, oldest first."""
        query = select(dead_letters).where(dead_letters.c.replayed_at.is_(None)).order_by(dead_letters.c.id)
        return [DeadLetter(**row._mapping) for row in self._rows(query)]

    def letters(self, source: str, reason: str) -> list[DeadLetter]:
        """Dead letters of a source with exactly this reason, oldest first, those that were replayed included."""
        here = (dead_letters.c.source == storable(source), dead_letters.c.reason == _kept_reason(reason))
        return [
            DeadLetter(**r._mapping) for r in self._rows(select(dead_letters).where(*here).order_by(dead_letters.c.id))
        ]

    def count_dead(self) -> int:
        """How many dead letters were not replayed, without reading them."""
        with self._engine.connect() as connection:
            return connection.scalar(select(func.count()).where(dead_letters.c.replayed_at.is_(None))) or 0


def _to_row(event: ChangeEvent) -> dict[str, object]:
    return {
        "dedupe_id": storable(event.dedupe_id),
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
        None if row.after is None else codec.parse_json(row.after, Table),
        row.tentative,
    )
    return WaitingEvent(row.id, event, row.received_at)


def _to_move(event: ChangeEvent) -> dict[str, object]:
    return {
        "source": storable(event.source),
        "subject": storable(event.subject),
        "what": event.move,
        **order_values(event.order),
        "previous": None if event.previous is None else storable(event.previous),
    }


def _to_column_moves(event: ChangeEvent) -> Iterator[dict[str, object]]:
    for previous, name in event.columns_renamed:
        yield {
            "source": storable(event.source),
            "subject": storable(event.subject),
            **order_values(event.order),
            "previous": storable(previous),
            "name": storable(name),
        }


def _to_dead_row(letter: BadMessage) -> dict[str, object]:
    return {
        "source": storable(letter.source),
        "position": storable(letter.position),
        "payload": letter.payload,
        "reason": _kept_reason(letter.reason),
        "received_at": letter.received_at,
        "key": letter.key,
    }


def _kept_reason(reason: str) -> str:
    return storable(reason[:2000])


def _to_head_row(head: EventHead) -> dict[str, object]:
    return {
        "source": storable(head.source),
        "subject": storable(head.subject),
        **order_values(head.order),
        "fact_order": head.fact_order,
    }
