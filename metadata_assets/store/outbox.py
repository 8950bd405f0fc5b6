"""Events that listeners are still to be told of: stored with what they came with, so that none is lost on the way."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, delete, func, insert, select

from metadata_assets.model.event import ChangeEvent
from metadata_assets.store import codec
from metadata_assets.store.engine import writing
from metadata_assets.store.tables import outbox

# So long an event waits for a listener that does not come back to it.
KEPT_SECONDS = 7 * 86_400.0


@dataclass(frozen=True, slots=True)
class Outgoing:
    """An event with its number in the outbox; numbers grow in the order in which events were stored."""

    id: int
    event: ChangeEvent


class Outbox:
    """Events as they were decoded, until everybody was told."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @staticmethod
    def put(connection: Connection, events: Sequence[ChangeEvent]) -> None:
        """Store events within the transaction that stores what they mean for the catalog."""
        now = time.time()
        if events:
            connection.execute(insert(outbox), [{"event": codec.to_json(e), "stored_at": now} for e in events])

    def after(self, number: int, most: int) -> list[Outgoing]:
        """The oldest events after a number."""
        query = select(outbox.c.id, outbox.c.event).where(outbox.c.id > number).order_by(outbox.c.id).limit(most)
        with self._engine.connect() as connection:
            return [Outgoing(row.id, codec.parse_json(row.event, ChangeEvent)) for row in connection.execute(query)]

    def count_after(self, number: int) -> int:
        with self._engine.connect() as connection:
            return connection.scalar(select(func.count()).select_from(outbox).where(outbox.c.id > number)) or 0

    def clear(self, number: int, before: float) -> int:
        """Forget events up to a number, and those stored before a time (epoch seconds); how many of the latter."""
        told = outbox.c.id <= number
        with self._engine.connect() as connection:
            if connection.scalar(select(outbox.c.id).limit(1)) is None:
                return 0  # as at most ticks: nobody else has to wait for a write then
        with writing(self._engine) as connection:
            connection.execute(delete(outbox).where(told))
            return connection.execute(delete(outbox).where(outbox.c.stored_at < before)).rowcount
