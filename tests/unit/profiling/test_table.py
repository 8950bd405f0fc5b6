"""Profiles of real Parquet files: right figures, odd names, closed doors, and no value in anything that comes out."""

import os
from collections.abc import Sequence
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metadata_assets.config import Pii
from metadata_assets.errors import ForeignCodeError
from metadata_assets.isolation import guarded
from metadata_assets.model.finding import ColumnProfile, TableProfile
from metadata_assets.profiling.parquet import ParquetFiles, opened_data, quote
from metadata_assets.profiling.table import profile_data, profile_table
from tests.lake import table
from tests.unit.profiling.test_detectors import CPFS

ODD_NAMES = ["a b", 'say "hi"', "semi;colon", "drop table data; --", "ünï", "select", "a.b", "data", "'", "sum(*)"]


def write(path: Path, **columns: Sequence[object]) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path)
    return str(path)


def profile_file(file: str, sample_rows: int) -> TableProfile:
    return profile_data(ParquetFiles((file,)), sample_rows)


def broken_text(path: Path, value: bytes = b"529.982.247-25\xff\xfe") -> str:
    """A text column with bytes that are no UTF-8, as careless writers leave them."""
    data = pa.array([value] * 4, pa.binary()).view(pa.string())
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({"cpf": data}), path, use_dictionary=False)
    return str(path)


def test_aggregates(tmp_path: Path) -> None:
    first = write(tmp_path / "1.parquet", id=[1, 2, 3], name=["ana", None, "joão"])
    second = write(tmp_path / "2.parquet", id=[4], name=[None])
    found = profile_table(table("a.b", "id bigint", "Name string", "gone int"), ParquetFiles((first, second)), 100)
    assert found.columns == (ColumnProfile("id", 4, 0, 4), ColumnProfile("Name", 4, 2, 2, 3, 4))
    assert found.rows_read == 4
    assert found.notes == ("not in the data: gone",)


def test_without_files_names_are_judged_alone() -> None:
    found = profile_table(table("a.b", "cpf string", "x int"), None, 100)
    assert [(f.column, f.band) for f in found.findings] == [("cpf", "weak")]
    assert found.columns == ()


def test_values_are_judged_and_partitions_are_columns(tmp_path: Path) -> None:
    file = write(tmp_path / "t/ds=2026-01-01/x.parquet", doc=list(CPFS))
    found = profile_file(file, 100)
    assert [c.column for c in found.columns] == ["doc", "ds"]
    assert [(f.column, f.tag) for f in found.findings] == [("doc", "PII_CPF")]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_odd_column_names(name: str, tmp_path: Path) -> None:
    found = profile_file(write(tmp_path / "x.parquet", **{name: list(CPFS)}), 100)
    assert [c.column for c in found.columns] == [name]
    assert [f.column for f in found.findings] == [name]
    assert quote(name)[0] == quote(name)[-1] == '"'


@pytest.mark.parametrize("name", ["a[1].parquet", "b*.parquet", "q?.parquet", "it's.parquet", "back\\slash.parquet"])
def test_odd_file_names_are_no_patterns(name: str, tmp_path: Path) -> None:
    write(tmp_path / "bb.parquet", x=[1])
    write(tmp_path / "qq.parquet", x=[1])
    assert profile_file(write(tmp_path / name, x=[1, 2, 3]), 10).rows_read == 3


def test_nested_and_odd_types(tmp_path: Path) -> None:
    columns: dict[str, list[object]] = {
        "s": [{"a": 1}],
        "l": [[1, 2]],
        "b": [b"\xff"],
        "f": [1.5],
        "t": [True],
        "n": [None],
    }
    assert [c.rows for c in profile_file(write(tmp_path / "x.parquet", **columns), 10).columns] == [1] * 6


def test_the_sample_is_bounded_and_the_same_each_time(tmp_path: Path) -> None:
    values = [f"user{i}@example.com" for i in range(5000)]
    file = write(tmp_path / "x.parquet", email=values, pad=list(range(5000)))
    first, second = profile_file(file, 50), profile_file(file, 50)
    assert first == second
    assert [(f.distinct, f.matched) for f in first.findings] == [(50, 50)]
    assert [f.band for f in profile_file(file, 0).findings] == ["weak"], "no row, no value"
    assert "sampled" in str(Pii.model_fields["sample_rows"].description)


