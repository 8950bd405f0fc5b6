"""Opening the store: SQLite with a write-ahead log by default, PostgreSQL in production."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, inspect, make_url, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError, StatementError

from metadata_assets.errors import StoreError
from metadata_assets.store.tables import REVISION

T = TypeVar("T")
# A number of our own, so that two processes that open an empty PostgreSQL store migrate one after the other.
_MIGRATION_LOCK = 7_365_142_209
_BUSY_SECONDS = 60
_TO_WRITE = "run as a user who may write its folder, or set METADATA_HOME to a folder that can be written"
_LIMIT_EXCEEDED = "54"  # PostgreSQL's class of errors for rows of an index that are too long, and the like
_CHUNK = 500  # values in one IN (…): SQLite has a limit, and every planner is slow above some thousands


def open_engine(url: str) -> Engine:
    """Connect to the store and bring its tables up to this version.

    An SQLite file that this user may not write, or whose folder is not to be written, is opened for reading.

    Args:
        url: an SQLAlchemy URL. `postgresql://` means the psycopg2 driver.

    Raises:
        StoreError: the database does not answer, or another version wrote it: a newer one, or an older one where it
            cannot be written. The URL's password is not shown.
    """
    target = _parse_url(url)
    try:
        engine = _sqlite_engine(target) if target.get_backend_name() == "sqlite" else _postgres_engine(target)
    except (SQLAlchemyError, ImportError, OSError) as error:
        raise _failure(target, error) from None
    try:
        _migrate(engine)
    except (SQLAlchemyError, OSError) as error:
        engine.dispose()
        raise _failure(target, error) from None  # its traceback would show the password where ours does not
    except StoreError:
        engine.dispose()
        raise
    return engine


def _parse_url(url: str) -> URL:
    if url.startswith("postgres://"):
        url = "postgresql://" + url.removeprefix("postgres://")
    try:
        target = make_url(url)
    except (SQLAlchemyError, ValueError):  # their messages quote parts of the URL, passwords among them
        raise StoreError(
            "the URL of the store cannot be read: write sqlite:///FILE or "
            "postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with / @ : # % in the password as %2F %40 %3A %23 %25"
        ) from None
    if target.get_backend_name() not in ("sqlite", "postgresql"):
        raise StoreError(f"the store cannot be {target.get_backend_name()}: it is SQLite or PostgreSQL")
    return target.set(drivername="postgresql+psycopg2") if target.drivername == "postgresql" else target


def _failure(target: URL, error: Exception) -> StoreError:
    first = (str(error).strip().splitlines() or [""])[0]
    for secret in (target.password, target.query.get("password"), target.query.get("sslpassword")):
        first = first.replace(str(secret), "***") if secret else first
    shown = target.set(query={}).render_as_string(hide_password=True)  # libpq takes a password among the options too
    todo = f"; {_TO_WRITE}" if target.get_backend_name() == "sqlite" else ""
    return StoreError(f"cannot open the store {shown}: {type(error).__name__}: {first}{todo}")


def _postgres_engine(target: URL) -> Engine:
    # The parameters of a statement that fails are facts of a catalog and no business of a log.
    # Without batches each row of an update is a round trip of its own.
    return create_engine(target, pool_pre_ping=True, executemany_mode="values_plus_batch", hide_parameters=True)


def _sqlite_engine(target: URL) -> Engine:
    file = Path(target.database) if target.database and target.database != ":memory:" else None
    frozen = file is not None and _is_only_readable(file)
    if file is not None and not frozen:
        file.parent.mkdir(parents=True, exist_ok=True)
    if file is not None and frozen:
        engine = create_engine(target, creator=partial(_connect_reading, file), hide_parameters=True)
    else:
        engine = create_engine(target, connect_args={"timeout": _BUSY_SECONDS}, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def _configure(connection: Any, _record: Any) -> None:
        # Transactions are begun by us (below): the driver's own begin takes the write lock too late and then fails
        # instead of waiting.
        connection.isolation_level = None
        for pragma in () if frozen else ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes")
        if writes and frozen:
            raise StoreError(f"the store {file} can only be read here: {_TO_WRITE}")
        connection.exec_driver_sql(f"BEGIN {'IMMEDIATE' if writes else 'DEFERRED'}")

    return engine


def _is_only_readable(file: Path) -> bool:
    """Whether it is there and cannot be written: beside it SQLite makes the files of its log, so its folder counts."""
    return file.exists() and not (os.access(file, os.W_OK) and os.access(file.parent, os.W_OK))


def _connect_reading(file: Path) -> sqlite3.Connection:
    """Without its log SQLite opens a file only where it could make one, unless it is told that nobody writes now. With
    one somebody may be writing, and what stands in it is read too."""
    alone = not file.with_name(file.name + "-wal").exists()
    uri = f"{file.resolve().as_uri()}?mode=ro{'&immutable=1' if alone else ''}"
    return sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, check_same_thread=False)


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that writes; on SQLite it takes the write lock at its start, so it waits instead of failing."""
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        yield connection


def exclusively(connection: Connection, table: Table) -> None:
    """Let nobody else write the table until the transaction ends. SQLite has one writer at a time anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f'LOCK TABLE "{table.name}" IN SHARE ROW EXCLUSIVE MODE'))


def insert_into(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An INSERT in the dialect of the store: both know ON CONFLICT."""
    return postgresql.Insert(table) if connection.dialect.name == "postgresql" else sqlite.Insert(table)


# What drivers and databases raise where a value cannot be kept.
REFUSALS = (SQLAlchemyError, ValueError, TypeError, OverflowError)


def is_refusal(error: Exception) -> bool:
    """Whether one of these was raised because of what was to be written, and would be again; not because the database
    is busy, full or away."""
    if not isinstance(error, DBAPIError):
        return not isinstance(error, SQLAlchemyError) or isinstance(error, StatementError)
    if str(getattr(error.orig, "pgcode", None) or "").startswith(_LIMIT_EXCEEDED):
        return True
    return not (isinstance(error, OperationalError) or error.connection_invalidated)


def chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """The items in parts that fit into one statement."""
    for start in range(0, len(items), _CHUNK):
        yield items[start : start + _CHUNK]


def _migrate(engine: Engine) -> None:
    with engine.connect() as connection:
        if _revision(connection) == REVISION:
            return
    from alembic import command  # takes as long to import as all else here, and a store is migrated once
    from alembic.config import Config
    from alembic.util.exc import CommandError

    config = Config()
    # A % in a path would be taken for the start of a variable.
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    with writing(engine) as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise StoreError(f"the store was written by a newer version of metadata-assets: {error}") from error


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found
