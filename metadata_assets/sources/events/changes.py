"""What changes of tables mean, whatever the message that tells of them; pure."""

from dataclasses import dataclass
from typing import Any

from metadata_assets.model.event import ChangeEvent, EventKind
from metadata_assets.model.table import Table, TableName

_DEFAULT_CATALOG = "hive"


@dataclass(frozen=True, slots=True)
class Stamp:
    """What an event has of the message that it came with. `id` is unique in the source."""

    source: str
    id: str
    order_key: int
    occurred_at: float
    numbered: bool = False
    tentative: bool = False

    def event(self, kind: EventKind, name: TableName, **more: Any) -> ChangeEvent:
        """An event of a table; `more` are its fields `previous`, `after` and `details`."""
        return self.about(kind, name.subject, **more)

    def about(self, kind: EventKind, subject: str, **more: Any) -> ChangeEvent:
        """An event of any subject. Several of one message differ in kind or subject."""
        return ChangeEvent(
            kind,
            subject,
            self.source,
            f"{self.source}:{self.id}:{kind}:{subject}",
            self.order_key,
            self.occurred_at,
            numbered=self.numbered,
            tentative=self.tentative,
            **more,
        )


def altered(before: Table, after: Table, stamp: Stamp) -> ChangeEvent:
    """What an ALTER TABLE was: a rename, a change of what the catalog shows, or nothing but statistics and commits.

    Names are compared without case. The commonest ALTER of all changes parameters that no catalog shows: statistics,
    the pointer of an Iceberg table, times of modification. It says only that the data may have changed.
    """
    if before.name != after.name:
        return stamp.event("table_renamed", after.name, previous=before.name.subject, after=after, move="renamed")
    if before == after:
        return stamp.event("data_changed", after.name)
    return stamp.event("table_changed", after.name, after=after)


def is_foreign(catalog: str | None, ours: str | None) -> bool:
    """Whether something is of another catalog than ours. Hive before 3 names none; then there is only one."""
    return catalog is not None and catalog.lower() != (ours or _DEFAULT_CATALOG).lower()
