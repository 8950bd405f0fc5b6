"""Listeners: the user's own code, told of every event that concerns the catalog, and unable to hold anything up."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from threading import Thread
from typing import Any

from metadata_assets.errors import ForeignCodeError
from metadata_assets.isolation import Outcome, guarded, load_named
from metadata_assets.model.event import ChangeEvent
from metadata_assets.stages.deployment import Deployment
from metadata_assets.store.outbox import KEPT_SECONDS, Outgoing
from metadata_assets.store.store import Store

_STATE = "listener: "
_PAGE = 200
_log = logging.getLogger(__name__)
Listener = Callable[[ChangeEvent], Any]


@dataclass(frozen=True, slots=True)
class ListenerPosition:
    """What a listener was told: everything up to the event with the number `after`. Times are epoch seconds.

    `error` is what it raised last, `failed` how often it did; `busy_since` is when it was told of an event from which
    it has not come back. `waiting` are the events that it is still to be told of.
    """

    name: str
    after: int = 0
    error: str | None = None
    failed_at: float | None = None
    failed: int = 0
    busy_since: float | None = None
    waiting: int = 0


class _Call:
    """One call, in a thread of its own: one that never comes back holds up nobody else, and no shutdown."""

    def __init__(self, told: Outgoing, call: Callable[[], Outcome[Any]]) -> None:
        self.told, self.since = told, time.time()
        self._outcome: Outcome[Any] | None = None
        self._call = call
        self._thread = Thread(target=self._run, name="listener", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self._outcome = self._call()

    def wait(self, seconds: float) -> Outcome[Any] | None:
        """What came of it; None while it runs. A call that ends its thread without a result has failed."""
        self._thread.join(max(0.0, seconds))
        if self._thread.is_alive():
            return None
        return self._outcome or Outcome(None, ForeignCodeError("it ended its thread"))


# A call may outlast the tick that began it.
_under_way: dict[str, _Call] = {}


def listener_positions(deployment: Deployment) -> list[ListenerPosition]:
    """How far each listener of the platform file was told."""
    return [_with_waiting(deployment.store, name) for name in deployment.platform.listeners]


def tell_listeners(deployment: Deployment, seconds: float) -> list[ListenerPosition]:
    """Tell each listener of the events that it was not told of, in their order, for as long as it has time.

    Each is told of each event at least once: again where the process died before it came back. One that raises is told
    the next event all the same. One that does not come back is waited for, and the others are told meanwhile.

    Args:
        deployment: whose listeners and events.
        seconds: how long it may take for all of them together.
    """
    names = deployment.platform.listeners
    told = [_tell(deployment.store, name, seconds / len(names)).after for name in names]
    lost = deployment.store.outbox.clear(min(told, default=0), time.time() - KEPT_SECONDS)
    if lost:
        _log.error("%d events were kept for a week and are forgotten: a listener does not come back to them", lost)
    return listener_positions(deployment)


def _tell(store: Store, name: str, seconds: float) -> ListenerPosition:
    deadline = time.monotonic() + seconds
    kept = position = _position_of(store, name)
    if name in _under_way:
        position = _wait(position, deadline)
    loaded = load_named(name)
    if loaded.error is not None:
        return _keep(store, replace(position, error=str(loaded.error), failed_at=time.time()))
    while name not in _under_way and (page := store.outbox.after(position.after, _PAGE)):
        kept = position = _keep(store, _tell_page(position, loaded.unwrap(), page, deadline))
        if time.monotonic() > deadline:
            break
    return position if position == kept else _keep(store, position)


def _tell_page(
    position: ListenerPosition, listener: Listener, page: Sequence[Outgoing], deadline: float
) -> ListenerPosition:
    for told in page:
        _under_way[position.name] = _Call(told, partial(guarded, position.name, partial(listener, told.event)))
        position = _wait(position, deadline)
        if position.name in _under_way or time.monotonic() > deadline:
            break
    return position


def _wait(position: ListenerPosition, deadline: float) -> ListenerPosition:
    call = _under_way[position.name]
    outcome = call.wait(deadline - time.monotonic())
    if outcome is None:
        return replace(position, busy_since=call.since)
    del _under_way[position.name]
    told = replace(position, after=call.told.id, busy_since=None)
    if outcome.error is None:
        return told
    event = call.told.event
    error = f"{event.kind} of {event.subject}: {outcome.error}"
    _log.warning("listener %s failed at %s", position.name, error)
    return replace(told, error=error, failed_at=time.time(), failed=position.failed + 1)


def _with_waiting(store: Store, name: str) -> ListenerPosition:
    position = _position_of(store, name)
    return replace(position, waiting=store.outbox.count_after(position.after))


def _position_of(store: Store, name: str) -> ListenerPosition:
    found = store.work.state(_STATE + name)
    return ListenerPosition(name) if found is None else ListenerPosition(**found)


def _keep(store: Store, position: ListenerPosition) -> ListenerPosition:
    store.work.set_state(_STATE + position.name, asdict(position))
    return position
