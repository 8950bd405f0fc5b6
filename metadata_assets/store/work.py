"""What is left to do: entries to merge again, tables missing from the metastore, shards, and the counts of stages."""

import json
import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, bindparam, delete, func, select, update

from metadata_assets.model.counts import Counts
from metadata_assets.store.codec import storable
from metadata_assets.store.engine import chunks, exclusively, insert_into, writing
from metadata_assets.store.tables import missing, pending, shards, source_state, stage_counts

_TROUBLE = "trouble: "
_LONGEST_ERROR = 2000
# Marks of a subject up to a number, for the rows of `_up_to`.
_UP_TO = (pending.c.subject == bindparam("b_subject")) & (pending.c.id <= bindparam("b_number"))


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why something failed the last time it was tried, and when that was (epoch seconds)."""

    error: str
    at: float


class Work:
    """Small mutable states, each with a name of its own; none of them is needed to know what is true."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    # Entries whose inputs changed, until they are merged again.

    def mark_pending(self, subjects: Iterable[str], reason: str) -> None:
        if subjects := set(subjects):
            with writing(self._engine) as connection:
                mark(connection, subjects, reason)

    def pending(self) -> dict[str, int]:
        """Subject → number of its newest mark; hand that number back to `clear_pending`."""
        query = select(pending.c.subject, func.max(pending.c.id)).group_by(pending.c.subject)
        with self._engine.connect() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    def clear_pending(self, done: Mapping[str, int]) -> None:
        """Clear marks up to the given numbers. A mark made while the entry was being merged stays."""
        if rows := _up_to(done):
            with writing(self._engine) as connection:
                connection.execute(delete(pending).where(_UP_TO), rows)

    def postpone_pending(self, failed: Mapping[str, int], until: float) -> None:
        """Instead of clearing: the marks stay, but are not due before a time (epoch seconds)."""
        if rows := _up_to(failed):
            with writing(self._engine) as connection:
                connection.execute(update(pending).where(_UP_TO).values(marked_at=until), rows)

    def due_pending(self, now: float) -> dict[str, set[str]]:
        """Subject → why it is to be merged again, of the marks that are due (`now` in epoch seconds)."""
        query = select(pending.c.subject, pending.c.reason).where(pending.c.marked_at <= now).distinct()
        found: dict[str, set[str]] = {}
        with self._engine.connect() as connection:
            for row in connection.execute(query):
                found.setdefault(row.subject, set()).add(row.reason)
        return found

    # Tables that were not found where they are known to be.

    def mark_missing(self, subjects: Iterable[str], now: float, reported: Collection[str] = ()) -> None:
        """Remember since when; a subject that is marked already keeps its time, and that its drop was reported."""
        rows = [{"subject": s, "since": now, "reported": s in reported} for s in sorted(set(subjects))]
        if rows:
            with writing(self._engine) as connection:
                exclusively(connection, missing)
                statement = insert_into(connection, missing)
                known = {"reported": missing.c.reported | statement.excluded.reported}
                connection.execute(statement.on_conflict_do_update(index_elements=["subject"], set_=known), rows)

    def clear_missing(self, subjects: Sequence[str]) -> None:
        with writing(self._engine) as connection:
            exclusively(connection, missing)
            for part in chunks(sorted(subjects)):
                connection.execute(delete(missing).where(missing.c.subject.in_(part)))

    def missing(self) -> dict[str, float]:
        """Subject → since when (epoch seconds)."""
        with self._engine.connect() as connection:
            return {r.subject: r.since for r in connection.execute(select(missing))}

    def reported_missing(self) -> set[str]:
        """Of the missing ones those whose drop an event reported and a look-up confirmed."""
        with self._engine.connect() as connection:
            return set(connection.scalars(select(missing.c.subject).where(missing.c.reported)))

    # How many shards each database has.

    def grow_shards(self, counts: Mapping[str, int]) -> None:
        """Set the number of shards of databases, new ones included; a number that is larger already stays."""
        with writing(self._engine) as connection:
            exclusively(connection, shards)
            known = {row[0]: row[1] for row in connection.execute(select(shards.c.database, shards.c.count))}
            rows = [{"database": d, "count": n} for d, n in sorted(counts.items()) if n > known.get(d, 0)]
            if rows:
                statement = insert_into(connection, shards)
                new = {"count": statement.excluded["count"]}
                connection.execute(statement.on_conflict_do_update(index_elements=["database"], set_=new), rows)

    def drop_shards(self, databases: Collection[str]) -> None:
        with writing(self._engine) as connection:
            exclusively(connection, shards)
            for part in chunks(sorted(databases)):
                connection.execute(delete(shards).where(shards.c.database.in_(part)))

    def shards(self) -> dict[str, int]:
        with self._engine.connect() as connection:
            return {row[0]: row[1] for row in connection.execute(select(shards.c.database, shards.c.count))}

    # Counts of stages, by run.

    def record_counts(self, run_id: str, asset: str, partition_key: str, counts: Counts) -> None:
        row = {
            "run_id": run_id,
            "asset": asset,
            "partition_key": partition_key,
            "counts": _counts_text(counts),
            "at": time.time(),
        }
        with writing(self._engine) as connection:
            connection.execute(insert_into(connection, stage_counts), [row])

    def counts(self, run_ids: Iterable[str]) -> dict[str, Counts]:
        """Asset → counts, summed over the partitions of these runs, in the order in which the stages first ended."""
        query = select(stage_counts.c.id, stage_counts.c.asset, stage_counts.c.counts)
        with self._engine.connect() as connection:
            parts = [query.where(stage_counts.c.run_id.in_(part)) for part in chunks(sorted(set(run_ids)))]
            rows = sorted((row for part in parts for row in connection.execute(part)), key=lambda row: row.id)
        summed: dict[str, Counts] = {}
        for row in rows:
            summed.setdefault(row.asset, Counts()).add(_parse_counts(row.counts))
        return summed

    # What could not be done the last time it was tried, by stage.

    def set_trouble(self, stage: str, looked_at: Iterable[str], errors: Mapping[str, str]) -> None:
        """Of the subjects that a stage looked at, remember those that failed and forget the others."""
        prefix = f"{_TROUBLE}{stage}: "
        now = time.time()
        rows = [
            {"name": prefix + s, "content": json.dumps(storable(e[:_LONGEST_ERROR])), "at": now}
            for s, e in sorted(errors.items())
        ]
        with writing(self._engine) as connection:
            held = self._named(connection, prefix)
            healed = sorted(held & {prefix + s for s in looked_at} - {row["name"] for row in rows})
            for part in chunks(healed):
                connection.execute(delete(source_state).where(source_state.c.name.in_(part)))
            _put_states(connection, rows)

    def forget_trouble(self, stages: Collection[str]) -> None:
        """Forget what is remembered of other stages than these: those of a destination that was taken out."""
        with writing(self._engine) as connection:
            held = self._named(connection, _TROUBLE)
            other = sorted(n for n in held if n.removeprefix(_TROUBLE).partition(": ")[0] not in stages)
            for part in chunks(other):
                connection.execute(delete(source_state).where(source_state.c.name.in_(part)))

    @staticmethod
    def _named(connection: Connection, prefix: str) -> set[str]:
        query = select(source_state.c.name).where(source_state.c.name.startswith(prefix, autoescape=True))
        return set(connection.scalars(query))

    def trouble(self) -> dict[str, dict[str, Trouble]]:
        """Subject → stage → what failed the last time, of everything that failed."""
        query = select(source_state).where(source_state.c.name.startswith(_TROUBLE, autoescape=True))
        found: dict[str, dict[str, Trouble]] = {}
        with self._engine.connect() as connection:
            for row in connection.execute(query.order_by(source_state.c.name)):
                stage, _, subject = row.name.removeprefix(_TROUBLE).partition(": ")
                found.setdefault(subject, {})[stage] = Trouble(json.loads(row.content), row.at)
        return found

    # What a source looked like when it was last looked at.

    def set_state(self, name: str, content: Any) -> None:
        with writing(self._engine) as connection:
            keep_state(connection, name, content)

    def forget_state(self, name: str, content: Any) -> None:
        """Forget what was set under this name, if it still is this."""
        here = (source_state.c.name == name, source_state.c.content == json.dumps(content, sort_keys=True))
        with writing(self._engine) as connection:
            connection.execute(delete(source_state).where(*here))

    def state(self, name: str) -> Any:
        """The content that was last set under this name, or None."""
        with self._engine.connect() as connection:
            return read_state(connection, name)


