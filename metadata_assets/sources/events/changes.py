"""What changes of tables mean, whatever the message that tells of them; pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from metadata_assets.model.event import ChangeEvent, EventKind
from metadata_assets.model.table import Table, TableName
from metadata_assets.model.types import parse_type
from metadata_assets.sources.events.checks import check_moment, check_table

_DEFAULT_CATALOG = "hive"


@dataclass(frozen=True, slots=True)
class Stamp:
    """What an event has of the message that it came with. `id` is unique in the source.

    Raises:
        Undecodable: its time or number is none that can be; stored, it would never be overtaken.
    """

    source: str
    id: str
    order_key: int
    occurred_at: float
    numbered: bool = False
    tentative: bool = False

    def __post_init__(self) -> None:
        check_moment(self.occurred_at, self.order_key)

    def event(self, kind: EventKind, name: TableName, **more: Any) -> ChangeEvent:
        """An event of a table; `more` are its fields `previous`, `after` and `details`.

        Raises:
            Undecodable: no table can have this name. As a subject, a database with a dot would be another one.
        """
        check_table(name)
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


def order_of(occurred_at: float) -> int:
    """The order key of an event that has no number of its own: nanoseconds since 1970."""
    return int(occurred_at * 1000) * 1_000_000


def altered(before: Table, after: Table, stamp: Stamp) -> ChangeEvent:
    """What an ALTER TABLE was: a rename, a change of what the catalog shows, or nothing but statistics and commits.

    Names are compared without case. The commonest ALTER of all changes parameters that no catalog shows: statistics,
    the pointer of an Iceberg table, times of modification. It says only that the data may have changed.
    """
    columns = tuple(renamed_columns(before, after))
    if before.name != after.name:
        check_table(before.name)
        previous = before.name.subject
        return stamp.event(
            "table_renamed", after.name, previous=previous, after=after, move="renamed", columns_renamed=columns
        )
    if before == after:
        return stamp.event("data_changed", after.name)
    return stamp.event("table_changed", after.name, after=after, columns_renamed=columns)


def renamed_columns(before: Table, after: Table) -> Iterator[tuple[str, str]]:
    """(old, new) names of columns that were renamed, in lower case.

    A metastore has no ids of columns. A name that is gone and one that is new are taken for one column only where place
    and type agree; anything else is a column dropped and another one added.
    """
    old, new = {c.name.lower() for c in before.columns}, {c.name.lower() for c in after.columns}
    for was, now in zip(before.columns, after.columns, strict=False):
        names = was.name.lower(), now.name.lower()
        moved = names[0] not in new and names[1] not in old
        if moved and parse_type(was.type_text) == parse_type(now.type_text):
            yield names


def is_foreign(catalog: str | None, ours: str | None) -> bool:
    """Whether something is of another catalog than ours. Hive before 3 names none; then there is only one."""
    return catalog is not None and catalog.lower() != (ours or _DEFAULT_CATALOG).lower()
