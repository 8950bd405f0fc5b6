"""Finds the data files of a table."""

from collections.abc import Mapping
from pathlib import Path

from metadata_assets.errors import Transient
from metadata_assets.model.table import Table
from metadata_assets.profiling.parquet import ParquetFiles
from metadata_assets.sources.trees import FolderGone, Tree, is_folder

_SUFFIX = ".parquet"


class DataFiles:
    """Maps table locations to folders and lists the data files in them."""

    def __init__(self, roots: Mapping[str, Path]) -> None:
        # The longest prefix first: a root inside another one is the more exact.
        prefixes = {prefix.rstrip("/"): folder for prefix, folder in roots.items()}
        self._roots = sorted(prefixes.items(), key=lambda item: -len(item[0]))

    def find_data(self, table: Table) -> ParquetFiles | None:
        """The Parquet files below the table's location.

        Raises:
            Permanent: the location is none that a folder can have.
            Transient: the root is not there, or a folder below it cannot be listed. No data is what a table has, not
                what a disk looks like that is not mounted.
        """
        found = self._folder(table.location or "")
        if found is None:
            return None
        root, folder = found
        if not is_folder(root):
            raise Transient(f"the folder {root} of samples.roots is not there: is it mounted?")
        if not is_folder(folder) or not folder.resolve().is_relative_to(root.resolve()):
            return None
        files = parquet_files(Tree(root), folder)
        return ParquetFiles(tuple(files)) if files else None

    def _folder(self, location: str) -> tuple[Path, Path] | None:
        """The root and the folder that a location means, where one of the prefixes holds it."""
        for prefix, root in self._roots:
            rest = location.removeprefix(prefix)
            if location.startswith(prefix) and (not rest or rest.startswith("/")):
                return root, root / rest.lstrip("/")
        return None


def parquet_files(tree: Tree, folder: Path) -> list[str]:
    """The Parquet files in a folder and below it, without what Hive and Spark hide from their readers."""
    try:
        paths = [path for path in tree.files(folder) if path.suffix == _SUFFIX]
    except FolderGone:
        return []
    return sorted(str(path) for path in paths if not any(map(_is_hidden, path.relative_to(folder).parts)))


def _is_hidden(name: str) -> bool:
    """As Spark has it: a log of changes or an unfinished write is not data, a partition by a column `_day` is."""
    return name.startswith(".") or (name.startswith("_") and "=" not in name)
