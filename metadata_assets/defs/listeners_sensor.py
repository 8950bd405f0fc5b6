"""The sensor that tells the user's own code of events."""

import dagster as dg

from metadata_assets.defs.resources import Deployments
from metadata_assets.model.counts import counted
from metadata_assets.stages.events.listening import ListenerPosition, tell_listeners

_INTERVAL_SECONDS = 5
_TICK_SECONDS = 5.0


def listeners_sensor(status: dg.DefaultSensorStatus) -> dg.SensorDefinition:
    @dg.sensor(
        name="listeners_sensor",
        minimum_interval_seconds=_INTERVAL_SECONDS,
        default_status=status,
        description="Calls the listeners of the platform file with each event. One that fails or does not come back "
        "holds up neither the others nor the catalog.",
    )
    def _sensor(context: dg.SensorEvaluationContext, deployments: dg.ResourceParam[Deployments]) -> dg.SkipReason:
        with deployments.opened() as deployment:
            positions = tell_listeners(deployment, _TICK_SECONDS)
        return dg.SkipReason("; ".join(map(_told, positions)))

    return _sensor


def _told(position: ListenerPosition) -> str:
    waits = f"{counted(position.waiting, 'event')} waiting" if position.waiting else "told of everything"
    failed = f", failed {position.failed} times" if position.failed else ""
    return f"{position.name}: {waits}{failed}"
