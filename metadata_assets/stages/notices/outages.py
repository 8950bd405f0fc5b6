"""What the sensors cannot look at: since when, and why."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from metadata_assets.errors import MetadataError
from metadata_assets.store.store import Store

Watched = Literal["metastore", "specs", "jobs"]
_WATCHED: tuple[Watched, ...] = ("metastore", "specs", "jobs")
_STATE = "outage: "


@dataclass(frozen=True, slots=True)
class Outage:
    """Something cannot be looked at `since` a time (epoch seconds); `error` is what the newest look met."""

    what: Watched
    since: float
    error: str


@contextmanager
def noting_outages(store: Store, what: Watched) -> Iterator[None]:
    """Remember what a look meets: an error, which goes on its way, or that the outage is over."""
    before = _of(store, what)
    try:
        yield
    except MetadataError as error:
        since = time.time() if before is None else before.since
        store.work.set_state(_STATE + what, {"since": since, "error": str(error)})
        raise
    if before is not None:
        store.work.set_state(_STATE + what, None)


def outages(store: Store) -> list[Outage]:
    """What cannot be looked at now."""
    return [found for what in _WATCHED if (found := _of(store, what)) is not None]


def _of(store: Store, what: Watched) -> Outage | None:
    kept = store.work.state(_STATE + what)
    return None if kept is None else Outage(what, float(kept["since"]), str(kept["error"]))
