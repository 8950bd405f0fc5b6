"""A folder of texts: what is there is read, what cannot be read is said, never left out."""

import os
from pathlib import Path

import pytest

from metadata_assets.errors import Permanent, Transient
from metadata_assets.model.surroundings import Surroundings
from metadata_assets.sources.base import MAX_TEXT_BYTES, FileSource
from metadata_assets.sources.folder.config import FolderConfig
from tests.unit.sources.test_trees import refuse


def connect(folder: Path) -> FileSource:
    around = Surroundings({}, folder, folder)
    return FolderConfig(type="folder", path="specs").connect(around, (".yaml", ".yml"))


@pytest.fixture
def specs(tmp_path: Path) -> Path:
    (tmp_path / "specs/sub").mkdir(parents=True)
    (tmp_path / "specs/b.yaml").write_text("b")
    (tmp_path / "specs/sub/a.yml").write_text("a")
    (tmp_path / "specs/notes.txt").write_text("x")
    return tmp_path / "specs"


def test_files_in_order_with_a_version_of_their_content(specs: Path) -> None:
    source = connect(specs.parent)
    files = list(source.read_files())
    assert [(f.path, f.content) for f in files] == [("b.yaml", b"b"), ("sub/a.yml", b"a")]
    assert source.read_versions() == {f.path: f.version for f in files}
    before = source.read_versions()
    (specs / "b.yaml").write_text("c")
    after = source.read_versions()
    assert before["b.yaml"] != after["b.yaml"]
    assert before["sub/a.yml"] == after["sub/a.yml"]
    assert source.locate("sub/a.yml") == os.path.relpath(specs / "sub/a.yml")


def test_an_unreadable_folder_does_not_look_deleted(specs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, "sub", PermissionError(13, "Permission denied"))
    with pytest.raises(Transient, match="specs/sub"):
        connect(specs.parent).read_versions()


@pytest.mark.parametrize("made", [os.mkfifo, lambda path: path.mkdir()])
def test_what_is_no_file_is_passed_over(made: object, specs: Path) -> None:
    assert callable(made)
    made(specs / "x.yaml")
    assert sorted(connect(specs.parent).read_versions()) == ["b.yaml", "sub/a.yml"]


def test_a_file_far_too_big_is_named_and_hurts_no_other(specs: Path) -> None:
    with (specs / "big.yaml").open("wb") as file:
        file.truncate(MAX_TEXT_BYTES + 1)
    first, big, last = list(connect(specs.parent).read_files())
    assert (first.problem, last.problem) == ("", "")
    assert big.content == b""
    assert "big.yaml: larger than 16 MiB" in big.problem


def test_a_missing_folder_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(Permanent, match="set the path in the platform file"):
        connect(tmp_path).read_versions()
