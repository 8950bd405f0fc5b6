"""What profiling found: shapes, counts and rates, never a value."""

from dataclasses import dataclass
from typing import Literal

Band = Literal["certain", "likely", "weak"]
Verdict = Literal["suggested", "confirmed", "rejected"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule's evidence that a column holds a kind of personal data.

    `matched` of `distinct` distinct sampled values passed the rule; `chance` is the share of random values of that
    shape that would pass by accident. `shapes` hold patterns such as `999.999.999-99`, most frequent first.
    """

    column: str
    tag: str  # PII_<TYPE>
    rule: str
    band: Band
    matched: int = 0
    distinct: int = 0
    chance: float = 0.0
    name_hit: bool = False
    shapes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """Aggregates of one column over all rows; `distinct` is an estimate, lengths are those of texts.

    The estimate is never above the number of values nor below the distinct ones that were sampled.
    """

    column: str
    rows: int
    nulls: int
    distinct: int
    min_length: int | None = None
    max_length: int | None = None

    @property
    def null_share(self) -> float:
        return self.nulls / self.rows if self.rows else 0.0


@dataclass(frozen=True, slots=True)
class TableProfile:
    """`unread` names the parts of the data that could not be read, with the reasons; all figures are of the rest."""

    columns: tuple[ColumnProfile, ...] = ()
    findings: tuple[Finding, ...] = ()
    rows_read: int = 0
    notes: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
