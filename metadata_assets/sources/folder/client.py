"""Reads the files of a folder."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from metadata_assets.errors import Permanent
from metadata_assets.sources.base import TextFile


class Folder:
    """Files with certain endings below a root, hidden ones and links that lead out of it left alone."""

    def __init__(self, root: Path, suffixes: tuple[str, ...]) -> None:
        self._root = root
        self._suffixes = suffixes

    def read_versions(self) -> Mapping[str, str]:
        """Path → hash of the content: a modification time would miss two edits within its resolution."""
        return {file.path: file.version for file in self.read_files()}

    def read_files(self) -> Iterator[TextFile]:
        for path in self._paths():
            try:
                content = path.read_bytes()
            except FileNotFoundError:
                continue  # gone since the folder was listed: the next look will not list it
            except OSError as error:
                raise Permanent(f"cannot read {path}: {error.strerror}") from error
            version = hashlib.blake2b(content, digest_size=16).hexdigest()
            yield TextFile(path.relative_to(self._root).as_posix(), content, version)

    def locate(self, path: str) -> str:
        return os.path.relpath(self._root / path)

    def _paths(self) -> list[Path]:
        if not self._root.is_dir():
            raise Permanent(f"{self._root} is not a folder: set the path in the platform file to one that exists")
        root = self._root.resolve()
        found = []
        for folder, subfolders, names in os.walk(self._root):
            subfolders[:] = sorted(s for s in subfolders if not s.startswith("."))
            for name in names:
                path = Path(folder) / name
                hidden = name.startswith(".")
                if not hidden and path.suffix in self._suffixes and path.resolve().is_relative_to(root):
                    found.append(path)
        return sorted(found)
