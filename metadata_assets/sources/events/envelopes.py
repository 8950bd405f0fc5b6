"""What is around the notices of AWS: a queue's message holds them bare or in the envelope of an SNS topic."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

from metadata_assets.sources.events.base import Message
from metadata_assets.sources.events.text import checked, epoch_of, parse_json_object, parse_object


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification without what was around it. `id` is what its sender gave it last; `sent_at` in epoch seconds."""

    source: str
    id: str
    sent_at: float
    fields: Mapping[str, Any]


class _Envelope(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    MessageId: str
    Message: str
    Timestamp: datetime


def unwrap(message: Message, source: str) -> Notification:
    """The notification in a message; a topic with raw delivery, and a service that writes to the queue itself, add
    nothing.

    Raises:
        Undecodable: it is no JSON object, or an envelope that lacks something.
    """
    fields = parse_object(message)
    if fields.get("Type") != "Notification" or not isinstance(fields.get("Message"), str):
        return Notification(source, message.position, message.received_at, fields)
    envelope = checked(_Envelope, fields)
    return Notification(source, envelope.MessageId, epoch_of(envelope.Timestamp), parse_json_object(envelope.Message))
