"""A scratch copy of the store: what would happen is tried there, and thrown away."""

import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import ColumnElement, Connection, Engine, Select, Table, not_, or_, select, true

from metadata_assets.model.subject import prefix_of
from metadata_assets.store.engine import writing
from metadata_assets.store.store import Store
from metadata_assets.store.tables import (
    column_moves,
    data_changes,
    decisions,
    fact_heads,
    facts,
    local_catalog,
    missing,
    moves,
    pending,
    published,
    shards,
    source_state,
)

_WHOLE = (fact_heads, pending, missing, moves, column_moves, data_changes, shards, decisions, source_state)
_ENTRIES = (published, local_catalog)  # most of a store, beside the entries among the facts
_CHUNK = 1000
_FEW = 500  # tables; for more, all is copied


@contextmanager
def scratch_copy(store: Store, tables: Collection[str] | None = None) -> Iterator[Store]:
    """A copy of everything that says what is true now, without history, in a file that is gone afterwards.

    Args:
        store: what is copied.
        tables: subjects of the tables whose entries, and what destinations hold of them, will be asked for; None is
            all. What is known of the others, such as their schemas and tags, is there all the same.
    """
    asked = None if tables is None or len(tables) > _FEW else tables
    with tempfile.TemporaryDirectory(prefix="metadata-assets-") as folder:
        copy = Store.open(f"sqlite:///{Path(folder) / 'scratch.db'}")
        try:
            with _one_view(store.engine) as source, writing(copy.engine) as target:
                newest = select(facts).join(fact_heads, fact_heads.c.fact_id == facts.c.id)
                _copy(source, target, facts, newest.where(or_(facts.c.kind != "entry", _is_asked(facts, asked))))
                for table in _WHOLE:
                    _copy(source, target, table, select(table))
                for table in _ENTRIES:
                    _copy(source, target, table, select(table).where(_is_asked(table, asked)))
            yield copy
        finally:
            copy.close()


def _is_asked(table: Table, asked: Collection[str] | None) -> ColumnElement[bool]:
    if asked is None:
        return true()
    return or_(not_(table.c.subject.startswith(prefix_of("table"), autoescape=True)), table.c.subject.in_(asked))


def _one_view(engine: Engine) -> Connection:
    """A connection that sees one moment in all that it reads; on SQLite every transaction does."""
    connection = engine.connect()
    if engine.dialect.name == "postgresql":
        connection = connection.execution_options(isolation_level="REPEATABLE READ")
    return connection


def _copy(source: Connection, target: Connection, table: Table, query: Select[tuple[object, ...]]) -> None:
    result = source.execute(query)
    while rows := result.fetchmany(_CHUNK):
        target.execute(table.insert(), [dict(row._mapping) for row in rows])
