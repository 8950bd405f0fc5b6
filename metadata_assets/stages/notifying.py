"""Notices: matters that last are looked for here, and every channel is told of what it has not been told."""

import logging
import time
from collections.abc import Sequence
from functools import partial

from metadata_assets.isolation import guarded
from metadata_assets.model.notice import Notice, Severity
from metadata_assets.model.surroundings import Surroundings
from metadata_assets.notifiers.base import NotifierSettings
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.positions import EventPosition, positions_of

# A source that cannot be read, or has messages that nobody reads, for so long is stalled.
STALLED_SECONDS = 300.0
_AT_ONCE = 50
_LEVELS: dict[Severity, int] = {"info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
_LOG_CHANNEL = "log"
_log = logging.getLogger(__name__)


def look_for_trouble(deployment: Deployment) -> None:
    """Note what lasts: stalled sources and dead letters; and settle what is over."""
    store = deployment.store
    now = time.time()
    positions = positions_of(store, [source.name for source in deployment.platform.events])
    found = [notice for position in positions if (notice := _stalled(position, now)) is not None]
    dead = store.inbox.count_dead()
    if dead:
        found.append(Notice("dead_letters", "warning", tell_dead_letters(dead)))
    store.notices.note(found)
    known = {*store.notices.open_keys("stalled:"), *store.notices.open_keys("dead_letters")}
    store.notices.settle(sorted(known - {n.key for n in found}))


def tell_dead_letters(number: int) -> str:
    return f"{number} messages of event sources could not be read: `metadata-assets replay` lists them"


def _stalled(position: EventPosition, now: float) -> Notice | None:
    minutes = f"{STALLED_SECONDS / 60:.0f} minutes"
    if position.failing_since is not None and now - position.failing_since >= STALLED_SECONDS:
        text = f"events of {position.name} cannot be read for more than {minutes}: {position.error}"
        return Notice(f"stalled:{position.name}", "error", text)
    if position.lag and position.read_at is not None and now - position.read_at >= STALLED_SECONDS:
        text = f"events of {position.name} were not read for {minutes}, {position.lag} wait: is its sensor on?"
        return Notice(f"stalled:{position.name}", "error", text)
    return None


def deliver_notices(deployment: Deployment) -> dict[str, str]:
    """Tell every channel, the log among them. One that fails is told again later, and holds up no other.

    Returns:
        Channel → why it could not be told, of those that failed.
    """
    store, now = deployment.store, time.time()
    for notice in (logged := store.notices.due(_LOG_CHANNEL, now, _AT_ONCE)):
        _log.log(_LEVELS[notice.severity], "%s", notice.text)
    store.notices.mark_sent(_LOG_CHANNEL, [n.key for n in logged], now)
    failed = {}
    for settings in deployment.platform.notify:
        due = store.notices.due(settings.name, now, _AT_ONCE)
        taken = [n for n in due if n.is_at_least(settings.severity)]
        if taken:
            outcome = guarded(settings.name, partial(_send, settings, deployment.around, taken))
            if outcome.error is not None:
                failed[settings.name] = str(outcome.error)
                continue
        store.notices.mark_sent(settings.name, [n.key for n in due], now)
    return failed


def _send(settings: NotifierSettings, around: Surroundings, notices: Sequence[Notice]) -> None:
    settings.connect(around).send(notices)
