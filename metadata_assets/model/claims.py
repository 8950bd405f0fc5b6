"""What people wrote in YAML, as claims on single fields: a field without a claim is not managed from there.

`place` is `file:line`. It is left out of comparisons, so moving a text inside its file changes nothing downstream.
"""

from dataclasses import dataclass, field
from typing import Literal

from metadata_assets.model.entity import Propagate, Scalar
from metadata_assets.model.lineage import ColumnEdge
from metadata_assets.model.table import TableName


@dataclass(frozen=True, slots=True)
class Claim:
    """A value for one field of a table: `description`, `owner`, `meta.<key>` or `columns.<path>.description`.

    A value of None is empty on purpose: it hides what sources of lower rank say.
    """

    path: str
    value: Scalar
    place: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class TermClaim:
    """A glossary term given to a table, or to a column of it (`column` is None for the table)."""

    term: str
    column: str | None = None
    place: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Documentation:
    """All claims of the documentation specs on one table."""

    claims: tuple[Claim, ...] = ()
    terms: tuple[TermClaim, ...] = ()
    place: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class TagClaim:
    """A tag put on a table, or on a column of it, by a person."""

    tag: str
    column: str | None = None
    propagate: Propagate = "until_masked"
    place: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Tags:
    claims: tuple[TagClaim, ...] = ()


@dataclass(frozen=True, slots=True)
class DeclaredJob:
    """Lineage of a job that has no SQL to read, written by a person."""

    name: str
    inputs: tuple[TableName, ...]
    outputs: tuple[TableName, ...]
    columns: tuple[ColumnEdge, ...] = ()
    place: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's verdict on a tag; it outranks every later run until `until` (an ISO date)."""

    tag: str
    scope: str
    verdict: Literal["confirmed", "rejected"]
    reason: str = ""
    by: str = ""
    until: str | None = None
    place: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class TagRule:
    """A tag for everything that a pattern names: two parts name tables, three parts name columns."""

    match: str
    tag: str
    propagate: Propagate = "until_masked"
    place: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class TagRules:
    rules: tuple[TagRule, ...] = ()
