"""Facts: what a source said of a subject, append-only, the newest reading winning by its order key."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from sqlalchemy import Column, Connection, Engine, Row, Select, bindparam, func, insert, select, update

from metadata_assets.model.claims import DeclaredJob, Documentation, TagRules, Tags
from metadata_assets.model.entity import CategoryEntry, TableEntry, TermEntry
from metadata_assets.model.finding import TableProfile
from metadata_assets.model.lineage import Script
from metadata_assets.model.table import Database, Table
from metadata_assets.store import codec
from metadata_assets.store.codec import storable, without_collection
from metadata_assets.store.engine import chunks, insert_into, writing
from metadata_assets.store.tables import fact_heads, facts
from metadata_assets.store.work import mark

T = TypeVar("T")

# One table says which type each kind of fact holds: adding a kind is adding a line.
KINDS: Mapping[str, type] = {
    "database": Database,
    "schema": Table,
    "documentation": Documentation,
    "tags": Tags,
    "declared_lineage": DeclaredJob,
    "category": CategoryEntry,
    "term": TermEntry,
    "script": Script,
    "profile": TableProfile,
    "entry": TableEntry,
    "tag_rules": TagRules,
}
Written = Literal["written", "unchanged", "stale"]
_NEWEST = select(facts).join(fact_heads, fact_heads.c.fact_id == facts.c.id)
_PART = 500


@dataclass(frozen=True, slots=True)
class Reading(Generic[T]):
    """One reading of a subject. `content` None says that it is gone.

    `order_key` is when the source was read (microseconds since 1970, or an id that grows): an older one never wins.
    """

    subject: str
    content: T | None
    order_key: int
    source: str


def _itself(subject: str) -> Iterable[str]:
    return (subject,)


@dataclass(frozen=True, slots=True)
class Marks:
    """Which entries are to be merged again because a subject changed: `of` names them, by default the subject itself.

    They are marked in the transaction that writes the change: a process that is killed leaves both or neither.
    """

    reason: str
    of: Callable[[str], Iterable[str]] = _itself


@dataclass(frozen=True, slots=True)
class _Put:
    """What all readings of one call have in common."""

    kind: str
    run_id: str
    marks: Marks | None


@dataclass(frozen=True, slots=True)
class Fact:
    """One version in the history of a subject. `content` is None for a tombstone."""

    kind: str
    subject: str
    content: Any
    content_hash: str
    source: str
    order_key: int
    run_id: str
    recorded_at: float


class Facts:
    """Reads and writes facts. Every call is one transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def put(
        self, kind: str, readings: Iterable[Reading[Any]], run_id: str, marks: Marks | None = None
    ) -> dict[str, Written]:
        """Write readings whose content differs from the newest, unless a newer reading is already there.

        Returns:
            For each subject what became of it; of several readings of one subject the newest is taken, of equally new
            ones the last.
        """
        newest: dict[str, Reading[Any]] = {}
        for reading in readings:
            before = newest.get(reading.subject)
            if before is None or reading.order_key >= before.order_key:
                newest[reading.subject] = reading
        outcome: dict[str, Written] = {}
        for chunk in chunks(list(newest.values())):
            with writing(self._engine) as connection:
                outcome.update(self._put_chunk(connection, chunk, _Put(kind, run_id, marks)))
        return outcome

    def _put_chunk(self, connection: Connection, chunk: Sequence[Reading[Any]], put: _Put) -> dict[str, Written]:
        heads = self._locked_heads(connection, put.kind, [r.subject for r in chunk])
        outcome: dict[str, Written] = {}
        changed: list[tuple[Reading[Any], str]] = []
        for reading in chunk:
            head = heads[reading.subject]
            digest = codec.to_hash(reading.content) if reading.content is not None else ""
            if reading.order_key < head.order_key:
                outcome[reading.subject] = "stale"
            elif head.content_hash == digest:
                outcome[reading.subject] = "unchanged"
            else:
                outcome[reading.subject] = "written"
                changed.append((reading, digest))
        fact_ids = self._append(connection, changed, put)
        moved = [
            {"b_subject": r.subject, "b_order": r.order_key, "b_seen": time.time()}
            for r in chunk
            if outcome[r.subject] != "stale"
        ]
        self._move_heads(connection, put.kind, moved, fact_ids)
        self._refresh_places(connection, [r for r in chunk if outcome[r.subject] == "unchanged"], heads)
        if put.marks is not None:
            mark(connection, (entry for s in fact_ids for entry in put.marks.of(s)), put.marks.reason)
        return outcome

    def _locked_heads(self, connection: Connection, kind: str, subjects: Sequence[str]) -> dict[str, Row[Any]]:
        """The heads of these subjects, made where they are lacking, and locked until the transaction ends."""
        here = (fact_heads.c.kind == kind) & fact_heads.c.subject.in_(subjects)
        known = connection.scalar(select(func.count()).where(here))
        if known != len(subjects):
            # All of them, in order: two that make heads at once then never wait for each other in a circle.
            blank = [
                {"kind": kind, "subject": s, "content_hash": "", "order_key": -1, "seen_at": 0.0}
                for s in sorted(subjects)
            ]
            connection.execute(insert_into(connection, fact_heads).on_conflict_do_nothing(), blank)
        query = select(fact_heads).where(here).order_by(fact_heads.c.subject).with_for_update()
        return {row.subject: row for row in connection.execute(query)}

    @staticmethod
    def _append(
        connection: Connection, changed: Sequence[tuple[Reading[Any], str]], put: _Put
    ) -> dict[str, tuple[int, str]]:
        if not changed:
            return {}
        rows = [
            {
                "kind": put.kind,
                "subject": reading.subject,
                "content_hash": digest,
                "content": None if reading.content is None else codec.to_json(reading.content),
                "source": storable(reading.source),
                "order_key": reading.order_key,
                "run_id": put.run_id,
                "recorded_at": time.time(),
            }
            for reading, digest in changed
        ]
        returned = connection.execute(
            insert(facts).returning(facts.c.id, facts.c.subject, facts.c.content_hash, sort_by_parameter_order=True),
            rows,
        )
        return {row.subject: (row.id, row.content_hash) for row in returned}

    @staticmethod
    def _move_heads(
        connection: Connection, kind: str, moved: list[dict[str, Any]], fact_ids: Mapping[str, tuple[int, str]]
    ) -> None:
        here = (fact_heads.c.kind == kind) & (fact_heads.c.subject == bindparam("b_subject"))
        same: dict[int, list[str]] = {}
        for m in moved:
            if m["b_subject"] not in fact_ids:
                same.setdefault(m["b_order"], []).append(m["b_subject"])
        for order_key, subjects in same.items():  # mostly one: a batch is read at once
            these = (fact_heads.c.kind == kind) & fact_heads.c.subject.in_(subjects)
            connection.execute(update(fact_heads).where(these).values(order_key=order_key, seen_at=time.time()))
        new = [
            m | {"b_fact": fact_ids[m["b_subject"]][0], "b_hash": fact_ids[m["b_subject"]][1]}
            for m in moved
            if m["b_subject"] in fact_ids
        ]
        if new:
            names = {"order_key": "b_order", "seen_at": "b_seen", "fact_id": "b_fact", "content_hash": "b_hash"}
            values: dict[str, Any] = {column: bindparam(name) for column, name in names.items()}
            connection.execute(update(fact_heads).where(here).values(**values), new)

    @staticmethod
    def _refresh_places(connection: Connection, same: Sequence[Reading[Any]], heads: Mapping[str, Row[Any]]) -> None:
        """Where only places in files moved, the newest version learns the new ones: it is not a new version."""
        given = {heads[r.subject].fact_id: r for r in same if r.content is not None}
        given.pop(None, None)
        stored = select(facts.c.id, facts.c.content, facts.c.source).where(facts.c.id.in_(given))
        rows = []
        for row in connection.execute(stored).all() if given else ():
            content, source = codec.to_json(given[row.id].content), storable(given[row.id].source)
            if (row.content, row.source) != (content, source):
                rows.append({"b_id": row.id, "b_content": content, "b_source": source})
        if rows:
            connection.execute(
                update(facts)
                .where(facts.c.id == bindparam("b_id"))
                .values(content=bindparam("b_content"), source=bindparam("b_source")),
                rows,
            )

    def latest(self, kind: str, subjects: Iterable[str] | None = None) -> Iterator[Fact]:
        """The newest version of each subject, tombstones included; of all subjects when none are named."""
        query = _NEWEST.where(fact_heads.c.kind == kind)
        if subjects is None:
            yield from self._read(query.order_by(fact_heads.c.subject))
            return
        for chunk in chunks(sorted(set(subjects))):
            yield from self._read(query.where(fact_heads.c.subject.in_(chunk)))

    def contents(self, kind: str, subjects: Iterable[str] | None = None) -> dict[str, Any]:
        """Subject → newest content, of those that exist."""
        return {f.subject: f.content for f in self.latest(kind, subjects) if f.content is not None}

    def hashes(self, kind: str) -> dict[str, str]:
        """Subject → content hash of everything of a kind that exists, without reading the contents."""
        return self._column(kind, fact_heads.c.content_hash)

    def seen(self, kind: str) -> dict[str, float]:
        """Subject → when it was last read (epoch seconds), of everything of a kind that exists."""
        return self._column(kind, fact_heads.c.seen_at)

    def sources(self, kind: str) -> dict[str, str]:
        """Subject → source of everything of a kind that exists, without reading the contents."""
        return self._column(kind, facts.c.source)

    def texts(self, kind: str) -> dict[str, str]:
        """Subject → newest content as JSON, of those that exist: for who needs few of many decoded."""
        return self._column(kind, facts.c.content)

    def _column(self, kind: str, column: Column[Any]) -> dict[str, Any]:
        query = select(fact_heads.c.subject, column).where(fact_heads.c.kind == kind, fact_heads.c.content_hash != "")
        if column.table is facts:
            query = query.join(facts, fact_heads.c.fact_id == facts.c.id)
        with self._engine.connect() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    def superseded(self, kind: str, subjects: Iterable[str]) -> dict[str, Any]:
        """Subject → the content that the newest version took the place of, of those that had one."""
        found: dict[str, Any] = {}
        head = (fact_heads.c.kind == facts.c.kind) & (fact_heads.c.subject == facts.c.subject)
        older = select(func.max(facts.c.id)).join(fact_heads, head).where(facts.c.id < fact_heads.c.fact_id)
        for chunk in chunks(sorted(set(subjects))):
            before = older.where(facts.c.kind == kind, facts.c.subject.in_(chunk)).group_by(facts.c.subject)
            read = self._read(select(facts).where(facts.c.id.in_(before)))
            found |= {fact.subject: fact.content for fact in read if fact.content is not None}
        return found

    def history(self, subject: str) -> list[Fact]:
        """All versions of a subject in all kinds, oldest first."""
        query = select(facts).where(facts.c.subject == subject).order_by(facts.c.id)
        return list(self._read(query))

    def _read(self, query: Select[Any]) -> Iterator[Fact]:
        found: list[Fact] = []
        with self._engine.connect() as connection, without_collection():
            for rows in connection.execute(query).partitions(_PART):
                found += [_fact(row) for row in rows]  # in parts, so that not all texts are held beside all values
        yield from found


def _fact(row: Row[Any]) -> Fact:
    content = None if row.content is None else codec.parse_json(row.content, KINDS[row.kind])
    return Fact(
        row.kind, row.subject, content, row.content_hash, row.source, row.order_key, row.run_id, row.recorded_at
    )
