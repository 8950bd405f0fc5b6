"""The event inbox and the dead letters: events are stored before anything acts on them, and each only once."""

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, Row, Select, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from metadata_assets.model.event import ChangeEvent
from metadata_assets.store.codec import storable
from metadata_assets.store.engine import chunks, exclusively, writing
from metadata_assets.store.tables import dead_letters, events


@dataclass(frozen=True, slots=True)
class WaitingEvent:
    """An event that nothing has dealt with yet, with its number in the inbox."""

    id: int
    event: ChangeEvent


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


class Inbox:
    """Stores change events until a run has dealt with them."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._insert = (postgresql if engine.dialect.name == "postgresql" else sqlite).insert

    def store(self, arrived: Iterable[ChangeEvent]) -> int:
        """Store events; those whose `dedupe_id` is known already are left out. Returns how many are new."""
        rows: dict[str, dict[str, object]] = {}
        for event in arrived:
            rows.setdefault(event.dedupe_id, _to_row(event))
        statement = self._insert(events).on_conflict_do_nothing(index_elements=["dedupe_id"]).returning(events.c.id)
        if not rows:
            return 0
        with writing(self._engine) as connection:
            exclusively(connection, events)  # else two that bring the same events in two orders would block each other
            return len(connection.execute(statement, list(rows.values())).all())

    def waiting(self, subjects: Iterable[str] | None = None) -> list[WaitingEvent]:
        """Events not dealt with, oldest first; of these subjects only where they are named."""
        query = select(events).where(events.c.done_at.is_(None)).order_by(events.c.id)
        if subjects is None:
            return [_to_waiting(row) for row in self._rows(query)]
        rows = (
            r for part in chunks(sorted(set(subjects))) for r in self._rows(query.where(events.c.subject.in_(part)))
        )
        return sorted((_to_waiting(row) for row in rows), key=lambda waiting: waiting.id)

    def due_subjects(self, now: float) -> list[str]:
        """Subjects of events that are not dealt with and whose next try is due."""
        query = select(events.c.subject).where(events.c.done_at.is_(None), events.c.due_at <= now).distinct()
        return [row.subject for row in self._rows(query)]

    def postpone(self, ids: Sequence[int], until: float) -> None:
        """Leave events waiting, but not before a time (epoch seconds): what they ask for has just failed."""
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

    def finish(self, ids: Sequence[int], run_id: str, outcome: str) -> None:
        """Mark events as dealt with."""
        done = {"done_at": time.time(), "run_id": run_id, "outcome": storable(outcome)}
        with writing(self._engine) as connection:
            exclusively(connection, events)
            for part in chunks(sorted(ids)):
                connection.execute(
                    update(events).where(events.c.id.in_(part), events.c.done_at.is_(None)).values(**done)
                )

    def bury(self, source: str, position: str, payload: bytes, reason: str) -> None:
        """Keep a message that could not be decoded, whole, so that it can be looked at and replayed."""
        row = {
            "source": storable(source),
            "position": storable(position),
            "payload": payload,
            "reason": storable(reason[:2000]),
            "received_at": time.time(),
        }
        with writing(self._engine) as connection:
            connection.execute(self._insert(dead_letters), [row])

    def dead(self) -> list[DeadLetter]:
        """Dead letters that were not replayed, oldest first."""
        query = select(dead_letters).where(dead_letters.c.replayed_at.is_(None)).order_by(dead_letters.c.id)
        return [DeadLetter(**row._mapping) for row in self._rows(query)]

    def mark_replayed(self, ids: Sequence[int]) -> None:
        with writing(self._engine) as connection:
            for part in chunks(sorted(ids)):
                connection.execute(
                    update(dead_letters).where(dead_letters.c.id.in_(part)).values(replayed_at=time.time())
                )


def _to_row(event: ChangeEvent) -> dict[str, object]:
    return {
        "dedupe_id": storable(event.dedupe_id),
        "source": storable(event.source),
        "kind": event.kind,
        "subject": storable(event.subject),
        "order_key": event.order_key,
        "occurred_at": event.occurred_at,
        "details": json.dumps(event.details, sort_keys=True),
        "received_at": (now := time.time()),
        "due_at": now,
    }


def _to_waiting(row: Row[Any]) -> WaitingEvent:
    details = json.loads(row.details)
    event = ChangeEvent(row.kind, row.subject, row.source, row.dedupe_id, row.order_key, row.occurred_at, details)
    return WaitingEvent(row.id, event)
