"""The sensor that tells people: it looks for what lasts, and sends what was not sent."""

import dagster as dg

from metadata_assets.defs.resources import Deployments
from metadata_assets.stages.notices.notifying import deliver_notices, look_for_trouble

_INTERVAL_SECONDS = 30


def notices_sensor(status: dg.DefaultSensorStatus) -> dg.SensorDefinition:
    @dg.sensor(
        name="notices_sensor",
        minimum_interval_seconds=_INTERVAL_SECONDS,
        default_status=status,
        description="Tells the log and the webhooks of the platform file of what somebody should act on: dropped or "
        "retyped columns that others are filled from, stalled sources of events, dead letters, failed checks.",
    )
    def _sensor(context: dg.SensorEvaluationContext, deployments: dg.ResourceParam[Deployments]) -> dg.SkipReason:
        with deployments.opened() as deployment:
            look_for_trouble(deployment)
            failed = deliver_notices(deployment)
        for channel, error in sorted(failed.items()):
            context.log.warning(f"notices could not be sent to {channel}: {error}")
        return dg.SkipReason("; ".join(f"{c}: {e}" for c, e in sorted(failed.items())) or "everybody was told")

    return _sensor
