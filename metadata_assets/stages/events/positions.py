"""How far each source of events was read, and whether it can be read at all: what `status` and notices go by."""

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace

from metadata_assets.stages.events.intake import Taken
from metadata_assets.store.store import Store

_STATE = "events: "


@dataclass(frozen=True, slots=True)
class EventPosition:
    """Where a source of events stands. Times are epoch seconds.

    `read_at` is the last look that succeeded, `failing_since` the first that failed after it, with the newest `error`.
    `moved_at` is the last look after which nothing waited, or more had been read than before.
    `lag` is how many messages waited at the source then, `behind` how old the oldest message of the look was (seconds).
    `outcomes` adds up what became of everything read so far.
    """

    name: str
    cursor: str = ""
    read_at: float | None = None
    lag: int | None = None
    behind: float = 0.0
    error: str | None = None
    failing_since: float | None = None
    outcomes: dict[str, int] = field(default_factory=dict)
    moved_at: float | None = None


def position_of(store: Store, name: str) -> EventPosition:
    """Where the source stands; one that was never read has no times."""
    found = store.work.state(_STATE + name)
    return EventPosition(name) if found is None else EventPosition(**found)


def positions_of(store: Store, names: Iterable[str]) -> list[EventPosition]:
    return [position_of(store, name) for name in names]


def record_look(store: Store, name: str, taken: Taken) -> EventPosition:
    """Remember a look that succeeded."""
    now = time.time()
    before = position_of(store, name)
    outcomes = Counter(before.outcomes) + Counter(taken.outcomes)
    behind = 0.0 if taken.oldest is None else max(0.0, now - taken.oldest)
    moved = not taken.lag or taken.cursor != before.cursor or before.moved_at is None
    moved_at = now if moved else before.moved_at
    return _keep(
        store, EventPosition(name, taken.cursor, now, taken.lag, behind, outcomes=dict(outcomes), moved_at=moved_at)
    )


def record_failure(store: Store, name: str, error: str) -> EventPosition:
    """Remember that the source could not be read; what was read before stays."""
    before = position_of(store, name)
    return _keep(store, replace(before, error=error, failing_since=before.failing_since or time.time()))


def _keep(store: Store, position: EventPosition) -> EventPosition:
    store.work.set_state(_STATE + position.name, asdict(position))
    return position
