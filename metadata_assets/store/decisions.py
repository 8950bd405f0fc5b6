"""People's verdicts on tags, kept with their history: the newest of a tag and scope stands."""

import time

from sqlalchemy import Engine, insert, select

from metadata_assets.model.claims import Decision
from metadata_assets.store import codec
from metadata_assets.store.engine import writing
from metadata_assets.store.tables import decisions


class Decisions:
    """Appends and reads decisions; none is ever taken away, a later one replaces it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def record(self, decision: Decision) -> None:
        row = {
            "tag": decision.tag,
            "scope": decision.scope,
            "content": codec.to_json(decision),
            "decided_at": time.time(),
        }
        with writing(self._engine) as connection:
            connection.execute(insert(decisions), [row])

    def standing(self) -> list[Decision]:
        """The newest decision of each tag and scope, expired ones included, in the order in which they were made."""
        with self._engine.connect() as connection:
            rows = connection.execute(select(decisions).order_by(decisions.c.id)).all()
        newest = {(r.tag, r.scope): codec.parse_json(r.content, Decision) for r in rows}
        return list(newest.values())
