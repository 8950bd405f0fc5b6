"""A change that somebody reported: it says *look again*, and carries what was seen only where that is asked for."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from metadata_assets.model.table import Table

EventKind = Literal[
    "table_changed", "table_dropped", "table_renamed", "database_changed", "database_dropped",
    "data_changed", "profile_asked", "object_changed", "spec_changed", "job_changed", "requested",
]  # fmt: skip
T = TypeVar("T")
Move = Literal["created", "dropped", "renamed"]
# Sources of the events that the pipeline's own sensors make of what they see; no source in a platform file is named so.
FILES, DRIFT = "files", "drift"
PIPELINE_SOURCES = frozenset({FILES, DRIFT})
# A metastore that was restored from a backup counts from an earlier number again: then only times tell.
_RESTORED_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class EventOrder:
    """When an event happened, relative to others of the same source.

    `key` is the number that the source itself gave the event where `numbered`, else a key that grows with time. Numbers
    decide between two numbered events that are not hours apart; else the time decides.

    Pairs have no total order: the clocks of several metastores differ, so that near events have to go by number; one
    that was restored counts from an earlier number again, so that far ones have to go by time. Three events may thus
    each be after the next one, in a circle: numbers 3, 2 and 1, 50 minutes from one to the next. Whoever sorts events,
    or goes from one to the one before, does so by `in_order`.
    """

    key: int
    numbered: bool
    occurred_at: float

    def is_after(self, other: "EventOrder") -> bool:
        near = abs(self.occurred_at - other.occurred_at) < _RESTORED_SECONDS
        if self.numbered == other.numbered and (near or not self.numbered):
            return self.key > other.key
        return self.occurred_at > other.occurred_at


@dataclass(frozen=True, slots=True)
class ChangeEvent:
    """The one internal form of all events.

    `dedupe_id` is unique for the event in its source, so that a replay is stored once. `subject` is the text of a
    `Subject`: of a table, a database, a file, an object in a bucket, or what a request names (a pattern, a pipeline).

    A rename has its new name as `subject` and its old one as `previous`. `after` is the table as the event shows it.
    `tentative`: it was sent from within a transaction that may yet be rolled back. `move` says that a table began,
    ended, or got another name: what follows the table of one name ever after. `columns_renamed` are (old, new) names.
    """

    kind: EventKind
    subject: str
    source: str
    dedupe_id: str
    order_key: int
    occurred_at: float  # epoch seconds
    details: dict[str, str] = field(default_factory=dict)
    numbered: bool = False
    previous: str | None = None
    after: Table | None = None
    tentative: bool = False
    move: Move | None = None
    columns_renamed: tuple[tuple[str, str], ...] = ()

    @property
    def order(self) -> EventOrder:
        return EventOrder(self.order_key, self.numbered, self.occurred_at)


def in_order(things: Iterable[T], order: Callable[[T], EventOrder]) -> list[T]:
    """Things by the orders of their events, oldest first; the same for any arrangement of them but for equal orders,
    which stay as they come.

    Of a whole set there is a total order: events of which each is within the hour after the one before go by number
    where all have one, else by time; and such groups go by time.
    """
    groups: list[list[T]] = []
    last = 0.0
    for thing in sorted(things, key=lambda t: (order(t).occurred_at, order(t).key)):
        at = order(thing).occurred_at
        if groups and at - last < _RESTORED_SECONDS:
            groups[-1].append(thing)
        else:
            groups.append([thing])
        last = at
    for group in groups:
        if all(order(thing).numbered for thing in group):
            group.sort(key=lambda t: order(t).key)
    return [thing for group in groups for thing in group]


def received(events: Sequence[ChangeEvent], now: float) -> list[ChangeEvent]:
    """Events as they count when they are received (`now`, epoch seconds): none is of a later time.

    By the clock of a producer that is ahead, one event would overrule all that is seen until then. Those that claim to
    be of the future keep their order among themselves.
    """
    ahead = sorted((e for e in events if e.occurred_at > now), key=lambda e: (e.occurred_at, e.order_key))
    places = {id(event): place for place, event in enumerate(ahead)}
    # As other keys that grow with time: nanoseconds; and after those of whatever happened just now.
    first = max((e.order_key + 1 for e in events if not e.numbered and e.occurred_at == now), default=0)
    first = max(first, int(now * 1000) * 1_000_000)
    return [
        e
        if id(e) not in places
        else replace(e, occurred_at=now, order_key=e.order_key if e.numbered else first + places[id(e)])
        for e in events
    ]
