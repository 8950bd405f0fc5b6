"""Locations become data files: by whole segments, never out of the root, and never with a crash."""

from pathlib import Path

import pytest

from metadata_assets.errors import Permanent, Transient
from metadata_assets.model.surroundings import Surroundings
from metadata_assets.model.table import Table, TableName
from metadata_assets.profiling.parquet import ParquetFiles
from metadata_assets.sources.base import SampleSource
from metadata_assets.sources.files.config import FilesConfig
from tests.unit.sources.test_trees import refuse


def connect(folder: Path, **roots: str) -> SampleSource:
    roots = roots or {"s3a://lake": "data"}
    return FilesConfig(type="files", roots=roots).connect(Surroundings({}, folder, folder))


def located(source: SampleSource, location: str | None) -> list[str]:
    table = Table(TableName("a", "b"), "external", (), location=location)
    found = source.find_data(table)
    assert found is None or isinstance(found, ParquetFiles)
    return [Path(file).name for file in found.files] if found else []


def write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")


@pytest.mark.parametrize("prefix", ["s3a://lake", "s3a://lake/"])
def test_a_prefix_ends_where_a_segment_does(prefix: str, tmp_path: Path) -> None:
    write(tmp_path / "data", "t/1.parquet", "-private/t/2.parquet", "private/t/3.parquet")
    source = connect(tmp_path, **{prefix: "data"})
    assert located(source, "s3a://lake/t") == ["1.parquet"]
    assert located(source, "s3a://lake/t/") == ["1.parquet"]
    assert sorted(located(source, "s3a://lake")) == ["1.parquet", "2.parquet", "3.parquet"]
    assert located(source, "s3a://lake-private/t") == []
    assert located(source, "s3a://other/t") == []
    assert located(source, None) == []


def test_the_longest_prefix_wins(tmp_path: Path) -> None:
    write(tmp_path, "outer/x/1.parquet", "inner/2.parquet")
    source = connect(tmp_path, **{"s3a://lake": "outer", "s3a://lake/x": "inner"})
    assert located(source, "s3a://lake/x") == ["2.parquet"]


def test_files_that_readers_of_tables_do_not_see(tmp_path: Path) -> None:
    write(tmp_path / "data/t", "ds=1/1.parquet", "_day=1/2.parquet", "_delta_log/3.parquet", "_x.parquet",
          ".hive-staging/4.parquet", "5.csv")  # fmt: skip
    assert located(connect(tmp_path), "s3a://lake/t") == ["2.parquet", "1.parquet"]


def test_links_that_lead_out_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path / "elsewhere", "secret.parquet")
    write(tmp_path / "data/t", "1.parquet")
    (tmp_path / "data/t/link.parquet").symlink_to(tmp_path / "elsewhere/secret.parquet")
    (tmp_path / "data/t/folder").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "data/out").symlink_to(tmp_path / "elsewhere")
    assert located(connect(tmp_path), "s3a://lake/t") == ["1.parquet"]
    assert located(connect(tmp_path), "s3a://lake/out") == []
    assert located(connect(tmp_path), "s3a://lake/../elsewhere") == []


@pytest.mark.parametrize("location", ["s3a://lake/a\0b", "s3a://lake/" + "x" * 300, "s3a://lake/" + "x/" * 4000])
def test_a_location_that_none_can_have_is_an_error_of_ours(location: str, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with pytest.raises(Permanent, match="cannot be looked at"):
        located(connect(tmp_path), location)


def test_a_folder_that_cannot_be_listed_is_not_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "data/t/locked", "1.parquet")
    refuse(monkeypatch, "locked", PermissionError(13, "Permission denied"))
    with pytest.raises(Transient, match="locked: the folder cannot be listed"):
        located(connect(tmp_path), "s3a://lake/t")
