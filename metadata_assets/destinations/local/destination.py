"""Reads and writes the JSON catalog."""

import time
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Engine, select, update
from sqlalchemy.dialects import postgresql, sqlite

from metadata_assets.catalog.diff import compare
from metadata_assets.model.entity import Change, Changes, Entry, Outcome, Published, Receipt, Wanted
from metadata_assets.store import codec
from metadata_assets.store.engine import writing
from metadata_assets.store.published import parse_entry
from metadata_assets.store.tables import local_catalog


class LocalCatalog:
    """One row an entry. A removed entry keeps its last content, marked with when it was removed."""

    def __init__(self, name: str, engine: Engine) -> None:
        self._name = name
        self._engine = engine
        self._insert = (postgresql if engine.dialect.name == "postgresql" else sqlite).insert

    def diff(self, wanted: Wanted, published: Mapping[str, Published]) -> Changes:
        """Compares with the rows themselves: they are at hand, so nothing is taken from memory."""
        return compare(wanted, self.read())

    def read(self) -> dict[str, Entry | None]:
        """Subject → entry, None where it was removed."""
        with self._engine.connect() as connection:
            rows = connection.execute(select(local_catalog).where(local_catalog.c.destination == self._name)).all()
        return {r.subject: None if r.removed_at else parse_entry(r.subject, r.content) for r in rows}

    def apply(self, changes: Changes) -> Receipt:
        """All changes in one transaction."""
        with writing(self._engine) as connection:
            for change in changes.changes:
                self._write(connection, change)
        return Receipt(tuple(Outcome(c.subject) for c in changes.changes))

    def _write(self, connection: Connection, change: Change) -> None:
        if change.wanted is None:
            here = (local_catalog.c.destination == self._name) & (local_catalog.c.subject == change.subject)
            connection.execute(update(local_catalog).where(here).values(removed_at=time.time()))
            return
        row: dict[str, Any] = {
            "destination": self._name,
            "subject": change.subject,
            "content": codec.to_json(change.wanted),
            "removed_at": None,
        }
        statement = self._insert(local_catalog).values(row)
        new = {"content": statement.excluded.content, "removed_at": None}
        connection.execute(statement.on_conflict_do_update(index_elements=["destination", "subject"], set_=new))
