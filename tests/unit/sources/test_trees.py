"""Listings are complete or fail; only regular files of a sane size are read."""

import os
import stat
from pathlib import Path

import pytest

from metadata_assets.errors import Permanent, Transient
from metadata_assets.sources.trees import FolderGone, Tree, UnreadableFile, is_folder, read_regular


def refuse(monkeypatch: pytest.MonkeyPatch, name: str, error: OSError) -> None:
    """Make the listing of folders of this name fail; tests may run as root, whom no mode bits stop."""
    listed = Path.iterdir

    def iterdir(self: Path) -> object:
        if self.name == name:
            raise error
        return listed(self)

    monkeypatch.setattr(Path, "iterdir", iterdir)


def test_files_of_all_depths_without_hidden_ones_and_links_that_lead_out(tmp_path: Path) -> None:
    root = tmp_path / "root"
    for name in ("b/c/x", "a", ".git/x", "b/.x"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret").write_text("")
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "secret").symlink_to(tmp_path / "outside/secret")
    (root / "within").symlink_to(root / "a")
    (root / "loop").symlink_to(root)
    (root / "broken").symlink_to(root / "nothing")
    os.mkfifo(root / "pipe")
    assert [str(p.relative_to(root)) for p in Tree(root).files()] == ["a", "b/c/x", "within"]


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), OSError(5, "Input/output error")])
def test_a_folder_that_cannot_be_listed_is_not_empty(
    error: OSError, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a/locked").mkdir(parents=True)
    refuse(monkeypatch, "locked", error)
    with pytest.raises(Transient, match=f"a/locked: the folder cannot be listed: {error.strerror}"):
        list(Tree(tmp_path).files())


def test_a_folder_that_goes_while_it_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "going").mkdir()
    (tmp_path / "z").write_text("")
    refuse(monkeypatch, "going", FileNotFoundError(2, "gone"))
    assert list(Tree(tmp_path).files()) == [tmp_path / "z"]
    with pytest.raises(FolderGone):
        list(Tree(tmp_path).files(tmp_path / "never"))


@pytest.mark.parametrize("name", ["a\0b", "x" * 300])
def test_a_name_that_nothing_can_have(name: str, tmp_path: Path) -> None:
    with pytest.raises(Permanent, match="cannot be looked at"):
        is_folder(tmp_path / name)


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableFile, match="not a regular file"):
        read_regular(tmp_path / "pipe", 10)
    with pytest.raises(UnreadableFile):
        read_regular(tmp_path, 10)
    with pytest.raises(FileNotFoundError):
        read_regular(tmp_path / "nothing", 10)


def test_the_size_is_bounded_before_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345678")
    assert read_regular(tmp_path / "a", 8) == b"12345678"
    with pytest.raises(UnreadableFile, match="larger than"):
        read_regular(tmp_path / "a", 7)
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(1 << 40)
    assert stat.S_ISREG((tmp_path / "huge").stat().st_mode)
    with pytest.raises(UnreadableFile, match="larger than 1 MiB"):
        read_regular(tmp_path / "huge", 1 << 20)
