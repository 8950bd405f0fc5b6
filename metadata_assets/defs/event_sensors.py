"""Sensors of event sources: each stores what its source brought, then lets the cursor move. Others ask for runs."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import dagster as dg

from metadata_assets.defs import keys
from metadata_assets.defs.resources import Deployments
from metadata_assets.errors import MetadataError
from metadata_assets.sources.events.base import EventSettings, Limit
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.events.intake import connected, take_events
from metadata_assets.stages.events.positions import EventPosition, position_of, record_failure, record_look

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
            position, trouble = _drain(deployment, settings, context.cursor or "")
        if trouble:
            context.log.warning(trouble)
        if position is None:
            return dg.SkipReason(trouble)
        told = _told(before, position)
        observed = [_observation(position)] if told or _is_quiet(before) else []
        skip = dg.SkipReason("; ".join(t for t in (told, trouble) if t) or "no new events")
        return dg.SensorResult(cursor=position.cursor, asset_events=observed, skip_reason=skip)

    return _sensor


def _drain(deployment: Deployment, settings: EventSettings, cursor: str) -> tuple[EventPosition | None, str]:
    """Look until the source has no more, or the time of a tick is up. Every look is stored before the next.

    Returns:
        Where the last look that succeeded ended, if one did, and why there was not another, if it failed.
    """
    deadline = time.monotonic() + _TICK_SECONDS
    position = None
    try:
        with connected(deployment, settings) as source:
            while (left := deadline - time.monotonic()) > 0:
                limit = replace(_LIMIT, seconds=min(left, _LIMIT.seconds))
                taken = take_events(deployment, settings, source, cursor, limit)
                position, cursor = record_look(deployment.store, settings.name, taken), taken.cursor
                if not taken.outcomes or taken.lag == 0:
                    break
    except MetadataError as error:
        record_failure(deployment.store, settings.name, str(error))
        return position, f"the source cannot be read: {error}"
    return position, ""


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
