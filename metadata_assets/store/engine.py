"""Opening the store: SQLite with a write-ahead log by default, PostgreSQL in production."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import SQLAlchemyError

from metadata_assets.errors import StoreError

# A number of our own, so that two processes that open an empty PostgreSQL store migrate one after the other.
_MIGRATION_LOCK = 7_365_142_209
_BUSY_SECONDS = 60


def open_engine(url: str) -> Engine:
    """Connect to the store and bring its tables up to this version.

    Args:
        url: an SQLAlchemy URL. `postgresql://` means the psycopg2 driver.

    Raises:
        StoreError: the database does not answer or was written by a newer version. The URL's password is not shown.
    """
    if url.startswith(("postgresql://", "postgres://")):
        url = "postgresql+psycopg2://" + url.split("://", 1)[1]
    try:
        engine = _sqlite_engine(url) if url.startswith("sqlite") else create_engine(url, pool_pre_ping=True)
        _migrate(engine)
    except (SQLAlchemyError, OSError) as error:
        first = str(error).splitlines()[0]
        raise StoreError(f"cannot open the store: {type(error).__name__}: {first}") from error
    return engine


def _sqlite_engine(url: str) -> Engine:
    path = url.partition("sqlite:///")[2]
    if path:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS})

    @event.listens_for(engine, "connect")
    def _configure(connection: Any, _record: Any) -> None:
        # Transactions are begun by us (below): the driver's own begin takes the write lock too late and then fails
        # instead of waiting.
        connection.isolation_level = None
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        mode = "IMMEDIATE" if connection.get_execution_options().get("writes") else "DEFERRED"
        connection.exec_driver_sql(f"BEGIN {mode}")

    return engine


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that writes; on SQLite it takes the write lock at its start, so it waits instead of failing."""
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        yield connection


def _migrate(engine: Engine) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    scripts = ScriptDirectory.from_config(config)
    with engine.connect() as connection:
        if MigrationContext.configure(connection).get_current_revision() == scripts.get_current_head():
            return
    with writing(engine) as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise StoreError(f"the store was written by a newer version of metadata-assets: {error}") from error
