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
from metadata_assets.stages.events.listening import ListenerPosition, listener_positions
from metadata_assets.stages.events.positions import EventPosition, positions_of
from metadata_assets.stages.notices.outages import Outage, outages
from metadata_assets.store.notices import REPEAT_SECONDS
from metadata_assets.store.store import Store

# A source that cannot be read, is not read, or has messages and gives none, for so long is stalled.
STALLED_SECONDS = 300.0
_STALLED_TIME = f"{STALLED_SECONDS / 60:.0f} minutes"
_LOOKING = "notices: looking"
_AT_ONCE = 50
_LEVELS: dict[Severity, int] = {"info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
_LOG_CHANNEL = "log"
_log = logging.getLogger(__name__)


def look_for_trouble(deployment: Deployment) -> None:
    """Note what lasts: what cannot be read, listeners that fail, dead letters; and settle what is over."""
    store = deployment.store
    now = time.time()
    since = _looking_since(store, now)
    positions = positions_of(store, [source.name for source in deployment.platform.events])
    found = [notice for position in positions if (notice := _stalled(position, since, now)) is not None]
    found += [n for position in listener_positions(deployment) if (n := _unheard(position, now)) is not None]
    found += [n for outage in outages(store) if (n := _out(outage, now)) is not None]
    dead = store.dead_letters.count()
    if dead:
        found.append(Notice("dead_letters", "warning", tell_dead_letters(dead)))
    store.notices.note(found)
    known = {
        key for kind in ("stalled:", "listener:", "outage:", "dead_letters") for key in store.notices.open_keys(kind)
    }
    store.notices.settle(sorted(known - {n.key for n in found}))


def tell_dead_letters(number: int) -> str:
    return f"{number} messages of event sources could not be read: `metadata-assets replay` lists them"


def _looking_since(store: Store, now: float) -> float:
    """Since when somebody looks without a pause (epoch seconds): nothing is late for what nobody could have done."""
    looked = store.work.state(_LOOKING) or {}
    since = float(looked["since"]) if now - looked.get("at", 0.0) < STALLED_SECONDS else now
    store.work.set_state(_LOOKING, {"since": since, "at": now})
    return since


def _stalled(position: EventPosition, since: float, now: float) -> Notice | None:
    name = position.name
    if position.failing_since is not None and now - position.failing_since >= STALLED_SECONDS:
        text = f"events of {name} cannot be read for more than {_STALLED_TIME}: {position.error}"
    elif position.failing_since is None and now - max(position.read_at or 0.0, since) >= STALLED_SECONDS:
        text = f"events of {name} were not read for {_STALLED_TIME}: is its sensor {name}_events_sensor on?"
    elif position.lag and now - max(position.moved_at or 0.0, since) >= STALLED_SECONDS:
        text = f"events of {name} are read and nothing moves for {_STALLED_TIME}, {position.lag} wait at the source"
    else:
        return None
    return Notice(f"stalled:{name}", "error", text)


def _out(outage: Outage, now: float) -> Notice | None:
    if now - outage.since < STALLED_SECONDS:
        return None
    return Notice(f"outage:{outage.what}", "error", f"{outage.what}: no look for {_STALLED_TIME}: {outage.error}")


def _unheard(position: ListenerPosition, now: float) -> Notice | None:
    name = position.name
    if position.busy_since is not None and now - position.busy_since >= STALLED_SECONDS:
        text = f"listener {name} has not come back for {_STALLED_TIME}; restart the code location"
    elif position.failed_at is not None and now - position.failed_at < REPEAT_SECONDS:
        text = f"listener {name} failed, at last at {position.error}"
    else:
        return None
    return Notice(f"listener:{name}", "error", text)


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
