"""The merged catalog entry of a table, a database, a glossary item or a process.

An entry is desired state: what every destination should show. Each of its fields carries the source that won, so that
a plan can say why a value changes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from metadata_assets.model.finding import Band, Verdict
from metadata_assets.model.lineage import ColumnEdge
from metadata_assets.model.subject import Subject
from metadata_assets.model.table import SchemaOrigin, TableKind, TableName

Scalar = str | int | float | bool | None
# How far a tag follows the data.
Propagate = Literal["never", "always", "until_masked"]


@dataclass(frozen=True, slots=True)
class TagEntry:
    """A tag and why it is there. `inherited_from` names the column that a propagated tag comes from."""

    name: str
    verdict: Verdict = "confirmed"
    source: str = field(default="", compare=False)  # spec place, decision or rule
    inherited_from: str | None = None
    band: Band | None = None
    propagate: Propagate = "until_masked"


@dataclass(frozen=True, slots=True)
class ColumnEntry:
    """One column. `comment` is the metastore's, `description` is ours; neither overwrites the other."""

    name: str
    type_text: str
    partition_key: bool = False
    comment: str | None = None
    description: str | None = None
    tags: tuple[TagEntry, ...] = ()
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Upstream:
    """One table that this one is filled from, and the jobs that do it."""

    table: TableName
    jobs: tuple[str, ...]
    declared: bool = False  # written by a person; False: inferred from SQL


@dataclass(frozen=True, slots=True)
class TableEntry:
    name: TableName
    kind: TableKind
    columns: tuple[ColumnEntry, ...] = ()
    comment: str | None = None
    description: str | None = None
    owner: str | None = None
    location: str | None = None
    provider: str | None = None
    created_at: int | None = None
    schema_origin: SchemaOrigin = "metastore"
    view_text: str | None = None
    tags: tuple[TagEntry, ...] = ()
    terms: tuple[str, ...] = ()
    meta: tuple[tuple[str, Scalar], ...] = ()
    upstream: tuple[Upstream, ...] = ()
    column_lineage: tuple[ColumnEdge, ...] = ()
    notes: tuple[str, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def subject(self) -> str:
        return self.name.subject


@dataclass(frozen=True, slots=True)
class DatabaseEntry:
    name: str
    comment: str | None = None
    owner: str | None = None
    location: str | None = None
    sources: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def subject(self) -> str:
        return str(Subject("database", self.name))


@dataclass(frozen=True, slots=True)
class CategoryEntry:
    name: str
    description: str | None = None
    parent: str | None = None
    sources: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def subject(self) -> str:
        return str(Subject("category", self.name))


@dataclass(frozen=True, slots=True)
class TermEntry:
    name: str
    description: str | None = None
    category: str | None = None
    owner: str | None = None
    sources: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def subject(self) -> str:
        return str(Subject("term", self.name))


def process_subject(job: str, output: str) -> str:
    """The subject of the process by which a job fills a table (`db.table`)."""
    return str(Subject("process", f"{job}->{output}"))


@dataclass(frozen=True, slots=True)
class ProcessEntry:
    """What fills one table: a job and one of its outputs, with everything that flows into it."""

    job: str
    output: TableName
    inputs: tuple[TableName, ...] = ()
    columns: tuple[ColumnEdge, ...] = ()
    declared: bool = False
    sources: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def subject(self) -> str:
        return process_subject(self.job, str(self.output))


Entry = TableEntry | DatabaseEntry | CategoryEntry | TermEntry | ProcessEntry
