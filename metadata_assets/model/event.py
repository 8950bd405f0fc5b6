"""A change that somebody reported. It says *look again* and carries no desired state."""

from dataclasses import dataclass, field
from typing import Literal

EventKind = Literal[
    "table_changed", "table_dropped", "table_renamed", "database_changed", "database_dropped",
    "data_changed", "spec_changed", "job_changed", "requested",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ChangeEvent:
    """The one internal form of all events.

    `dedupe_id` is unique for the event in its source, so that a replay is stored once. `order_key` grows with time
    within a source and subject. `subject` is the text of a `Subject`: of a table, a database or a file.
    """

    kind: EventKind
    subject: str
    source: str
    dedupe_id: str
    order_key: int
    occurred_at: float  # epoch seconds
    details: dict[str, str] = field(default_factory=dict)
