"""Notices, each matter once, and which channel was told of it when."""

import time
from collections.abc import Iterable, Sequence

from sqlalchemy import Engine, and_, delete, or_, select

from metadata_assets.model.notice import Notice
from metadata_assets.store.codec import storable
from metadata_assets.store.engine import chunks, exclusively, insert_into, writing
from metadata_assets.store.tables import notice_deliveries, notices

# A matter that lasts is told again after a day.
REPEAT_SECONDS = 86_400.0
_LONGEST = 1000


class Notices:
    """Reads and writes notices."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def note(self, found: Iterable[Notice]) -> None:
        """Remember notices; one whose matter is known gets the new text."""
        now = time.time()
        rows = {
            n.key: {"key": storable(n.key), "severity": n.severity, "text": storable(n.text)[:_LONGEST], "at": now}
            for n in found
        }
        if not rows:
            return
        with writing(self._engine) as connection:
            statement = insert_into(connection, notices)
            new = {c: statement.excluded[c] for c in ("severity", "text", "at")}
            exclusively(connection, notices)
            known = statement.on_conflict_do_update(index_elements=["key"], set_=new)
            connection.execute(known, [rows[key] for key in sorted(rows)])

    def settle(self, keys: Sequence[str]) -> None:
        """These matters are over: if one comes back, it is told anew."""
        if not keys:
            return
        with writing(self._engine) as connection:
            for part in chunks(sorted(keys)):
                connection.execute(delete(notices).where(notices.c.key.in_(part)))
                connection.execute(delete(notice_deliveries).where(notice_deliveries.c.key.in_(part)))

    def open_keys(self, prefix: str) -> set[str]:
        """Keys of matters that begin with this."""
        with self._engine.connect() as connection:
            query = select(notices.c.key).where(notices.c.key.startswith(prefix, autoescape=True))
            return set(connection.scalars(query))

    def due(self, channel: str, now: float, most: int) -> list[Notice]:
        """What a channel has not been told, or was told a day ago and has come up since; oldest first."""
        here = and_(notice_deliveries.c.key == notices.c.key, notice_deliveries.c.channel == channel)
        sent = notice_deliveries.c.sent_at
        lasting = and_(notices.c.at > sent, sent <= now - REPEAT_SECONDS)
        query = select(notices).outerjoin(notice_deliveries, here).where(or_(sent.is_(None), lasting))
        with self._engine.connect() as connection:
            rows = connection.execute(query.order_by(notices.c.at).limit(most)).all()
        return [Notice(r.key, r.severity, r.text) for r in rows]

    def mark_sent(self, channel: str, keys: Iterable[str], now: float) -> None:
        rows = [{"channel": channel, "key": key, "sent_at": now} for key in sorted(set(keys))]
        if rows:
            with writing(self._engine) as connection:
                statement = insert_into(connection, notice_deliveries)
                new = {"sent_at": statement.excluded.sent_at}
                known = statement.on_conflict_do_update(index_elements=["channel", "key"], set_=new)
                connection.execute(known, rows)
