"""Event heads: of each table whose schema is taken from events, the newest one that was taken."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, select

from metadata_assets.model.event import EventOrder
from metadata_assets.store.codec import storable
from metadata_assets.store.engine import chunks, insert_into
from metadata_assets.store.event_order import order_of, order_values
from metadata_assets.store.tables import event_heads


@dataclass(frozen=True, slots=True)
class EventHead:
    """The newest event of a table from which its schema was taken, and the order key of the fact that it became."""

    source: str
    subject: str
    order: EventOrder
    fact_order: int


class EventHeads:
    """Reads event heads. They are written when their events are dealt with: see `Inbox.finish`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def of(self, subjects: Iterable[str]) -> dict[tuple[str, str], EventHead]:
        """(source, subject) → the newest event whose table was taken."""
        found = {}
        with self._engine.connect() as connection:
            for part in chunks(sorted(set(subjects))):
                for row in connection.execute(select(event_heads).where(event_heads.c.subject.in_(part))):
                    found[row.source, row.subject] = EventHead(row.source, row.subject, order_of(row), row.fact_order)
        return found


def keep_heads(connection: Connection, heads: Iterable[EventHead]) -> None:
    """Remember these as the newest of their tables and sources."""
    if rows := [_to_row(head) for head in heads]:
        statement = insert_into(connection, event_heads)
        new = {c: statement.excluded[c] for c in ("order_key", "numbered", "occurred_at", "fact_order")}
        connection.execute(statement.on_conflict_do_update(index_elements=["source", "subject"], set_=new), rows)


def _to_row(head: EventHead) -> dict[str, object]:
    return {
        "source": storable(head.source),
        "subject": storable(head.subject),
        **order_values(head.order),
        "fact_order": head.fact_order,
    }
