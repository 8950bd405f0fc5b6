"""The event inbox: events are stored before anything acts on them, and each only once."""

import json
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine, Row, Select, false, func, or_, select, update

from metadata_assets.model.event import ChangeEvent, EventKind
from metadata_assets.model.table import Table, TableName
from metadata_assets.store import codec
from metadata_assets.store.codec import storable
from metadata_assets.store.data_changes import note_changes
from metadata_assets.store.dead_letters import BadMessage, keep_letters, settle_letters
from metadata_assets.store.engine import chunks, exclusively, insert_into, writing
from metadata_assets.store.event_heads import EventHead, keep_heads
from metadata_assets.store.event_order import order_values
from metadata_assets.store.moves import note_moves
from metadata_assets.store.outbox import Outbox
from metadata_assets.store.tables import events


@dataclass(frozen=True, slots=True)
class WaitingEvent:
    """An event that nothing has dealt with yet, with its number in the inbox; `received_at` in epoch seconds."""

    id: int
    event: ChangeEvent
    received_at: float


@dataclass(frozen=True, slots=True)
class DueEvents:
    """Events of one kind, subject and source that are due: one or thousands of them ask for the same."""

    kind: EventKind
    subject: str
    source: str


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
        if arrivals == Arrivals():
            return 0
        with writing(self._engine) as connection:
            statement = insert_into(connection, events).on_conflict_do_nothing(index_elements=["dedupe_id"])
            exclusively(connection, events)  # else two that bring the same events in two orders would block each other
            new = len(connection.execute(statement.returning(events.c.id), list(rows.values())).all()) if rows else 0
            note_changes(connection, arrivals.data_changes)
            note_moves(connection, arrivals.events)
            keep_letters(connection, arrivals.dead)
            Outbox.put(connection, arrivals.told)
            settle_letters(connection, arrivals.replayed)
        return new

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
            keep_heads(connection, heads)


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
