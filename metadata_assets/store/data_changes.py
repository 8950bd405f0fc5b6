"""When the data of tables changed, as events told it, and when somebody asked for a profile."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, case, select

from metadata_assets.store.engine import chunks, insert_into
from metadata_assets.store.tables import data_changes


@dataclass(frozen=True, slots=True)
class DataChange:
    """When the data of a table last changed, and when its profile was last asked for (epoch seconds; 0 is never)."""

    at: float = 0.0
    asked_at: float = 0.0

    def or_later(self, other: "DataChange") -> "DataChange":
        return DataChange(max(self.at, other.at), max(self.asked_at, other.asked_at))


NEVER = DataChange()


class DataChanges:
    """Reads when data changed. It is written with whatever else a look at a source brought: see `Inbox.take_in`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def times(self) -> dict[str, DataChange]:
        """Table subject → what is known of it."""
        with self._engine.connect() as connection:
            return {r.subject: DataChange(r.at, r.asked_at or 0.0) for r in connection.execute(select(data_changes))}


def known_changes(connection: Connection, subjects: Iterable[str]) -> dict[str, DataChange]:
    """The same for some tables."""
    found = {}
    for part in chunks(sorted(subjects)):
        for r in connection.execute(select(data_changes).where(data_changes.c.subject.in_(part))):
            found[r.subject] = DataChange(r.at, r.asked_at or 0.0)
    return found


def note_changes(connection: Connection, changes: Mapping[str, DataChange]) -> None:
    """Table subject → what was told of it; earlier times than the known ones change nothing."""
    if not changes:
        return
    statement = insert_into(connection, data_changes)
    rows = [{"subject": s, "at": c.at, "asked_at": c.asked_at} for s, c in sorted(changes.items())]
    new = {}
    for name in ("at", "asked_at"):
        told, known = statement.excluded[name], data_changes.c[name]
        new[name] = case((known.is_(None), told), (told > known, told), else_=known)
    connection.execute(statement.on_conflict_do_update(index_elements=["subject"], set_=new), rows)
