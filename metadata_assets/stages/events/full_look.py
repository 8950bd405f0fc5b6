"""When events may have been lost, everything has to be compared once: who asked for that, and since when."""

import time
from dataclasses import dataclass

from metadata_assets.store.store import Store

_STATE = "full look wanted"


@dataclass(frozen=True, slots=True)
class FullLook:
    """Somebody wants everything to be compared. `since` in epoch seconds; `why` in words."""

    since: float
    why: str


def want_full_look(store: Store, why: str) -> None:
    """Ask for one. The newest request counts: what was lost before it, a look that began earlier may not have seen."""
    store.work.set_state(_STATE, {"since": time.time(), "why": why})


def wanted_full_look(store: Store) -> FullLook | None:
    found = store.work.state(_STATE)
    return None if not found else FullLook(float(found["since"]), str(found["why"]))


def settle_full_look(store: Store, began: float) -> None:
    """A full look that began at this time (epoch seconds) is done: it answers what was asked before."""
    found = store.work.state(_STATE)
    if found and found["since"] <= began:
        store.work.forget_state(_STATE, found)  # unless somebody asked again meanwhile
