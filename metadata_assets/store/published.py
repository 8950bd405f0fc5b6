"""What was written where: the memory that makes a second run write nothing, and a failed one try again."""

import dataclasses
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, Row, Select, delete, or_, select

from metadata_assets.model.entity import CategoryEntry, DatabaseEntry, Entry, ProcessEntry, TableEntry, TermEntry
from metadata_assets.model.publication import Published
from metadata_assets.model.subject import Subject, SubjectKind, prefix_of
from metadata_assets.store import codec
from metadata_assets.store.codec import storable, without_collection
from metadata_assets.store.engine import chunks, insert_into, writing
from metadata_assets.store.tables import published

_ENTRY_TYPES: Mapping[SubjectKind, type] = {
    "table": TableEntry,
    "database": DatabaseEntry,
    "category": CategoryEntry,
    "term": TermEntry,
    "process": ProcessEntry,
}
_FIRST_RETRY_SECONDS = 60.0
_LAST_RETRY_SECONDS = 3600.0


def parse_entry(subject: str, text: str) -> Entry:
    """Read an entry; the kind of its subject names its type."""
    entry: Entry = codec.parse_json(text, _ENTRY_TYPES[Subject.parse(subject).kind])
    return entry


@dataclass(frozen=True, slots=True)
class Standing:
    """How one subject stands at one destination."""

    destination: str
    subject: str
    content_hash: str
    written_at: float | None
    error: str | None
    attempts: int
    failed_at: float | None
    remote_id: str | None

    @property
    def retry_at(self) -> float:
        return retry_at(self.failed_at, self.attempts)


def retry_at(failed_at: float | None, attempts: int) -> float:
    """When another try is due: one minute after the first failure, doubling up to an hour; 0 where none failed."""
    if failed_at is None:
        return 0.0
    doublings = min(max(attempts - 1, 0), 10)
    return failed_at + min(_FIRST_RETRY_SECONDS * 2.0**doublings, _LAST_RETRY_SECONDS)


@dataclass(frozen=True, slots=True)
class Written:
    """A success to record. `entry` is None after a deletion; `previous` was the subject before a rename."""

    subject: str
    entry: Entry | None
    remote_id: str | None = None
    previous: str | None = None


class PublishedState:
    """Reads and records what destinations hold of ours."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def held(self, destination: str, subjects: Iterable[str] | None = None) -> dict[str, Published]:
        """What the destination was last given, by subject; entries whose only tries failed are not in it."""
        query = select(published).where(published.c.destination == destination, published.c.written_at.is_not(None))
        rows = self._rows(query, subjects)
        with without_collection():
            return {
                r.subject: Published(
                    r.subject, r.content_hash, parse_entry(r.subject, r.content) if r.content else None, r.remote_id
                )
                for r in rows
            }

    def _rows(self, query: Select[Any], subjects: Iterable[str] | None) -> list[Row[Any]]:
        parts = (
            [query]
            if subjects is None
            else (query.where(published.c.subject.in_(s)) for s in chunks(sorted(set(subjects))))
        )
        with self._engine.connect() as connection:
            return [row for part in parts for row in connection.execute(part)]

    def record(self, destination: str, written: Sequence[Written], failed: Mapping[str, str]) -> None:
        """Remember successes and failures of one apply."""
        now = time.time()
        good = [
            {
                "destination": destination,
                "subject": w.subject,
                "content_hash": codec.to_hash(w.entry) if w.entry is not None else "",
                "content": codec.to_json(w.entry) if w.entry is not None else None,
                "remote_id": w.remote_id,
                "written_at": now,
                "error": None,
                "attempts": 0,
                "failed_at": None,
            }
            for w in sorted(written, key=lambda w: w.subject)
        ]
        bad = [
            {
                "destination": destination,
                "subject": s,
                "content_hash": "",
                "attempts": 1,
                "error": storable(e[:2000]),
                "failed_at": now,
            }
            for s, e in sorted(failed.items())
        ]
        # One transaction each, in the order of subjects: two that write at once never wait for each other in a circle.
        former = sorted(w.previous for w in written if w.previous is not None)
        for rows, keep_written in ((good, False), (bad, True)):
            if rows:
                with writing(self._engine) as connection:
                    connection.execute(_upsert(connection, keep_written=keep_written), rows)
                    for part in chunks(former) if rows is good else ():
                        here = (published.c.destination == destination, published.c.subject.in_(part))
                        connection.execute(delete(published).where(*here))

    def standings(self, subjects: Iterable[str] | None = None) -> list[Standing]:
        """Where everything stands, for all destinations, ordered by subject and destination."""
        found = [Standing(**row._mapping) for row in self._rows(_standings(), subjects)]
        return sorted(found, key=lambda s: (s.subject, s.destination))

    def held_subjects(self, destinations: Sequence[str]) -> set[str]:
        """Subjects of which one of these destinations still holds something of ours."""
        here = (published.c.destination.in_(destinations), published.c.content_hash != "")
        with self._engine.connect() as connection:
            return set(connection.scalars(select(published.c.subject).where(*here).distinct()))

    def standings_at(self, destination: str, kinds: Iterable[SubjectKind]) -> dict[str, Standing]:
        """Subject → where it stands at one destination, of the subjects of these kinds."""
        named = or_(*(published.c.subject.startswith(prefix_of(k), autoescape=True) for k in sorted(kinds)))
        rows = self._rows(_standings().where(published.c.destination == destination, named), None)
        return {row.subject: Standing(**row._mapping) for row in rows}

    def failing(self, destination: str) -> list[Standing]:
        """Subjects whose last try failed there, ordered."""
        query = _standings().where(published.c.destination == destination, published.c.failed_at.is_not(None))
        return [Standing(**row._mapping) for row in self._rows(query.order_by(published.c.subject), None)]

    def forget(self, destination: str, subjects: Sequence[str]) -> None:
        """Drop the memory of deletions, once history no longer needs it, and of tries that never succeeded."""
        if not subjects:
            return
        with writing(self._engine) as connection:
            for part in chunks(sorted(subjects)):
                connection.execute(
                    delete(published).where(
                        published.c.destination == destination,
                        published.c.subject.in_(part),
                        or_(published.c.content.is_(None), published.c.written_at.is_(None)),
                    )
                )


def _upsert(connection: Connection, *, keep_written: bool) -> Any:
    statement = insert_into(connection, published)
    new = statement.excluded
    if keep_written:  # a failure does not forget what the destination still holds
        values: dict[str, Any] = {
            "error": new.error,
            "failed_at": new.failed_at,
            "attempts": published.c.attempts + 1,
        }
    else:
        columns = ("content_hash", "content", "remote_id", "written_at", "error", "attempts", "failed_at")
        values = {name: getattr(new, name) for name in columns}
    return statement.on_conflict_do_update(index_elements=["destination", "subject"], set_=values)


def _standings() -> Select[Any]:
    return select(*(published.c[field.name] for field in dataclasses.fields(Standing)))
