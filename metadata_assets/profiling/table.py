"""The profile of one table: aggregates and a bounded sample from DuckDB, judged by the detectors."""

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb

from metadata_assets.model.finding import ColumnProfile, TableProfile
from metadata_assets.model.table import Table
from metadata_assets.profiling.detectors import judge
from metadata_assets.profiling.engine import columns_of, opened_data, quote

# Part of what a profile depends on: a change of rules judges again.
RULES_VERSION = "2"
_JUDGED = ("VARCHAR", "BIGINT", "INTEGER", "HUGEINT")
_AGGREGATES = 4  # a column, in the one query over all of them
_SEED = 7  # the same rows at each run, so that a profile changes only when the data does


def profile_table(table: Table, files: Sequence[str], sample_rows: int) -> TableProfile:
    """Profile a table from its Parquet files; without files its column names are judged alone.

    Args:
        table: the schema.
        files: paths of Parquet files.
        sample_rows: how many rows are sampled for the values that columns are judged by, at most.
    """
    if not files:
        findings = [f for c in table.all_columns for f in judge(c.name, ())]
        return TableProfile(findings=tuple(findings), notes=("judged by names alone: no data files",))
    with opened_data(files) as engine:
        types = {name.lower(): kind for name, kind in columns_of(engine).items()}
        present = [c for c in table.all_columns if c.name.lower() in types]
        absent = [c.name for c in table.all_columns if c.name.lower() not in types]
        notes = (f"not in the data files: {', '.join(absent)}",) if absent else ()
        return _profile(engine, {c.name: types[c.name.lower()] for c in present}, sample_rows, notes)


def profile_file(file: str, sample_rows: int) -> TableProfile:
    """Profile one Parquet file without a schema."""
    with opened_data([file]) as engine:
        return _profile(engine, columns_of(engine), sample_rows, ())


def _profile(
    engine: duckdb.DuckDBPyConnection, types: Mapping[str, str], sample_rows: int, notes: tuple[str, ...]
) -> TableProfile:
    rows, profiles = _aggregate(engine, types)
    judged = [name for name, kind in types.items() if kind in _JUDGED]
    values = _sample(engine, judged, sample_rows)
    findings = [f for name in judged for f in judge(name, values[name])]
    return TableProfile(profiles, tuple(findings), rows, notes)


def _aggregate(engine: duckdb.DuckDBPyConnection, types: Mapping[str, str]) -> tuple[int, tuple[ColumnProfile, ...]]:
    """Everything about all columns in one pass over the data."""
    parts = ["count(*)"]
    for column, kind in types.items():
        name = quote(column)
        length = f"length({name})" if kind == "VARCHAR" else "NULL::BIGINT"
        parts += [f"count({name})", f"approx_count_distinct({name})", f"min({length})", f"max({length})"]
    rows, *found = _rows(engine, f"SELECT {', '.join(parts)} FROM data")[0]
    profiles = []
    for index, column in enumerate(types):
        present, distinct, shortest, longest = found[index * _AGGREGATES : (index + 1) * _AGGREGATES]
        profiles.append(ColumnProfile(column, rows, rows - present, distinct, shortest, longest))
    return rows, tuple(profiles)


def _sample(engine: duckdb.DuckDBPyConnection, columns: Sequence[str], rows: int) -> dict[str, list[str]]:
    """Column → its distinct values that are not blank in a sample of rows, which is the same for all of them."""
    if not columns or not rows:
        return {name: [] for name in columns}
    names = ", ".join(quote(name) for name in columns)
    sampled = f"SELECT {names} FROM data USING SAMPLE reservoir({rows:d} ROWS) REPEATABLE ({_SEED})"
    found = _rows(engine, sampled)
    texts = {name: [str(row[i]) for row in found if row[i] is not None] for i, name in enumerate(columns)}
    return {name: sorted({value for value in values if value.strip()}) for name, values in texts.items()}


def _rows(engine: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[Any, ...]]:
    return engine.execute(sql).fetchall()
