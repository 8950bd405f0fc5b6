"""Reads the files of a folder."""

import hashlib
from collections.abc import Container, Iterator, Mapping
from pathlib import Path

from metadata_assets.errors import Permanent
from metadata_assets.sources.base import MAX_TEXT_BYTES, TextFile
from metadata_assets.sources.trees import Tree, UnreadableFile, is_folder, read_regular, shown


class Folder:
    """Files with certain endings below a root, hidden ones and links that lead out of it left alone."""

    def __init__(self, root: Path, suffixes: tuple[str, ...]) -> None:
        self._tree = Tree(root)
        self._suffixes = suffixes

    def read_versions(self) -> Mapping[str, str]:
        """Path → hash of the content: a modification time would miss two edits within its resolution."""
        return {file.path: file.version for file in self.read_files()}

    def read_files(self, paths: Container[str] | None = None) -> Iterator[TextFile]:
        """Every file, or those at these paths that are still there, ordered by path.

        Raises:
            Permanent: the root is no folder.
            Transient: a folder cannot be listed; without it all of its files would look deleted.
        """
        for path in self._paths():
            name = path.relative_to(self._tree.root).as_posix()
            if paths is not None and name not in paths:
                continue
            file = read_text_file(path, name)
            if file is not None:
                yield file

    def read_strays(self) -> Mapping[str, str]:
        return {path.relative_to(self._tree.root).as_posix(): why for path, why in self._tree.strays()}

    def locate(self, path: str) -> str:
        return shown(self._tree.root / path)

    def _paths(self) -> list[Path]:
        root = self._tree.root
        if not is_folder(root):
            raise Permanent(f"{root} is not a folder: set the path in the platform file to one that exists")
        return sorted(path for path in self._tree.files() if path.suffix in self._suffixes)


def read_text_file(path: Path, name: str) -> TextFile | None:
    """One file under the name that it is to have; None where it is gone since its folder was listed."""
    try:
        content, problem = read_regular(path, MAX_TEXT_BYTES), ""
    except FileNotFoundError:
        return None
    except UnreadableFile as error:
        content, problem = b"", str(error)
    version = hashlib.blake2b(content or problem.encode(), digest_size=16).hexdigest()
    return TextFile(name, content, version, problem)
