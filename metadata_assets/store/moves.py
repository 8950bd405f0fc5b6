"""Under which names a table was known before: what creations, drops and renames add up to."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key

from sqlalchemy import Connection, Engine, or_, select

from metadata_assets.model.event import ChangeEvent, EventOrder, Move
from metadata_assets.store.codec import storable
from metadata_assets.store.engine import chunks, insert_into
from metadata_assets.store.event_order import order_of, order_values
from metadata_assets.store.tables import column_moves, moves


@dataclass(frozen=True, slots=True)
class TableMove:
    """A table began, ended, or got the name `subject` instead of `previous`."""

    subject: str
    what: Move
    order: EventOrder
    previous: str | None = None


@dataclass(frozen=True, slots=True)
class ColumnMove:
    """A column of a table got the name `name` instead of `previous`."""

    order: EventOrder
    previous: str
    name: str


class Moves:
    """Reads what events said of the lives of tables. Events may have arrived in any order: only theirs counts."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def former_names(self, subject: str) -> list[TableMove]:
        """The renames that led to the table that has this name now, newest first; empty for one that kept its name."""
        found: list[TableMove] = []
        before: EventOrder | None = None
        while True:
            newest = _newest(self._about(subject), before)
            if newest is None or newest.what != "renamed" or newest.subject != subject or newest.previous is None:
                return found
            found.append(newest)
            subject, before = newest.previous, newest.order

    def renamed_to(self, subjects: Iterable[str]) -> dict[str, TableMove]:
        """Of these names those whose table has another name now → the rename that took the name away."""
        found = {}
        for subject in self._with_moves(subjects):
            newest = _newest(self._about(subject), None)
            if newest is not None and newest.what == "renamed" and newest.previous == subject:
                found[subject] = newest
        return found

    def later_names(self, subjects: Iterable[str]) -> dict[str, set[str]]:
        """Of these names those that were ever taken away by a rename → the names that their tables got, one or more
        renames on, whoever has the name now."""
        onward: dict[str, set[str]] = {}
        new = given = set(subjects)
        with self._engine.connect() as connection:
            while new:
                level: set[str] = set()
                for part in chunks(sorted(new)):
                    query = select(moves.c.previous, moves.c.subject)
                    for row in connection.execute(query.where(moves.c.what == "renamed", moves.c.previous.in_(part))):
                        onward.setdefault(row.previous, set()).add(row.subject)
                        level.add(row.subject)
                new = level - onward.keys() - given
        return {s: _reached(s, onward) for s in given if s in onward}

    def renamed(self, subjects: Iterable[str]) -> dict[str, list[TableMove]]:
        """Of these names those whose table had others before → its renames, newest first."""
        named = {s: self.former_names(s) for s in self._with_moves(subjects)}
        return {s: renames for s, renames in named.items() if renames}

    def renamed_columns(self, subjects: Iterable[str]) -> dict[str, dict[str, str]]:
        """Table → former name of a column → the name that it has now, of those that have renamed columns.

        What happened to a table under its former names counts too, and nothing that happened to another one that had
        its name before.
        """
        given = sorted(set(subjects))
        renames = self.renamed(given)
        former = {m.previous for moves_ in renames.values() for m in moves_ if m.previous is not None}
        moved = self._column_moves({*given, *former})
        followed = {s: self._followed(s, renames.get(s, ()), moved) for s in given if moved}
        return {s: columns for s, columns in followed.items() if columns}

    def _followed(
        self, subject: str, renames: Sequence[TableMove], moved: Mapping[str, Sequence[ColumnMove]]
    ) -> dict[str, str]:
        """Old → present names of columns along the names that a table had, each for the time that it had it."""
        steps: list[ColumnMove] = []
        name, until = subject, None
        for rename in (*renames, None):
            began = _newest((m for m in self._about(name) if m.subject == name), until) if name in moved else None
            steps += [m for m in moved.get(name, ()) if _is_within(m.order, began, until)]
            if rename is None or rename.previous is None:
                break
            name, until = rename.previous, rename.order
        return _composed(sorted(steps, key=cmp_to_key(_by_order)))

    def _column_moves(self, subjects: Collection[str]) -> dict[str, list[ColumnMove]]:
        found: dict[str, list[ColumnMove]] = {}
        with self._engine.connect() as connection:
            for part in chunks(sorted(subjects)):
                for r in connection.execute(select(column_moves).where(column_moves.c.subject.in_(part))):
                    found.setdefault(r.subject, []).append(ColumnMove(order_of(r), r.previous, r.name))
        return found

    def _with_moves(self, subjects: Iterable[str]) -> list[str]:
        """Those that a rename speaks of: few, so that the rest costs one query for hundreds of names."""
        found: set[str] = set()
        with self._engine.connect() as connection:
            for part in chunks(sorted(set(subjects))):
                here = or_(moves.c.subject.in_(part), moves.c.previous.in_(part))
                query = select(moves.c.subject, moves.c.previous).where(moves.c.what == "renamed", here)
                for row in connection.execute(query):
                    found |= {row.subject, row.previous} & set(part)
        return sorted(found)

    def _about(self, subject: str) -> list[TableMove]:
        query = select(moves).where(or_(moves.c.subject == subject, moves.c.previous == subject))
        with self._engine.connect() as connection:
            return [TableMove(r.subject, r.what, order_of(r), r.previous) for r in connection.execute(query)]


def _newest(found: Iterable[TableMove], before: EventOrder | None) -> TableMove | None:
    """The last of them, or the last before another."""
    newest: TableMove | None = None
    for move in found:
        early = before is None or before.is_after(move.order)
        if early and (newest is None or move.order.is_after(newest.order)):
            newest = move
    return newest


def _reached(start: str, onward: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    level = {start}
    while level:
        level = {name for s in level for name in onward.get(s, ())} - found
        found |= level
    return found - {start}


def _is_within(order: EventOrder, began: TableMove | None, until: EventOrder | None) -> bool:
    return (began is None or not began.order.is_after(order)) and (until is None or not order.is_after(until))


def _by_order(one: ColumnMove, other: ColumnMove) -> int:
    return int(one.order.is_after(other.order)) - int(other.order.is_after(one.order))


def _composed(steps: Iterable[ColumnMove]) -> dict[str, str]:
    """One step after the other: a name that was given away and comes again is another column's."""
    names: dict[str, str] = {}
    for step in steps:
        names = {old: step.name if now == step.previous else now for old, now in names.items() if old != step.name}
        names[step.previous] = step.name
    return {old: now for old, now in names.items() if old != now}


def note_moves(connection: Connection, events: Sequence[ChangeEvent]) -> None:
    """Remember what events say of lives and names of tables, and of names of columns."""
    if moved := [_to_row(event) for event in events if event.move]:
        connection.execute(insert_into(connection, moves).on_conflict_do_nothing(), moved)
    if columns := [row for event in events for row in _to_column_rows(event)]:
        connection.execute(insert_into(connection, column_moves).on_conflict_do_nothing(), columns)


def _to_row(event: ChangeEvent) -> dict[str, object]:
    return {
        "source": storable(event.source),
        "subject": storable(event.subject),
        "what": event.move,
        **order_values(event.order),
        "previous": None if event.previous is None else storable(event.previous),
    }


def _to_column_rows(event: ChangeEvent) -> Iterator[dict[str, object]]:
    for previous, name in event.columns_renamed:
        yield {
            "source": storable(event.source),
            "subject": storable(event.subject),
            **order_values(event.order),
            "previous": storable(previous),
            "name": storable(name),
        }
