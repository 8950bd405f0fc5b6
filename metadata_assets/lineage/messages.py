"""What the process that reads scripts and the one that asks it tell each other."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from metadata_assets.model.lineage import StatementStatus
from metadata_assets.model.table import Table, TableName


@dataclass(frozen=True, slots=True)
class Surrounding:
    """What a script is read with in place of the lake: tables, texts of views, the database of names without one.

    `database` is empty where none is known. `expand_views`: lineage goes through the views to the tables they read.
    """

    tables: tuple[Table, ...] = ()
    views: Mapping[TableName, str] = field(default_factory=dict)
    database: str = ""
    expand_views: bool = True


@dataclass(frozen=True, slots=True)
class ScriptText:
    """A script to read: its name (a path, or by `view_script`), its text, and the dialect by sqlglot's name.

    One with a surrounding of its own knows nothing of the lake, and its bare queries are traced too.
    """

    name: str
    text: str
    dialect: str
    alone: Surrounding | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """What one statement may take: CPU seconds; and the whole process: megabytes of memory."""

    seconds: float = 10.0
    megabytes: int = 2_048


@dataclass(frozen=True, slots=True)
class GivenUp:
    """How a statement ends that a process did not survive."""

    status: StatementStatus
    reason: str


@dataclass(frozen=True, slots=True)
class Task:
    """A script to read. `reading` tells apart readings that know other tables; `given_up`: statements by their index
    that are not parsed again."""

    reading: int
    text: ScriptText
    limits: Limits
    given_up: Mapping[int, GivenUp] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Begins:
    """The statement with this index is read from now on; -1 is the cutting of the script into statements."""

    index: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """The script names this table: the answer is the table, or None."""

    table: TableName
