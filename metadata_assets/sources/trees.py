"""Listing and reading files of a folder, for all sources of that kind.

What cannot be listed is never taken for empty: deletions are inferred from listings.
"""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from metadata_assets.errors import Permanent, Transient

LEADS_NOWHERE = "a link that leads nowhere or in a circle"
LEADS_OUT = "a link that leads out of the folder"
LEADS_TO_FOLDER = "a link to a folder, which is not gone into"


class UnreadableFile(Permanent):
    """One file is there and gives no content."""


class FolderGone(Permanent):
    """A folder is no more."""


class Tree:
    """The folders and files below a root. Hidden ones, links that lead out of it, and what is neither are left out.

    `strays` names the links among what is left out.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def entries(self, folder: Path) -> Iterator[tuple[Path, int]]:
        """Path and mode of what is in one folder, ordered by name.

        Raises:
            FolderGone: it is not there.
            Permanent, Transient: something in it may not or cannot be looked at now.
        """
        return ((path, mode) for path, mode, out in self._looked_at(folder) if not out)

    def strays(self, folder: Path | None = None) -> Iterator[tuple[Path, str]]:
        """Links in a folder and, at any depth, below it that are left out, each with the reason.

        Raises:
            FolderGone, Permanent, Transient: as `files`.
        """
        for path, mode, out in self._looked_at(self.root if folder is None else folder):
            if out:
                yield path, LEADS_OUT
            elif path.is_symlink() and not mode:
                yield path, LEADS_NOWHERE
            elif stat.S_ISDIR(mode) and path.is_symlink():
                yield path, LEADS_TO_FOLDER
            elif stat.S_ISDIR(mode):
                yield from self.strays(path)

    def _looked_at(self, folder: Path) -> Iterator[tuple[Path, int, bool]]:
        """Path, mode, and whether it is a link that leads out, of what is not hidden."""
        root = Path(os.path.realpath(self.root))
        try:
            paths = sorted(folder.iterdir())
        except FileNotFoundError as error:
            raise FolderGone(f"{shown(folder)}: there is no such folder") from error
        except (OSError, ValueError) as error:
            raise _failure(f"{shown(folder)}: the folder cannot be listed", error) from error
        for path in paths:
            if not path.name.startswith("."):
                out = path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(root)
                yield path, 0 if out else _mode(path), out

    def files(self, folder: Path | None = None) -> Iterator[Path]:
        """Regular files in a folder and, at any depth, below it. A folder that is a link is not gone into.

        Raises:
            FolderGone: the folder itself is not there.
            Permanent, Transient: it, or one below it, may not or cannot be listed now.
        """
        for path, mode in self.entries(self.root if folder is None else folder):
            if stat.S_ISREG(mode):
                yield path
            elif stat.S_ISDIR(mode) and not path.is_symlink():
                try:
                    yield from self.files(path)
                except FolderGone:
                    continue  # removed since its parent was listed, with all that was in it


def is_folder(path: Path) -> bool:
    """Whether it is a folder, or a link to one.

    Raises:
        Permanent: nothing can have such a name, or it may not be looked at.
        Transient: it cannot be looked at now.
    """
    return stat.S_ISDIR(_mode(path))


def read_regular(path: Path, limit: int) -> bytes:
    """The content of a file of at most `limit` bytes. A pipe or device is refused: reading one may never end.

    Raises:
        FileNotFoundError: it is gone.
        UnreadableFile: it cannot be opened, is no regular file or far too big.
    """
    try:
        # Without O_NONBLOCK the opening of a pipe waits for somebody to write into it.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UnreadableFile(f"{shown(path)}: not a regular file")
            content = file.read(limit + 1)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise UnreadableFile(f"{shown(path)}: cannot be read: {error.strerror}") from error
    if len(content) > limit:
        raise UnreadableFile(f"{shown(path)}: larger than {limit >> 20} MiB: no text of this kind is that big")
    return content


def shown(path: Path) -> str:
    """A path as people know it."""
    return os.path.relpath(path).replace("\0", "\\0")


def _mode(path: Path) -> int:
    """What a path is; 0 when it is gone or a link to nothing."""
    try:
        return path.stat().st_mode
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
            return 0
        # Left out of the listing, a table would look as if it had been dropped.
        raise _failure(f"{shown(path)}: cannot be looked at", error) from error


def _failure(what: str, error: OSError | ValueError) -> Permanent | Transient:
    """A name that no file can have stays so; all else, rights included, may be mended by another try."""
    if isinstance(error, ValueError):
        return Permanent(f"{what}: {error}")
    if error.errno == errno.ENAMETOOLONG:
        return Permanent(f"{what}: {error.strerror}")
    return Transient(f"{what}: {error.strerror}")
