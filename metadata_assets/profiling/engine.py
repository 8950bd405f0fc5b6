"""DuckDB as profiling uses it: one thread, no extension fetched, and no file but the ones to be profiled."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import duckdb

_SETTINGS = {
    "threads": "1",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
}


@contextmanager
def opened_data(files: Sequence[str]) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that holds the Parquet files as the view `data` and can read nothing else."""
    names = [_literal_path(name) for name in files]
    # Once closed, the engine opens these paths only, whatever a file or the name of a column asks for.
    allowed = ", ".join(_text(name) for name in sorted({*names, *map(_absolute, files)}))
    with duckdb.connect(":memory:", config=dict(_SETTINGS)) as engine:
        engine.execute(f"SET allowed_paths = [{allowed}]")
        engine.execute("SET enable_external_access = false")
        engine.execute("SET lock_configuration = true")
        engine.register("data", engine.read_parquet(names, union_by_name=True, hive_partitioning=True))
        yield engine


def columns_of(engine: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Column → DuckDB's type, in the order of the files."""
    return {str(row[0]): str(row[1]) for row in engine.execute("DESCRIBE data").fetchall()}


def quote(identifier: str) -> str:
    """An identifier in SQL, whatever characters its name holds."""
    return '"' + identifier.replace('"', '""') + '"'


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _literal_path(name: str) -> str:
    """A file name that is no pattern: DuckDB would read `day[1].parquet` as one, and `a*.parquet` as many files."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in _absolute(name))


def _absolute(name: str) -> str:
    """Links stay: the names of folders on the way may be values of partition columns."""
    return os.path.normpath(Path(name).absolute())
