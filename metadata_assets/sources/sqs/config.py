"""What the platform file says about a queue of SQS."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from metadata_assets.model.surroundings import Surroundings
from metadata_assets.sources.aws import AwsConnection, open_client
from metadata_assets.sources.events.formats import FORMAT_DESCRIPTION, FormatFunction, FormatName, Formatted

if TYPE_CHECKING:
    from metadata_assets.sources.sqs.source import SqsQueue


class SqsConfig(AwsConnection, Formatted, frozen=True, extra="forbid", hide_input_in_errors=True):
    """A queue of SQS with notices of S3, Glue and Apiary's SNS listener, or with requests, in any mixture."""

    type: Literal["sqs"] = Field(description="A queue of SQS.")
    name: str = Field("sqs", description="Name of the source; part of the name of its sensor.")
    queue: str = Field(
        pattern=r"^(https?://[^\s@]+|[A-Za-z0-9_-]{1,75}(\.fifo)?)$", description="Name or URL of the queue."
    )
    format: FormatName | FormatFunction = Field("aws", description=FORMAT_DESCRIPTION)
    hydrate: Literal["metastore"] = Field(
        "metastore", description="Where schemas of changed tables are read: such messages never hold any."
    )

    def connect(self, around: Surroundings) -> SqsQueue:
        """A reader that connects at the first poll.

        Raises:
            PlatformError: a variable is not set, there is no such profile, or no region is known.
        """
        from metadata_assets.sources.sqs.source import SqsQueue

        return SqsQueue(open_client("sqs", self.access(around, f"events: {self.name}")), self.queue)
