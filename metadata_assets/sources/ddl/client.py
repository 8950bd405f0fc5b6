"""Lists and reads the files of a DDL folder; knows nothing of what is in them."""

import errno
import os
import stat
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from metadata_assets.errors import Permanent

SUFFIX = ".sql"
DATABASE_FILE = "_database.sql"
MAX_BYTES = 4 << 20  # a DDL text is some kilobytes, with a Spark schema of thousands of columns one or two megabytes


class UnreadableFile(Permanent):
    """One file is there and gives no text."""


class FolderGone(Permanent):
    """The folder of a database is no more."""


@dataclass(frozen=True, slots=True)
class DdlText:
    """The text of one file, and its path as people know it."""

    where: str
    text: str


class DdlFolder:
    """Names are compared in lower case, as metastores do; hidden files and links that lead out are left alone."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def list_databases(self) -> Mapping[str, Path]:
        """Name → folder.

        Raises:
            Permanent: the root is missing, or two folders differ only by case.
        """
        if not self.root.is_dir():
            raise Permanent(f"{self.root} is not a folder: set `metastore: path` to the folder of the DDL files")
        found: dict[str, Path] = {}
        for path in self._inside(self.root, stat.S_ISDIR):
            name = path.name.lower()
            if name in found:
                raise Permanent(
                    f"{self.locate(found[name])} and {self.locate(path)} differ only by case, which a metastore does"
                    " not tell apart: rename or remove one of them"
                )
            found[name] = path
        return found

    def list_tables(self, folder: Path) -> Mapping[str, Sequence[Path]]:
        """Table name → its file, or the files whose names differ only by case.

        Raises:
            FolderGone: the folder is no more.
        """
        found = defaultdict[str, list[Path]](list)
        for path in self._inside(folder, stat.S_ISREG):
            name = path.name.lower()
            if name.endswith(SUFFIX) and name not in (SUFFIX, DATABASE_FILE):
                found[name.removesuffix(SUFFIX)].append(path)
        return found

    def find_database_file(self, folder: Path) -> Path | None:
        files = self._inside(folder, stat.S_ISREG)
        return next((path for path in files if path.name == DATABASE_FILE), None)

    def read_text(self, path: Path) -> DdlText:
        """The text of a file.

        Raises:
            FileNotFoundError: it is gone.
            UnreadableFile: it cannot be opened, is far too big or not UTF-8.
        """
        where = self.locate(path)
        try:
            with path.open("rb") as file:
                content = file.read(MAX_BYTES + 1)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise UnreadableFile(f"{where}: cannot be read: {error.strerror}") from error
        if len(content) > MAX_BYTES:
            raise UnreadableFile(f"{where}: larger than {MAX_BYTES >> 20} MiB: this is no DDL text")
        try:
            return DdlText(where, content.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise UnreadableFile(f"{where}:{line}: not UTF-8: save the file in that encoding") from error

    def locate(self, path: Path) -> str:
        return os.path.relpath(path)

    def _inside(self, folder: Path, wanted: Callable[[int], bool]) -> Iterator[Path]:
        """Files or folders in a folder, ordered by name, without what is hidden or leads out of the root."""
        root = Path(os.path.realpath(self.root))
        try:
            paths = sorted(folder.iterdir())
        except FileNotFoundError as error:
            raise FolderGone(f"{self.locate(folder)}: there is no such folder") from error
        except OSError as error:
            raise Permanent(f"{self.locate(folder)}: the folder cannot be listed: {error.strerror}") from error
        for path in paths:
            leads_out = path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(root)
            if not path.name.startswith(".") and not leads_out and wanted(self._mode(path)):
                yield path

    def _mode(self, path: Path) -> int:
        """What a path is; 0 when it is gone or a link to nothing."""
        try:
            return path.stat().st_mode
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ELOOP):
                return 0
            # Left out of the listing, a table would look as if it had been dropped.
            raise Permanent(f"{self.locate(path)}: cannot be looked at: {error.strerror}") from error
