"""Lists and reads the files of a DDL folder; knows nothing of what is in them."""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from metadata_assets.errors import Permanent

SUFFIX = ".sql"
DATABASE_FILE = "_database.sql"
MAX_BYTES = 16 << 20  # a DDL text is some kilobytes: what is larger is something else


class UnreadableFile(Permanent):
    """One file is there and gives no text."""


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
        for path in self._inside(self.root):
            name = path.name.lower()
            if not path.is_dir():
                continue
            if name in found:
                raise Permanent(
                    f"{self.locate(found[name])} and {self.locate(path)} differ only by case, which a metastore does"
                    " not tell apart: rename or remove one of them"
                )
            found[name] = path
        return found

    def list_tables(self, folder: Path) -> Mapping[str, Sequence[Path]]:
        """Table name → its file, or the files whose names differ only by case."""
        found = defaultdict[str, list[Path]](list)
        for path in self._inside(folder):
            name = path.name.lower()
            if name.endswith(SUFFIX) and name not in (SUFFIX, DATABASE_FILE) and path.is_file():
                found[name.removesuffix(SUFFIX)].append(path)
        return found

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

    def _inside(self, folder: Path) -> Iterator[Path]:
        """What is in a folder, ordered by name, without what is hidden or leads out of the root."""
        root = self.root.resolve()
        try:
            paths = sorted(folder.iterdir())
        except OSError as error:
            raise Permanent(f"{self.locate(folder)}: the folder cannot be listed: {error.strerror}") from error
        for path in paths:
            if not path.name.startswith(".") and (not path.is_symlink() or path.resolve().is_relative_to(root)):
                yield path
