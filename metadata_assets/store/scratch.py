"""A scratch copy of the store: what would happen is tried there, and thrown away."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, Select, Table, select

from metadata_assets.store.engine import writing
from metadata_assets.store.store import Store
from metadata_assets.store.tables import (
    column_moves,
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

_WHOLE = (fact_heads, published, local_catalog, pending, missing, moves, column_moves, shards, decisions, source_state)
_CHUNK = 1000


@contextmanager
def scratch_copy(store: Store) -> Iterator[Store]:
    """A copy of everything that says what is true now, without history, in a file that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="metadata-assets-") as folder:
        copy = Store.open(f"sqlite:///{Path(folder) / 'scratch.db'}")
        try:
            with _one_view(store.engine) as source, writing(copy.engine) as target:
                _copy(source, target, facts, select(facts).join(fact_heads, fact_heads.c.fact_id == facts.c.id))
                for table in _WHOLE:
                    _copy(source, target, table, select(table))
            yield copy
        finally:
            copy.close()


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
