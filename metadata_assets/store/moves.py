"""Under which names a table was known before: what creations, drops and renames add up to."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, or_, select

from metadata_assets.model.event import ChangeEvent, EventOrder, Move, in_order
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

    subject: str
    order: EventOrder
    previous: str
    name: str


class Moves:
    """Reads what events said of the lives of tables. Events may have arrived in any order: only theirs counts."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def former_names(self, subject: str) -> list[TableMove]:
        """The renames that led to the table that has this name now, newest first; empty for one that kept its name."""
        found = []
        for move in reversed(self._history(subject)):
            if subject not in (move.subject, move.previous):
                continue
            if move.subject != subject or move.what != "renamed" or move.previous is None:
                break
            found.append(move)
            subject = move.previous
        return found

    def renamed_to(self, subjects: Iterable[str]) -> dict[str, TableMove]:
        """Of these names those whose table has another name now → the rename that took the name away."""
        found = {}
        for subject in self._with_moves(subjects):
            for newest in _ordered(self._about([subject]))[-1:]:
                if newest.what == "renamed" and newest.previous == subject:
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
        names = {s: {s} for s in given}
        for subject, renames in self.renamed(given).items():
            names[subject] |= {m.previous for m in renames if m.previous is not None}
        moved = self._column_moves(set().union(*names.values()))
        followed = {s: self._followed(s, [m for n in sorted(names[s]) for m in moved.get(n, ())]) for s in given}
        return {s: columns for s, columns in followed.items() if columns}

    def _followed(self, subject: str, moved: Sequence[ColumnMove]) -> dict[str, str]:
        """Old → present names of columns along the names that a table had, each for the time that it had it."""
        if not moved:
            return {}
        # Of one event the move of the table comes first: it names columns of the table under its new name.
        told: list[TableMove | ColumnMove] = [*self._history(subject), *moved]
        steps = []
        for move in reversed(in_order(told, lambda m: m.order)):
            if isinstance(move, ColumnMove):
                steps += [move] if move.subject == subject else []
            elif move.subject == subject and move.what == "renamed" and move.previous is not None:
                subject = move.previous
            elif subject in (move.subject, move.previous):
                break
        return _composed(reversed(steps))

    def _column_moves(self, subjects: Collection[str]) -> dict[str, list[ColumnMove]]:
        found: dict[str, list[ColumnMove]] = {}
        with self._engine.connect() as connection:
            for part in chunks(sorted(subjects)):
                for r in connection.execute(select(column_moves).where(column_moves.c.subject.in_(part))):
                    found.setdefault(r.subject, []).append(ColumnMove(r.subject, order_of(r), r.previous, r.name))
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

    def _history(self, subject: str) -> list[TableMove]:
        """What is told of a name, and of all names that renames lead back to from it, oldest first."""
        found: set[TableMove] = set()
        met: set[str] = set()
        new = {subject}
        while new:
            met |= new
            told = self._about(sorted(new))
            found |= set(told)
            new = {m.previous for m in told if m.what == "renamed" and m.previous is not None} - met
        return _ordered(found)

    def _about(self, subjects: Sequence[str]) -> list[TableMove]:
        found = []
        with self._engine.connect() as connection:
            for part in chunks(subjects):
                here = or_(moves.c.subject.in_(part), moves.c.previous.in_(part))
                for r in connection.execute(select(moves).where(here)):
                    found.append(TableMove(r.subject, r.what, order_of(r), r.previous))
        return found


def _ordered(found: Iterable[TableMove]) -> list[TableMove]:
    return in_order(sorted(found, key=lambda m: (m.subject, m.what, m.previous or "")), lambda m: m.order)


def _reached(start: str, onward: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    level = {start}
    while level:
        level = {name for s in level for name in onward.get(s, ())} - found
        found |= level
    return found - {start}


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
