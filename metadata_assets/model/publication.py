"""What passes between the pipeline and a destination: what is wanted, what differs from it, and what became of that."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from metadata_assets.model.entity import Entry, Scalar

Action = Literal["create", "update", "delete", "restore"]


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field, old → new. `source` names what put the new value there, or took the old one away."""

    field: str
    old: Scalar
    new: Scalar
    source: str = ""


def row_subject(tab: str, key: str) -> str:
    """The subject of a row: what a tabular destination calls it in changes and outcomes."""
    return f"{tab}:{key}"


def parse_row_subject(subject: str) -> tuple[str, str]:
    """The tab and the key of a row."""
    tab, _, key = subject.partition(":")
    return tab, key


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a tabular destination. `key` is stable for as long as the thing exists; `entry` is its subject.

    `cells` are (column, value) in the order of the tab; values are data, never formulas.
    """

    tab: str
    key: str
    entry: str
    cells: tuple[tuple[str, Scalar], ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def subject(self) -> str:
        return row_subject(self.tab, self.key)


@dataclass(frozen=True, slots=True)
class Change:
    """What has to happen to one entry, or one row of a tabular destination. `wanted` is None for a deletion.

    `entry` names the entry that a row belongs to; it is the subject itself where entries are written whole. `previous`
    is the subject under which the destination knows the same thing so far: it is renamed there, with all that people
    and other systems attached to it.
    """

    subject: str
    action: Action
    wanted: Entry | Row | None
    fields: tuple[FieldChange, ...] = ()
    entry: str = ""
    previous: str = ""

    @property
    def of_entry(self) -> str:
        return self.entry or self.subject


@dataclass(frozen=True, slots=True)
class Published:
    """What we last wrote of one subject at one destination. `entry` is None where it was deleted there."""

    subject: str
    content_hash: str
    entry: Entry | None
    remote_id: str | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """The desired state that a destination is asked to reach.

    `entries` are to exist; `removed` are subjects known to be gone. A subject in neither is none of our business: a
    destination leaves it as it is, so a partial `Wanted` never deletes. With `force` everything is written again.
    `renamed` maps the subject of an entry to the one under which the destination may still know it; that one is neither
    in `entries` nor in `removed`.
    """

    entries: tuple[Entry, ...] = ()
    removed: frozenset[str] = frozenset()
    force: bool = False
    renamed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that cannot be written there at all, and why. `entry` as in a change."""

    subject: str
    reason: str
    entry: str = ""

    @property
    def of_entry(self) -> str:
        return self.entry or self.subject


@dataclass(frozen=True, slots=True)
class Changes:
    """The answer of a diff: `listed` things looked at, of which `changes` differ and `refused` cannot be written.

    No subject occurs twice in `changes` and `refused` together.
    """

    listed: int
    changes: tuple[Change, ...] = ()
    refused: tuple[Refusal, ...] = ()

    @property
    def unchanged(self) -> int:
        return self.listed - len(self.changes) - len(self.refused)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one change. `error` is None when it was written."""

    subject: str
    error: str | None = None
    remote_id: str | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer of an apply: exactly one outcome for each change that it was given."""

    outcomes: tuple[Outcome, ...] = ()

    @property
    def written(self) -> tuple[Outcome, ...]:
        return tuple(o for o in self.outcomes if o.error is None)

    @property
    def failed(self) -> tuple[Outcome, ...]:
        return tuple(o for o in self.outcomes if o.error is not None)
