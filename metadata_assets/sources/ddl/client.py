"""Lists and reads the files of a DDL folder; knows nothing of what is in them."""

import stat
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from metadata_assets.errors import Permanent
from metadata_assets.sources.trees import Tree, UnreadableFile, is_folder, read_regular, shown

SUFFIX = ".sql"
DATABASE_FILE = "_database.sql"
MAX_BYTES = 4 << 20  # a DDL text is some kilobytes, with a Spark schema of thousands of columns one or two megabytes


@dataclass(frozen=True, slots=True)
class DdlText:
    """The text of one file, and its path as people know it."""

    where: str
    text: str


class DdlFolder:
    """Names are compared in lower case, as metastores do; hidden files and links that lead out are left alone."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._tree = Tree(root)

    def list_databases(self) -> Mapping[str, Path]:
        """Name → folder.

        Raises:
            Permanent: the root is missing, or two folders differ only by case.
        """
        if not is_folder(self.root):
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

    def list_overlooked(self) -> Iterator[tuple[str, Path]]:
        """What lies where no table is looked for: why, as a snake_case word, and the path.

        Raises:
            FolderGone: the root or a folder in it is no more.
        """
        for path, mode in self._tree.entries(self.root):
            if not stat.S_ISDIR(mode):
                yield "in_no_database_folder" if mode else "link_to_nothing", path
                continue
            for inside, kind in self._tree.entries(path):
                if stat.S_ISDIR(kind):
                    yield from (("too_deep", below) for below in self._tree.files(inside))
                elif not kind:
                    yield "link_to_nothing", inside
                elif not inside.name.lower().endswith(SUFFIX):
                    yield "not_a_sql_file", inside

    def find_database_file(self, folder: Path) -> Path | None:
        files = self._inside(folder, stat.S_ISREG)
        return next((path for path in files if path.name == DATABASE_FILE), None)

    def read_text(self, path: Path) -> DdlText:
        """The text of a file.

        Raises:
            FileNotFoundError: it is gone.
            UnreadableFile: it cannot be opened, is no regular file, far too big or not UTF-8.
        """
        where = self.locate(path)
        content = read_regular(path, MAX_BYTES)
        try:
            # Windows' line ends are how a file was saved, not what a comment or a query says.
            return DdlText(where, content.decode("utf-8-sig").replace("\r\n", "\n"))
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise UnreadableFile(f"{where}:{line}: not UTF-8: save the file in that encoding") from error

    def locate(self, path: Path) -> str:
        return shown(path)

    def _inside(self, folder: Path, wanted: Callable[[int], bool]) -> Iterator[Path]:
        """Files or folders in a folder, ordered by name."""
        return (path for path, mode in self._tree.entries(folder) if wanted(mode))
