"""What is wrong with a spec, and where: the only thing that loading ever complains with."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from metadata_assets.errors import SpecError

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A position in a file; line and column count from 1, columns in characters."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True, order=True)
class SpecFinding:
    """One complaint: what is wrong at which place, and what to do about it."""

    file: str
    line: int
    column: int
    severity: Severity
    message: str
    hint: str = ""

    @staticmethod
    def at(place: Place, message: str, hint: str = "", severity: Severity = "error") -> "SpecFinding":
        return SpecFinding(place.file, place.line, place.column, severity, message, hint)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}" + (f" ({self.hint})" if self.hint else "")

    def to_error(self) -> SpecError:
        return SpecError(self.file, self.line, self.column, self.message, self.hint)


def errors_of(findings: Iterable[SpecFinding]) -> tuple[SpecFinding, ...]:
    """The findings that make something unusable, warnings left out."""
    return tuple(finding for finding in findings if finding.severity == "error")