def _up_to(marks: Mapping[str, int]) -> list[dict[str, object]]:
    return [{"b_subject": subject, "b_number": number} for subject, number in sorted(marks.items())]


def mark(connection: Connection, subjects: Iterable[str], reason: str) -> None:
    """Mark entries for merging, within a transaction that does more."""
    rows = [{"subject": s, "reason": reason, "marked_at": time.time()} for s in sorted(set(subjects))]
    if rows:
        # Marks are cleared up to the newest that was seen: none with a lower number may appear after it.
        exclusively(connection, pending)
        connection.execute(insert_into(connection, pending), rows)


def keep_state(connection: Connection, name: str, content: Any) -> None:
    """Set a state, within a transaction that does more."""
    _put_states(connection, [{"name": name, "content": json.dumps(content, sort_keys=True), "at": time.time()}])


def _put_states(connection: Connection, rows: Sequence[Mapping[str, object]]) -> None:
    if rows:
        statement = insert_into(connection, source_state)
        new = {"content": statement.excluded.content, "at": statement.excluded.at}
        connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_=new), rows)


def read_state(connection: Connection, name: str) -> Any:
    """The content of a state, within a transaction that does more; None where it was never set."""
    text = connection.scalar(select(source_state.c.content).where(source_state.c.name == name))
    return None if text is None else json.loads(text)


def _counts_text(counts: Counts) -> str:
    return json.dumps(
        {
            "listed": counts.listed,
            "written": counts.written,
            "unchanged": counts.unchanged,
            "skipped": dict(counts.skipped),
            "errors": counts.errors,
        }
    )


def _parse_counts(text: str) -> Counts:
    data = json.loads(text)
    return Counts(data["listed"], data["written"], data["unchanged"], Counter(data["skipped"]), data["errors"])
