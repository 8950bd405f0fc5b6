"""Parquet files as a relation in DuckDB: one thread, no extension fetched, and no file but the ones to be profiled."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from metadata_assets.errors import ForeignCodeError
from metadata_assets.model.finding import ColumnProfile
from metadata_assets.profiling.data import Kind, Relation

_SETTINGS = {
    "threads": "1",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
}
_KINDS: Mapping[str, Kind] = {"VARCHAR": "text", "BIGINT": "integer", "INTEGER": "integer", "HUGEINT": "integer"}
_AGGREGATES = 4  # a column, in the one query over all of them
_SEED = 7
_MAGIC = b"PAR1"
_TOGETHER = "columns of these files have types that cannot be united: write them anew with one schema"
_PROBLEMS: tuple[tuple[Callable[[bytes, bytes], bool], str], ...] = (
    (lambda begin, _: not begin, "an empty file, not a Parquet file: write it anew or remove it"),
    (lambda begin, end: b"PARE" in (begin, end), "an encrypted Parquet file, which is not read: decrypt or remove it"),
    (lambda begin, _: begin != _MAGIC, "not a Parquet file: convert or remove it; only Parquet is read"),
    (lambda _, end: end != _MAGIC, "a truncated Parquet file, its end is missing: write it anew or remove it"),
    (lambda _, __: True, "a damaged Parquet file, or text in it that is not UTF-8: write it anew or remove it"),
)


@dataclass(frozen=True, slots=True)
class ParquetFiles:
    """The data of a table as files of one schema or of schemas that can be united; there has to be at least one."""

    files: tuple[str, ...]

    @property
    def version(self) -> str:
        return "\0".join(_stamp(name) for name in self.files)

    @contextmanager
    def opened(self) -> Iterator[Relation]:
        """Connect to them.

        Raises:
            ForeignCodeError: one cannot be read, now or while the block runs; `sound` says which. The engine's own
                error is not kept, it may quote a value.
        """
        try:
            with opened_data(self.files) as engine:
                yield _View(engine)
        except duckdb.Error:
            raise ForeignCodeError(f"{self._named()}: {_TOGETHER}") from None

    def sound(self) -> tuple["ParquetFiles | None", tuple[str, ...]]:
        """The files that can be read to their ends, and what is wrong with the others."""
        problems = {file: problem for file in self.files if (problem := _problem_of(file))}
        rest = tuple(file for file in self.files if file not in problems)
        told = tuple(f"{file}: {problem}" for file, problem in problems.items())
        return ParquetFiles(rest) if rest else None, told

    def _named(self) -> str:
        return self.files[0] if len(self.files) == 1 else f"{len(self.files)} files, the first {self.files[0]}"


def _problem_of(file: str) -> str:
    """What is wrong with a file and what to do, empty where all of it can be read.

    What the engine says of it may quote data, so that the file is looked at itself: where a Parquet file begins and
    ends stands `PAR1`, or `PARE` where the footer is encrypted.
    """
    try:
        with opened_data([file]) as engine:
            engine.execute("SELECT min(COLUMNS(*)::VARCHAR) FROM data").fetchall()
    except duckdb.Error:
        try:
            begin, end = _ends(Path(file))
        except OSError as error:
            return f"cannot be read: {error.strerror}"
        return next(problem for applies, problem in _PROBLEMS if applies(begin, end))
    return ""


def _ends(path: Path) -> tuple[bytes, bytes]:
    """The first and last four bytes."""
    with path.open("rb") as file:
        begin = file.read(4)
        file.seek(max(0, path.stat().st_size - 4))
        return begin, file.read(4)


def _stamp(name: str) -> str:
    stat = Path(name).stat() if Path(name).exists() else None
    return f"{name} {stat.st_size} {stat.st_mtime_ns}" if stat else name


class _View:
    """The view `data` of a connection."""

    def __init__(self, engine: duckdb.DuckDBPyConnection) -> None:
        self._engine = engine

    def kinds(self) -> dict[str, Kind]:
        return {str(name): _KINDS.get(str(kind), "other") for name, kind, *_ in self._rows("DESCRIBE data")}

    def aggregate(self, columns: Mapping[str, Kind]) -> tuple[int, tuple[ColumnProfile, ...]]:
        parts = ["count(*)"]
        for column, kind in columns.items():
            name = quote(column)
            length = f"length({name})" if kind == "text" else "NULL::BIGINT"
            parts += [f"count({name})", f"approx_count_distinct({name})", f"min({length})", f"max({length})"]
        rows, *found = self._rows(f"SELECT {', '.join(parts)} FROM data")[0]
        profiles = []
        for index, column in enumerate(columns):
            present, distinct, shortest, longest = found[index * _AGGREGATES : (index + 1) * _AGGREGATES]
            profiles.append(ColumnProfile(column, rows, rows - present, distinct, shortest, longest))
        return rows, tuple(profiles)

    def sample(self, columns: Sequence[str], rows: int) -> dict[str, list[str]]:
        if not columns or not rows:
            return {name: [] for name in columns}
        names = ", ".join(quote(name) for name in columns)
        found = self._rows(f"SELECT {names} FROM data USING SAMPLE reservoir({rows:d} ROWS) REPEATABLE ({_SEED})")
        texts = {name: [str(row[i]) for row in found if row[i] is not None] for i, name in enumerate(columns)}
        return {name: sorted({value for value in values if value.strip()}) for name, values in texts.items()}

    def _rows(self, sql: str) -> list[tuple[Any, ...]]:
        return self._engine.execute(sql).fetchall()


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
