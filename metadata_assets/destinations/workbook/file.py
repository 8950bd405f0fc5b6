"""The workbook's file: read and replaced as a whole; left alone where it cannot be read or was changed meanwhile."""

import importlib.util
import io
import os
import shutil
import time
import zipfile
from pathlib import Path

from openpyxl import Workbook as Book
from openpyxl import load_workbook

from metadata_assets.errors import Permanent, Transient
from metadata_assets.isolation import guarded

_STALE_SECONDS = 3600


def read_bytes(path: Path) -> bytes | None:
    """The file's content, None where there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Transient(f"cannot read {path}: {error.strerror}") from error


def unreadable(path: Path) -> str:
    return (
        f"{path} cannot be read as a workbook; move it away or repair it: it is not overwritten, since people's notes "
        "may be in it"
    )


def parse_book(path: Path, content: bytes, *, read_only: bool) -> Book:
    """Raises Permanent: the content is no workbook, or holds what would be lost."""
    book = guarded(
        unreadable(path),
        lambda: load_workbook(
            io.BytesIO(content), read_only=read_only, rich_text=not read_only, keep_vba=path.suffix == ".xlsm"
        ),
    ).unwrap()
    if not read_only and _has_pictures(content) and importlib.util.find_spec("PIL") is None:
        raise Permanent(f"{path} holds pictures, which would be lost: install pillow, or take them out")
    return book


def _has_pictures(content: bytes) -> bool:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return any(name.startswith("xl/media/") for name in archive.namelist())


def replace_file(path: Path, book: Book, read: bytes | None) -> None:
    """Put the book in the place of the file, which must still be what was `read`.

    Raises:
        Transient: the folder cannot be written to, or somebody saved the file since it was read.
    """
    target = Path(os.path.realpath(path))  # a link stays a link
    beside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _write(book, beside)
        if read_bytes(target) != read:
            raise Transient(f"{path} was saved by somebody else while it was being written; nothing was changed")
        if read is not None:
            shutil.copymode(target, beside)
        beside.replace(target)
        _sweep(target)
    except OSError as error:
        raise Transient(f"cannot write {path}: {error.strerror}; may this user write there, is it open?") from error
    finally:
        _remove(beside)


def _write(book: Book, path: Path) -> None:
    with path.open("wb") as file:
        book.save(file)
        file.flush()
        os.fsync(file.fileno())


def _sweep(target: Path) -> None:
    """Take away what runs that were killed left beside the file."""
    for left in target.parent.glob(f".{target.name}.*.tmp"):
        if time.time() - left.stat().st_mtime > _STALE_SECONDS:
            _remove(left)


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return  # a leftover is swept by a later run
