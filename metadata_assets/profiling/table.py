"""The profile of one table: aggregates and a bounded sample from DuckDB, judged by the detectors."""

from collections.abc import Sequence
from pathlib import Path

import duckdb

from metadata_assets.errors import Permanent
from metadata_assets.model.finding import ColumnProfile, Finding, TableProfile
from metadata_assets.model.table import Column, Table, TableName
from metadata_assets.profiling.detectors import judge

# Part of what a profile depends on: a change of rules judges again.
RULES_VERSION = "1"
_TEXTS = ("VARCHAR", "BIGINT", "INTEGER", "HUGEINT")


def profile_table(table: Table, files: Sequence[str], sample_rows: int) -> TableProfile:
    """Profile a table from its Parquet files; without files its column names are judged alone.

    Args:
        table: the schema.
        files: paths of Parquet files.
        sample_rows: how many distinct values a column is judged by, at most.
    """
    if not files:
        findings = [f for c in table.all_columns for f in judge(c.name, ())]
        return TableProfile(findings=tuple(findings), notes=("judged by names alone: no data files",))
    with duckdb.connect(":memory:", config={"threads": "1"}) as engine:
        data = engine.read_parquet(list(files), union_by_name=True, hive_partitioning=True)
        engine.register("data", data)
        types = {name.lower(): str(kind) for name, kind in zip(data.columns, data.types, strict=True)}
        present = [c for c in table.all_columns if c.name.lower() in types]
        profiles = tuple(_profile(engine, c) for c in present)
        findings = [f for c in present for f in _judge(engine, c, types[c.name.lower()], sample_rows)]
    absent = [c.name for c in table.all_columns if c.name.lower() not in types]
    notes = (f"not in the data files: {', '.join(absent)}",) if absent else ()
    return TableProfile(profiles, tuple(findings), profiles[0].rows if profiles else 0, notes)


def profile_files(path: str, sample_rows: int = 500) -> TableProfile:
    """Profile Parquet files without a schema: a file, or a folder with everything below it."""
    found = [str(p) for p in sorted(Path(path).rglob("*.parquet"))] if Path(path).is_dir() else [path]
    if not found:
        raise Permanent(f"{path}: no Parquet files in this folder")
    with duckdb.connect(":memory:") as engine:
        data = engine.read_parquet(found, union_by_name=True, hive_partitioning=True)
        columns = tuple(Column(name, str(kind)) for name, kind in zip(data.columns, data.types, strict=True))
    return profile_table(Table(TableName("file", "data"), "other", columns), found, sample_rows)


def _profile(engine: duckdb.DuckDBPyConnection, column: Column) -> ColumnProfile:
    name = quote(column.name)
    text = f"length(CAST({name} AS VARCHAR))"
    row = engine.execute(
        f"SELECT count(*), count(*) - count({name}), approx_count_distinct({name}), min({text}), max({text}) FROM data"
    ).fetchone()
    rows, nulls, distinct, shortest, longest = row or (0, 0, 0, None, None)
    return ColumnProfile(column.name, rows, nulls, distinct, shortest, longest)


def _judge(engine: duckdb.DuckDBPyConnection, column: Column, kind: str, sample_rows: int) -> list[Finding]:
    if kind not in _TEXTS:
        return []
    name = quote(column.name)
    # An order by hash is a sample that is the same at each run, so that a profile changes only when the data does.
    rows = engine.execute(
        f"SELECT DISTINCT CAST({name} AS VARCHAR) AS v FROM data WHERE {name} IS NOT NULL "
        f"AND trim(CAST({name} AS VARCHAR)) <> '' ORDER BY hash(v), v LIMIT {sample_rows:d}"
    ).fetchall()
    return judge(column.name, [str(r[0]) for r in rows])


def quote(identifier: str) -> str:
    """An identifier in SQL, whatever characters its name holds."""
    return '"' + identifier.replace('"', '""') + '"'
