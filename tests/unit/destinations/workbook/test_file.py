"""The file as a whole: never overwritten when it cannot be read, never half written, never over somebody's save."""

import os
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from openpyxl import Workbook as Book

from metadata_assets.destinations.workbook import file
from metadata_assets.destinations.workbook.destination import Workbook
from metadata_assets.errors import Permanent, Transient
from metadata_assets.model.publication import Changes, Wanted
from tests.conformance.catalog import everything, raw_users

ALL = Wanted(everything())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "catalog.xlsx"
    Workbook(path).apply(Workbook(path).diff(ALL, {}))
    return path


def some(path: Path) -> Changes:
    return Workbook(path).diff(Wanted((raw_users("New."),)), {})


def without_member(path: Path, name: str) -> bytes:
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(path.with_suffix(".cut"), "w") as new:
        for item in old.namelist():
            if item != name:
                new.writestr(item, old.read(item))
    return path.with_suffix(".cut").read_bytes()


@pytest.mark.parametrize("damage", ["empty", "text", "cut", "no sheet", "bad xml"])
def test_a_corrupt_file_is_not_overwritten(path: Path, damage: str) -> None:
    changes, good = some(path), path.read_bytes()
    broken = {
        "empty": b"",
        "text": b"not a workbook",
        "cut": good[: len(good) // 2],
        "no sheet": without_member(path, "xl/workbook.xml"),
        "bad xml": _with_bad_sheet(path),
    }[damage]
    path.write_bytes(broken)
    with pytest.raises(Permanent, match=r"catalog\.xlsx cannot be read as a workbook; move it away or repair it"):
        Workbook(path).diff(ALL, {})
    with pytest.raises(Permanent, match="cannot be read as a workbook"):
        Workbook(path).apply(changes)
    assert path.read_bytes() == broken


def _with_bad_sheet(path: Path) -> bytes:
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(path.with_suffix(".bad"), "w") as new:
        for item in old.namelist():
            content = old.read(item)
            new.writestr(item, content[: len(content) // 2] if item.endswith("sheet2.xml") else content)
    return path.with_suffix(".bad").read_bytes()


@pytest.fixture
def closed_folder() -> Iterator[Path]:
    """A folder in which this process may not write, even where the tests run as root."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    Workbook(folder / "catalog.xlsx").apply(Workbook(folder / "catalog.xlsx").diff(ALL, {}))
    (folder / "catalog.xlsx").chmod(0o644)
    folder.chmod(0o555)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    yield folder
    if root:
        os.seteuid(0)
    folder.chmod(0o755)
    (folder / "catalog.xlsx").unlink()
    folder.rmdir()


def test_a_read_only_folder_is_worth_another_try(closed_folder: Path) -> None:
    path = closed_folder / "catalog.xlsx"
    before = path.read_bytes()
    with pytest.raises(Transient, match=r"cannot write .*catalog\.xlsx: Permission denied; may this user write there"):
        Workbook(path).apply(some(path))
    assert path.read_bytes() == before


def test_a_folder_in_the_place_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(Transient, match=r"cannot read .*: Is a directory"):
        Workbook(tmp_path).diff(ALL, {})


def test_a_save_by_somebody_else_is_not_overwritten(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changes, write = some(path), file._write

    def slow(book: Book, beside: Path) -> None:
        write(book, beside)
        path.write_bytes(path.read_bytes() + b"saved")

    monkeypatch.setattr(file, "_write", slow)
    with pytest.raises(Transient, match="was saved by somebody else"):
        Workbook(path).apply(changes)
    assert path.read_bytes().endswith(b"saved")
    assert [p.name for p in path.parent.iterdir()] == ["catalog.xlsx"]


def test_a_failed_write_leaves_the_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(book: Book, beside: Path) -> None:
        beside.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    changes, before = some(path), path.read_bytes()
    monkeypatch.setattr(file, "_write", full)
    with pytest.raises(Transient, match="No space left on device"):
        Workbook(path).apply(changes)
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == ["catalog.xlsx"]


def test_leftovers_of_killed_runs_are_swept(path: Path) -> None:
    old, young = path.with_name(".catalog.xlsx.1.tmp"), path.with_name(".catalog.xlsx.2.tmp")
    for left in (old, young):
        left.write_bytes(b"half")
    os.utime(old, (time.time() - 7200,) * 2)
    Workbook(path).apply(some(path))
    assert (old.exists(), young.exists()) == (False, True)


def test_links_and_permissions_stay(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.xlsx"
    link.symlink_to(path)
    path.chmod(0o664)
    Workbook(link).apply(some(link))
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o664
    assert not some(path).changes


def test_pictures_are_not_lost_where_they_cannot_be_kept(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changes = some(path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("xl/media/image1.png", b"")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(Permanent, match="holds pictures, which would be lost: install pillow"):
        Workbook(path).apply(changes)


def test_folders_on_the_way_are_made(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "catalog.xlsx"
    Workbook(path).apply(Workbook(path).diff(ALL, {}))
    assert not Workbook(path).diff(ALL, {}).changes
