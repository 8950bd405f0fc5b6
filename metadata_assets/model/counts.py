"""Counts that add up: listed = written + unchanged + skipped + failed, in every stage."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Counts:
    """Tally of one stage. `errors` maps a subject to its reason, for the failed ones.

    `parts` are the shares of the shards in it, where the stage knows them: shard → its counts.
    """

    listed: int = 0
    written: int = 0
    unchanged: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    errors: dict[str, str] = field(default_factory=dict)
    parts: dict[str, "Counts"] = field(default_factory=dict)

    @property
    def failed(self) -> int:
        return len(self.errors)

    @property
    def missing(self) -> int:
        """Listed things that ended in none of the four: not 0 means that something was lost."""
        return self.listed - self.written - self.unchanged - sum(self.skipped.values()) - self.failed

    @staticmethod
    def of_parts(parts: Mapping[str, "Counts"]) -> "Counts":
        """The sum of what the shards counted, with what each of them did."""
        total = Counts(parts=dict(parts))
        for part in parts.values():
            total.add(part)
        return total

    def skip(self, reason: str, number: int = 1) -> None:
        """Count things that were left alone on purpose. Reasons are snake_case words: they are keys in `--json`."""
        if number:
            self.skipped[reason] += number

    def note(self, outcome: str, number: int = 1) -> None:
        """Count by what the store made of a reading: written, unchanged or stale."""
        if outcome == "written":
            self.written += number
        elif outcome == "unchanged":
            self.unchanged += number
        else:
            self.skip("newer_reading_known", number)

    def add(self, other: "Counts") -> None:
        self.listed += other.listed
        self.written += other.written
        self.unchanged += other.unchanged
        self.skipped.update(other.skipped)
        self.errors.update(other.errors)


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number and what it counts, for messages: `1 table`, `2 tables`; `plural` where a mere s will not do."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def first_of(names: Sequence[str], number: int = 3) -> str:
    """The first names and how many more there are, for messages: `a, b, c and 4 more`."""
    more = len(names) - number
    return ", ".join(names[:number]) + (f" and {more} more" if more > 0 else "")
