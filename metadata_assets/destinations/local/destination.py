"""Reads and writes the JSON catalog."""

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, OperationalError

from metadata_assets.catalog.diff import compare
from metadata_assets.errors import Permanent, Transient
from metadata_assets.model.entity import Entry
from metadata_assets.model.publication import Change, Changes, Outcome, Published, Receipt, Refusal, Wanted
from metadata_assets.store import codec
from metadata_assets.store.engine import chunks, writing
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
        storable = {e.subject for e in wanted.entries} | wanted.removed | set(wanted.renamed.values())
        changes = compare(wanted, self.read(s for s in storable if _is_text(s)))
        refused = tuple(_refusals(changes))
        subjects = {r.subject for r in refused}
        return Changes(changes.listed, tuple(c for c in changes.changes if c.subject not in subjects), refused)

    def read(self, subjects: Iterable[str] | None = None) -> dict[str, Entry | None]:
        """Subject → entry, None where it was removed. All of them, or those asked for."""
        query = select(local_catalog).where(local_catalog.c.destination == self._name)
        with _named_errors(), self._engine.connect() as connection:
            if subjects is None:
                rows = list(connection.execute(query))
            else:
                rows = [
                    row
                    for some in chunks(sorted(subjects))
                    for row in connection.execute(query.where(local_catalog.c.subject.in_(some)))
                ]
        return {r.subject: None if r.removed_at else parse_entry(r.subject, r.content) for r in rows}

    def apply(self, changes: Changes) -> Receipt:
        """All changes in one transaction."""
        with _named_errors(), writing(self._engine) as connection:
            for change in changes.changes:
                self._write(connection, change)
        return Receipt(tuple(Outcome(c.subject) for c in changes.changes))

    def _write(self, connection: Connection, change: Change) -> None:
        if change.wanted is None:
            here = (local_catalog.c.destination == self._name) & (local_catalog.c.subject == change.subject)
            still_there = local_catalog.c.removed_at.is_(None)
            connection.execute(update(local_catalog).where(here, still_there).values(removed_at=time.time()))
            return
        row: dict[str, Any] = {
            "destination": self._name,
            "subject": change.subject,
            "content": codec.to_json(change.wanted),
            "removed_at": None,
        }
        if change.previous:
            former = (local_catalog.c.destination == self._name) & (local_catalog.c.subject == change.previous)
            connection.execute(delete(local_catalog).where(former))
        statement = self._insert(local_catalog).values(row)
        new = {"content": statement.excluded.content, "removed_at": None}
        connection.execute(statement.on_conflict_do_update(index_elements=["destination", "subject"], set_=new))


@contextmanager
def _named_errors() -> Iterator[None]:
    try:
        yield
    except OperationalError as error:
        raise Transient(f"the local catalog's database: {str(error.orig).splitlines()[0]}") from error
    except DBAPIError as error:
        raise Permanent(f"the local catalog's database: {type(error.orig).__name__}") from error


def _is_text(value: str) -> bool:
    """Whether databases can hold it as it is."""
    return codec.storable(value) == value


def _refusals(changes: Changes) -> Iterator[Refusal]:
    for change in changes.changes:
        if not _is_text(change.subject):
            yield Refusal(change.subject, "its name holds characters that no database stores")
        elif change.wanted is not None and not codec.is_kept_whole(change.wanted):
            yield Refusal(change.subject, "it holds text that cannot be written as UTF-8 (half of a surrogate pair)")
