"""The roles that a source can play. A source is a package here with a config class and an implementation."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

from metadata_assets.model.surroundings import Surroundings
from metadata_assets.model.table import Database, Table, TableName, TableRead
from metadata_assets.profiling.data import TableData
from metadata_assets.sources.patterns import NamePatterns
from metadata_assets.sources.trees import UnreadableFile


class MetastoreSource(Protocol):
    """Databases, tables and their schemas. Names come and go in lower case.

    Every method may raise `Transient` or `Permanent` when the source as a whole does not answer; trouble with one table
    is a value (`ReadFailure`, `Vanished`), never an exception, so that the others of its batch survive.
    """

    def read_databases(self) -> Sequence[Database]:
        """All databases that the include and exclude patterns of the configuration let through."""
        ...

    def read_database_names(self) -> Sequence[str]:
        """The names alone, of the same databases: cheaper where a database costs a call of its own."""
        ...

    def read_table_names(self, database: str) -> Sequence[TableName]:
        """All table and view names of a database, without reading the tables.

        The answer is complete or the call raises: deletions are inferred from it.
        """
        ...

    def read_tables(self, names: Sequence[TableName]) -> Iterator[TableRead]:
        """Exactly one answer for each name, in any order; streamed, so that a big database is never held whole."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class Overlooked:
    """What a metastore source found and could take for no table: snake_case reason → names, as people know them.

    `expected` says what it looks for and where, for people whose tables it does not find.
    """

    names: Mapping[str, Sequence[str]]
    expected: str


@runtime_checkable
class Overlooking(Protocol):
    """A metastore source that can say what it passed over. Not all can: a server shows its tables and nothing else."""

    def read_overlooked(self) -> Overlooked: ...


MAX_TEXT_BYTES = 16 << 20  # specs of a whole department and the longest SQL scripts are far below
TOO_BIG = f"larger than {MAX_TEXT_BYTES >> 20} MiB: no text of this kind is that big"


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file read from a folder or bucket. `path` is relative to its root, with forward slashes.

    `problem` says why it is there and cannot be read: then it has no content, and the others are read all the same.
    """

    path: str
    content: bytes
    version: str  # changes when the content does: a hash or an ETag
    problem: str = ""

    def to_text(self) -> str:
        """The content as text, without the mark that some editors put before it.

        Raises:
            UnreadableFile: it could not be read, or is not UTF-8.
        """
        if self.problem:
            raise UnreadableFile(self.problem)
        try:
            return self.content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise UnreadableFile(f"byte {error.start} is not UTF-8: save the file as UTF-8") from error


class FileSource(Protocol):
    """A tree of small text files: YAML specs or SQL jobs."""

    def read_versions(self) -> Mapping[str, str]:
        """Path → version of every file, cheaper than reading them. Raises `Transient` or `Permanent`."""
        ...

    def read_files(self, paths: Container[str] | None = None) -> Iterator[TextFile]:
        """Every file, or those at these paths that are still there, ordered by path.

        One that is there and cannot be read comes with its problem.
        """
        ...

    def locate(self, path: str) -> str:
        """The path as people know it (for messages): a file name or a URL."""
        ...


@runtime_checkable
class Straying(Protocol):
    """A tree of files that can say which links in it are left out. A bucket has none."""

    def read_strays(self) -> Mapping[str, str]:
        """Path → why. Raises as `read_versions`."""
        ...


class SampleSource(Protocol):
    """Where the data of tables can be queried for profiling."""

    def find_data(self, table: Table) -> TableData | None:
        """The data of a table, in an engine that can be asked about it; None where it has none.

        Raises `Permanent` for a location that cannot be one, `Transient` where its data cannot be looked for now.
        """
        ...


# The config class of a source is a pydantic model of the keys beside `type` in the platform file.


class MetastoreSettings(Protocol):
    """What `metastore` in the platform file becomes."""

    @property
    def databases(self) -> NamePatterns:
        """Which databases and tables are read; events of others are left out."""
        ...

    def connect(self, around: Surroundings) -> MetastoreSource: ...


class FileSettings(Protocol):
    """What `specs` in the platform file becomes."""

    def connect(self, around: Surroundings, suffixes: tuple[str, ...]) -> FileSource:
        """A source of the files whose names end in one of these."""
        ...

    def path_of(self, url: str) -> str | None:
        """The path in this tree of an object that an event names by its URL; None where it lies elsewhere."""
        ...


class JobSettings(FileSettings, Protocol):
    """What `jobs` in the platform file becomes; `dialect` is hive, spark or trino."""

    @property
    def dialect(self) -> str: ...


class SampleSettings(Protocol):
    """What `samples` in the platform file becomes."""

    def connect(self, around: Surroundings) -> SampleSource: ...
