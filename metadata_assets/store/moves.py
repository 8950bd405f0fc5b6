"""Under which names a table was known before: what creations, drops and renames add up to."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Engine, or_, select

from metadata_assets.model.event import EventOrder, Move
from metadata_assets.store.engine import chunks
from metadata_assets.store.tables import moves


@dataclass(frozen=True, slots=True)
class TableMove:
    """A table began, ended, or got the name `subject` instead of `previous`."""

    subject: str
    what: Move
    order: EventOrder
    previous: str | None = None


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

    def renamed(self, subjects: Iterable[str]) -> dict[str, list[TableMove]]:
        """Of these names those whose table had others before → its renames, newest first."""
        named = {s: self.former_names(s) for s in self._with_moves(subjects)}
        return {s: renames for s, renames in named.items() if renames}

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
            return [
                TableMove(r.subject, r.what, EventOrder(r.order_key, r.numbered, r.occurred_at), r.previous)
                for r in connection.execute(query)
            ]


def _newest(found: Iterable[TableMove], before: EventOrder | None) -> TableMove | None:
    """The last of them, or the last before another."""
    newest: TableMove | None = None
    for move in found:
        early = before is None or before.is_after(move.order)
        if early and (newest is None or move.order.is_after(newest.order)):
            newest = move
    return newest
