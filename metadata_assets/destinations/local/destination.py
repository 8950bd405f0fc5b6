"""Reads and writes the JSON catalog."""

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from sqlalchemy import Connection, Delete, Engine, Insert, Update, bindparam, delete, select, update
from sqlalchemy.exc import DBAPIError, OperationalError

from metadata_assets.catalog.diff import compare
from metadata_assets.errors import Permanent, Transient
from metadata_assets.model.entity import Entry
from metadata_assets.model.publication import Changes, Outcome, Published, Receipt, Refusal, Wanted
from metadata_assets.store import codec
from metadata_assets.store.engine import chunks, insert_into, writing
from metadata_assets.store.published import parse_entry
from metadata_assets.store.tables import local_catalog


class LocalCatalog:
    """One row an entry. A removed entry keeps its last content, marked with when it was removed."""

    def __init__(self, name: str, engine: Engine) -> None:
        self._name = name
        self._engine = engine

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
        key = {"destination": self._name}
        written = [
            {**key, "subject": c.subject, "content": codec.to_json(c.wanted), "removed_at": None}
            for c in changes.changes
            if c.wanted is not None
        ]
        removed = [{"b_subject": c.subject} for c in changes.changes if c.wanted is None]
        former = [{"b_subject": c.previous} for c in changes.changes if c.previous]
        with _named_errors(), writing(self._engine) as connection:
            if former:
                connection.execute(self._forgetting(), former)
            if written:
                connection.execute(_upsert(connection), written)
            if removed:
                connection.execute(self._removal(), removed)
        return Receipt(tuple(Outcome(c.subject) for c in changes.changes))

    def _forgetting(self) -> Delete:
        here = (local_catalog.c.destination == self._name) & (local_catalog.c.subject == bindparam("b_subject"))
        return delete(local_catalog).where(here)

    def _removal(self) -> Update:
        """What was removed before keeps its time."""
        here = (local_catalog.c.destination == self._name) & (local_catalog.c.subject == bindparam("b_subject"))
        there = local_catalog.c.removed_at.is_(None)
        return update(local_catalog).where(here, there).values(removed_at=time.time())


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


def _upsert(connection: Connection) -> Insert:
    statement = insert_into(connection, local_catalog)
    new = {"content": statement.excluded.content, "removed_at": None}
    return statement.on_conflict_do_update(index_elements=["destination", "subject"], set_=new)
