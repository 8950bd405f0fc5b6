"""What the platform file says about a metastore's own log of changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from metadata_assets.model.surroundings import Surroundings
from metadata_assets.sources.events.base import Decoder, Hydrate
from metadata_assets.sources.hive.config import HiveConnection

if TYPE_CHECKING:
    from metadata_assets.sources.hive.log import HiveLog


class HiveLogConfig(HiveConnection, frozen=True, extra="forbid", hide_input_in_errors=True):
    """The NOTIFICATION_LOG of a Hive metastore, polled over Thrift."""

    type: Literal["hive_log"] = Field(description="The NOTIFICATION_LOG of a Hive metastore.")
    name: str = Field("hive_log", description="Name of the source; part of the name of its sensor.")
    hydrate: Hydrate = Field(
        "metastore", description="Where schemas of changed tables are read: the metastore, or the events themselves."
    )
    timeout: float = Field(
        5, gt=0, description="Seconds for one call, connecting included; where it is not enough, less is asked for."
    )

    def connect(self, around: Surroundings) -> HiveLog:
        """A reader that opens its connection at the first poll.

        Raises:
            PlatformError: a variable or a package that the configuration needs is missing.
        """
        from metadata_assets.sources.hive.log import HiveLog

        return HiveLog(self.open_client(around, "events"))

    def decoder(self) -> Decoder:
        from metadata_assets.sources.events.notifications import notification_decoder

        return notification_decoder(self.catalog)
