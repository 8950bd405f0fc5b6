"""When the data of tables changed, as events told it."""

from collections.abc import Mapping

from sqlalchemy import Connection, Engine, case, select

from metadata_assets.store.codec import storable
from metadata_assets.store.engine import insert_into
from metadata_assets.store.tables import data_changes


class DataChanges:
    """Reads when data changed. It is written with whatever else a look at a source brought: see `Inbox.take_in`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def times(self) -> dict[str, float]:
        """Table subject → when its data last changed (epoch seconds)."""
        with self._engine.connect() as connection:
            return {row.subject: row.at for row in connection.execute(select(data_changes))}


def note_changes(connection: Connection, changes: Mapping[str, float]) -> None:
    """Table subject → when its data changed (epoch seconds); an earlier time than the known one changes nothing."""
    if not changes:
        return
    statement = insert_into(connection, data_changes)
    later = case((statement.excluded.at > data_changes.c.at, statement.excluded.at), else_=data_changes.c.at)
    rows = [{"subject": storable(s), "at": at} for s, at in sorted(changes.items())]
    connection.execute(statement.on_conflict_do_update(index_elements=["subject"], set_={"at": later}), rows)
