"""Sensors of event sources: each stores what its source brought, then lets the cursor move. Others ask for runs."""

import time
from collections.abc import Iterator, Sequence

import dagster as dg

from metadata_assets.defs import keys
from metadata_assets.defs.resources import Deployments
from metadata_assets.errors import Permanent, Transient
from metadata_assets.sources.events.base import EventSettings, Limit
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.intake import Taken, take_events
from metadata_assets.stages.positions import EventPosition, position_of, record_failure, record_look

_INTERVAL_SECONDS = 5
# A tick has 60 s; a proxy between daemon and code server may cut it at 15.
_TICK_SECONDS = 6.0
_LIMIT = Limit()
# A quiet source shows in the UI that it is read, but not with an event for each tick.
_QUIET_SECONDS = 600.0

Result = dg.SensorResult | dg.SkipReason


def event_assets(sources: Sequence[EventSettings]) -> Iterator[dg.AssetSpec]:
    """An external asset for each source: the graph shows where changes come from, and how far they were read."""
    for source in sources:
        kind = getattr(source, "type", "")
        yield dg.AssetSpec(
            keys.events_key(source.name),
            description="Events that tell of changes. Its observations say how far it was read.",
            group_name=keys.EVENTS_GROUP,
            kinds={kind} if kind and ":" not in kind else set(),
            owners=[keys.PIPELINE_OWNER],
        )


def events_sensor(name: str, status: dg.DefaultSensorStatus) -> dg.SensorDefinition:
    """The sensor of the source of this name."""

    @dg.sensor(
        name=f"{name}_events_sensor",
        minimum_interval_seconds=_INTERVAL_SECONDS,
        default_status=status,
        description="Stores the events of the source, then moves its cursor. What they ask for is requested by the "
        "pending sensor. Resetting the cursor reads from the configured start again, which does no harm.",
    )
    def _sensor(context: dg.SensorEvaluationContext, deployments: dg.ResourceParam[Deployments]) -> Result:
        with deployments.opened() as deployment:
            settings = next((e for e in deployment.platform.events if e.name == name), None)
            if settings is None:
                return dg.SkipReason(f"the platform file has no source of events named {name!r} any more")
            before = position_of(deployment.store, name)
            try:
                position = _drain(deployment, settings, context.cursor or "")
            except (Transient, Permanent) as error:
                record_failure(deployment.store, name, str(error))
                context.log.warning(str(error))
                return dg.SkipReason(f"the source cannot be read: {error}")
        told = _told(before, position)
        observed = [_observation(position)] if told or _is_quiet(before) else []
        skip = dg.SkipReason(told or "no new events")
        return dg.SensorResult(cursor=position.cursor, asset_events=observed, skip_reason=skip)

    return _sensor


def _drain(deployment: Deployment, settings: EventSettings, cursor: str) -> EventPosition:
    """Look until the source has no more, or the time of a tick is up. Every look is stored before the next.

    Raises:
        Transient, Permanent: the first look failed. After one that succeeded, the next tick tells.
    """
    deadline = time.monotonic() + _TICK_SECONDS
    taken = take_events(deployment, settings, cursor, _LIMIT)
    position = record_look(deployment.store, settings.name, taken)
    while _has_more(taken) and time.monotonic() < deadline:
        taken = take_events(deployment, settings, taken.cursor, _LIMIT)
        position = record_look(deployment.store, settings.name, taken)
    return position


def _has_more(taken: Taken) -> bool:
    return bool(taken.outcomes) and taken.lag != 0


def _told(before: EventPosition, now: EventPosition) -> str:
    new = {what: n - before.outcomes.get(what, 0) for what, n in now.outcomes.items()}
    parts = [f"{n} {what}" for what, n in sorted(new.items()) if n]
    waiting = f"; {now.lag} wait at the source" if now.lag else ""
    return ", ".join(parts) + waiting if parts else ""


def _is_quiet(before: EventPosition) -> bool:
    return before.read_at is None or int(before.read_at // _QUIET_SECONDS) != int(time.time() // _QUIET_SECONDS)


def _observation(position: EventPosition) -> dg.AssetObservation:
    metadata: dict[str, dg.MetadataValue | str] = {
        "behind_seconds": dg.MetadataValue.float(round(position.behind, 1)),
        "read_at": dg.MetadataValue.timestamp(position.read_at or 0.0),
        **{f"total: {what}": dg.MetadataValue.int(n) for what, n in sorted(position.outcomes.items())},
    }
    if position.lag is not None:
        metadata["lag"] = dg.MetadataValue.int(position.lag)
    return dg.AssetObservation(keys.events_key(position.name), metadata=metadata)
