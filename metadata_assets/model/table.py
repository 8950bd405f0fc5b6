"""Databases, tables and columns as a metastore holds them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from metadata_assets.model.subject import Subject, prefix_of

TableKind = Literal["managed", "external", "view", "materialized_view", "other"]
SchemaOrigin = Literal["metastore", "spark_parameters", "trino_view", "query"]


@dataclass(frozen=True, slots=True, order=True)
class TableName:
    """`database.table`, always lower case: metastores compare names without case."""

    database: str
    table: str

    @staticmethod
    def of(database: str, table: str) -> "TableName":
        return TableName(database.lower(), table.lower())

    @staticmethod
    def parse(text: str) -> "TableName":
        """Read `database.table`.

        Raises:
            ValueError: there is not exactly one dot with a name on both sides.
        """
        database, dot, table = text.strip().lower().partition(".")
        if not database or not dot or not table or "." in table:
            raise ValueError(f"{text!r} is not a table name of the form database.table")
        return TableName(database, table)

    @staticmethod
    def of_text(text: str) -> "TableName":
        """Read back what `str` made of a name. Only the first dot divides: some sources let a table's own name hold
        dots. What people write is read by `parse`."""
        database, dot, table = text.partition(".")
        return TableName(database, table) if dot else TableName("", text)

    @staticmethod
    def of_subject(subject: str) -> "TableName":
        """Read a subject of a table, `table:database.table`.

        Raises:
            ValueError: it is the subject of something else.
        """
        parsed = Subject.parse(subject)
        if parsed.kind != "table":
            raise ValueError(f"{subject!r} is not the subject of a table")
        return TableName.of_text(parsed.name)

    @property
    def subject(self) -> str:
        return str(Subject("table", str(self)))

    def __str__(self) -> str:
        """Bare where no database is known, as in SQL that is read without a metastore."""
        bare = not self.database and "." not in self.table
        return self.table if bare else f"{self.database}.{self.table}"


def tables_among(subjects: Iterable[str]) -> Iterator[TableName]:
    """The tables that these subjects name, in their order; subjects of other kinds are passed over."""
    prefix = prefix_of("table")
    return (TableName.of_subject(s) for s in subjects if s.startswith(prefix))


@dataclass(frozen=True, slots=True)
class Column:
    """A column or partition key.

    `type_text` is kept byte for byte as the source wrote it; `model.types.parse_type` reads it.
    """

    name: str
    type_text: str
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class ViewText:
    """The query of a view. `dialect` is a sqlglot dialect name: hive, spark or trino.

    `default_database` is what names without a database refer to, where the engine recorded it.
    """

    original: str
    expanded: str | None = None
    dialect: str = "hive"
    default_database: str | None = None


@dataclass(frozen=True, slots=True)
class Database:
    name: str
    comment: str | None = None
    owner: str | None = None
    location: str | None = None

    @property
    def subject(self) -> str:
        return str(Subject("database", self.name))


@dataclass(frozen=True, slots=True)
class Table:
    """A table or view with its true schema.

    `columns` never include the partition keys. `schema_origin` says where the columns were read from: engines that
    keep their schema in table parameters or in the view text leave a placeholder in the metastore's own columns.
    `notes` hold what a reader should know about how the table was read (text in plain words, no data values).
    `provider` is the table format where it is known: parquet, orc, delta, iceberg, hudi, csv, json, avro, text.
    """

    name: TableName
    kind: TableKind
    columns: tuple[Column, ...] = ()
    partition_keys: tuple[Column, ...] = ()
    comment: str | None = None
    owner: str | None = None
    location: str | None = None
    created_at: int | None = None  # epoch seconds
    provider: str | None = None
    view: ViewText | None = None
    schema_origin: SchemaOrigin = "metastore"
    notes: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        return self.name.subject

    @property
    def all_columns(self) -> tuple[Column, ...]:
        """Columns, then partition keys: the order in which a query sees them."""
        return self.columns + self.partition_keys

    @property
    def is_view(self) -> bool:
        return self.kind in ("view", "materialized_view")


@dataclass(frozen=True, slots=True)
class ReadFailure:
    """One table that could not be read, and why; the others of its batch were."""

    name: TableName
    reason: str


@dataclass(frozen=True, slots=True)
class Vanished:
    """A table that was listed and was gone when it was read: neither an error nor a deletion yet."""

    name: TableName


TableRead = Table | ReadFailure | Vanished
