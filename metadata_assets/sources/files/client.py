"""Finds the data files of a table."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from metadata_assets.model.table import Table

_SUFFIXES = (".parquet",)


class DataFiles:
    """Maps table locations to folders and lists the data files in them."""

    def __init__(self, roots: Mapping[str, Path]) -> None:
        # The longest prefix first: a root inside another one is the more exact.
        self._roots = sorted(roots.items(), key=lambda item: -len(item[0]))

    def locate_data(self, table: Table) -> Sequence[str]:
        folder = self._folder(table.location or "")
        if folder is None or not folder.is_dir():
            return ()
        return sorted(str(p) for p in folder.rglob("*") if p.suffix in _SUFFIXES and not p.name.startswith(("_", ".")))

    def _folder(self, location: str) -> Path | None:
        for prefix, folder in self._roots:
            if location.startswith(prefix):
                path = folder / location.removeprefix(prefix).lstrip("/")
                return path if path.resolve().is_relative_to(folder.resolve()) else None
        return None
