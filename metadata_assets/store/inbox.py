"""The event inbox and the dead letters: events are stored before anything acts on them, and each only once."""

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from metadata_assets.model.event import ChangeEvent
from metadata_assets.store.engine import writing
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
        rows = [
            {
                "dedupe_id": e.dedupe_id,
                "source": e.source,
                "kind": e.kind,
                "subject": e.subject,
                "order_key": e.order_key,
                "occurred_at": e.occurred_at,
                "details": json.dumps(e.details, sort_keys=True),
                "received_at": time.time(),
            }
            for e in arrived
        ]
        if not rows:
            return 0
        with writing(self._engine) as connection:
            before = connection.scalar(select(func.count()).select_from(events)) or 0
            connection.execute(self._insert(events).on_conflict_do_nothing(index_elements=["dedupe_id"]), rows)
            return (connection.scalar(select(func.count()).select_from(events)) or 0) - before

    def waiting(self, subjects: Iterable[str] | None = None) -> list[WaitingEvent]:
        """Events not dealt with, oldest first; of these subjects only where they are named."""
        wanted = None if subjects is None else set(subjects)
        with self._engine.connect() as connection:
            rows = connection.execute(select(events).where(events.c.done_at.is_(None)).order_by(events.c.id)).all()
        return [
            WaitingEvent(
                r.id,
                ChangeEvent(
                    r.kind, r.subject, r.source, r.dedupe_id, r.order_key, r.occurred_at, json.loads(r.details)
                ),
            )
            for r in rows
            if wanted is None or r.subject in wanted
        ]

    def finish(self, ids: Sequence[int], run_id: str, outcome: str) -> None:
        """Mark events as dealt with."""
        with writing(self._engine) as connection:
            for start in range(0, len(ids), 500):
                connection.execute(
                    update(events)
                    .where(events.c.id.in_(ids[start : start + 500]), events.c.done_at.is_(None))
                    .values(done_at=time.time(), run_id=run_id, outcome=outcome)
                )

    def bury(self, source: str, position: str, payload: bytes, reason: str) -> None:
        """Keep a message that could not be decoded, whole, so that it can be looked at and replayed."""
        row = {
            "source": source,
            "position": position,
            "payload": payload,
            "reason": reason[:2000],
            "received_at": time.time(),
        }
        with writing(self._engine) as connection:
            connection.execute(self._insert(dead_letters), [row])

    def dead(self) -> list[DeadLetter]:
        """Dead letters that were not replayed, oldest first."""
        query = select(dead_letters).where(dead_letters.c.replayed_at.is_(None)).order_by(dead_letters.c.id)
        with self._engine.connect() as connection:
            return [DeadLetter(**r._mapping) for r in connection.execute(query)]

    def mark_replayed(self, ids: Sequence[int]) -> None:
        with writing(self._engine) as connection:
            connection.execute(update(dead_letters).where(dead_letters.c.id.in_(ids)).values(replayed_at=time.time()))
