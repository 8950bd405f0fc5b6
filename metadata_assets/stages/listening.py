"""Listeners: the user's own code, told of every event that concerns the catalog."""

import logging
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from metadata_assets.isolation import guarded, load_named
from metadata_assets.model.event import ChangeEvent

_log = logging.getLogger(__name__)
Listener = Callable[[ChangeEvent], Any]


def tell_listeners(names: Sequence[str], events: Iterable[ChangeEvent]) -> dict[str, str]:
    """Call each listener with each event, at least once for each event: again where a look had to be repeated.

    One that raises is told the next event all the same, and neither the others nor the catalog notice.

    Returns:
        Listener → its first error in this look, of those that raised.
    """
    told = list(events)
    errors: dict[str, str] = {}
    for name in names:
        loaded = load_named(name)
        if loaded.error is not None:
            errors[name] = str(loaded.error)
            continue
        listener: Listener = loaded.unwrap()
        for event in told:
            outcome = guarded(name, partial(listener, event))
            if outcome.error is not None:
                errors.setdefault(name, str(outcome.error))
                _log.warning("listener %s failed at %s of %s: %s", name, event.kind, event.subject, outcome.error)
    return errors