def test_values_of_a_file_that_cannot_be_read_are_in_no_error(tmp_path: Path) -> None:
    file = broken_text(tmp_path / "x.parquet")
    outcome = guarded("x", lambda: profile_file(file, 10))
    assert outcome.error is not None
    assert "529" not in str(outcome.error)


def test_the_engine_reads_nothing_else_and_fetches_nothing(tmp_path: Path) -> None:
    mine = write(tmp_path / "mine.parquet", x=[1])
    other = write(tmp_path / "other.parquet", x=[1])
    with opened_data([mine]) as engine:
        for sql in (
            f"SELECT * FROM '{other}'",
            f"SELECT * FROM read_text('{__file__}')",
            f"COPY (SELECT 1) TO '{tmp_path / 'out.csv'}'",
            "SET enable_external_access = true",
            "INSTALL httpfs",
            "LOAD httpfs",
        ):
            with pytest.raises(duckdb.Error):
                engine.execute(sql)
        settings = "SELECT current_setting('threads'), current_setting('autoinstall_known_extensions')"
        assert engine.execute(settings).fetchone() == (1, False)


def test_a_path_may_be_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "x.parquet", x=[1])
    monkeypatch.chdir(tmp_path)
    assert profile_file("x.parquet", 10).rows_read == 1
    assert profile_file(os.path.join("sub", "..", "x.parquet"), 10).rows_read == 1  # noqa: PTH118


BROKEN = {
    b"": "an empty file",
    b"id,cpf\n1,529.982.247-25\n": "not a Parquet file",
    b"PAR1": "a damaged Parquet file",
    b"PAR1 cut off here": "a truncated Parquet file",
    b"PAR1 this is no Parquet file PAR1": "a damaged Parquet file",
    b"PARE 529.982.247-25 PARE": "an encrypted Parquet file",
}


@pytest.mark.parametrize(("broken", "problem"), BROKEN.items())
def test_a_broken_file_is_named_with_what_to_do_and_hides_no_good_one(
    broken: bytes, problem: str, tmp_path: Path
) -> None:
    files = [write(tmp_path / f"{n}.parquet", cpf=list(CPFS)) for n in range(3)]
    Path(files[1]).write_bytes(broken)
    found = profile_table(table("a.b", "cpf string"), ParquetFiles(tuple(files)), 10)
    (told,) = found.unread
    assert told.startswith(f"{files[1]}: {problem}")
    assert "remove it" in told
    assert (found.rows_read, [f.tag for f in found.findings]) == (2 * len(CPFS), ["PII_CPF"])
    with pytest.raises(ForeignCodeError, match=problem) as refused:
        profile_file(files[1], 10)
    assert "529" not in str(refused.value)
    assert refused.value.__cause__ is None


def test_broken_data_under_a_sound_footer_is_found_too(tmp_path: Path) -> None:
    files = [write(tmp_path / "0.parquet", cpf=list(CPFS)), broken_text(tmp_path / "1.parquet")]
    found = profile_table(table("a.b", "cpf string"), ParquetFiles(tuple(files)), 10)
    assert [(Path(u.partition(":")[0]).name, "not UTF-8" in u) for u in found.unread] == [("1.parquet", True)]
    assert found.rows_read == len(CPFS)


def test_a_file_that_is_gone_is_named(tmp_path: Path) -> None:
    files = (write(tmp_path / "0.parquet", x=[1]), str(tmp_path / "1.parquet"))
    assert profile_data(ParquetFiles(files), 10).unread == (f"{files[1]}: cannot be read: No such file or directory",)


def test_files_that_do_not_go_together_are_no_broken_ones(tmp_path: Path) -> None:
    files = (write(tmp_path / "0.parquet", x=[{"a": 1}]), write(tmp_path / "1.parquet", x=[1]))
    with pytest.raises(ForeignCodeError, match=r"2 files, the first .*/0\.parquet: .* write them anew with one schema"):
        profile_data(ParquetFiles(files), 10)


@pytest.mark.parametrize("rows", [1, 7, 49, 50, 333, 2500])
def test_the_estimate_of_distinct_values_contradicts_nothing(rows: int, tmp_path: Path) -> None:
    file = write(
        tmp_path / "x.parquet", email=[f"user{i}@example.com" for i in range(rows)], gaps=[None, *range(1, rows)]
    )
    found = profile_file(file, 500)
    for column in found.columns:
        assert min(rows - column.nulls, 500) <= column.distinct <= rows - column.nulls
    assert all(f.distinct <= found.columns[0].distinct for f in found.findings if f.column == "email")
