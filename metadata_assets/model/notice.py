"""Something that a person should know of and act on."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["info", "warning", "error"]
# From the least to the most urgent: a channel takes those from one on.
SEVERITIES: tuple[Severity, ...] = ("info", "warning", "error")


@dataclass(frozen=True, slots=True)
class Notice:
    """`key` names the matter: the same matter is told once, and again only where it lasts. `text` is one line."""

    key: str
    severity: Severity
    text: str

    def is_at_least(self, severity: Severity) -> bool:
        return SEVERITIES.index(self.severity) >= SEVERITIES.index(severity)
