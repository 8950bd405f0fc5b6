"""Requests: somebody asks that something be looked at again, whether or not it changed.

{version: 1, id, what, target: {table | database | pattern | pipeline}, spec_uri?, requested_by, requested_at,
 reason?}
"""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from metadata_assets.errors import SelectionError, Undecodable
from metadata_assets.model.pattern import Selection
from metadata_assets.model.subject import Subject
from metadata_assets.model.table import TableName
from metadata_assets.sources.events.base import Decoded, Decoder, Message
from metadata_assets.sources.events.changes import Stamp, order_of
from metadata_assets.sources.events.envelopes import Notification
from metadata_assets.sources.events.text import checked, epoch_of, parse_object

_KINDS = ("table", "database", "pattern", "pipeline")


class _Target(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    table: str | None = None
    database: str | None = None
    pattern: str | None = None
    pipeline: str | None = None

    def to_subject(self) -> Subject:
        """What is asked for.

        Raises:
            Undecodable: it is not exactly one thing, or has no such name.
        """
        given = [kind for kind in _KINDS if getattr(self, kind) is not None]
        if len(given) != 1:
            raise Undecodable(f"target: name exactly one of {', '.join(_KINDS)}")
        return _subject(given[0], getattr(self, given[0]).strip())


def _subject(kind: str, name: str) -> Subject:
    try:
        if kind == "table":
            return Subject.parse(TableName.parse(name).subject)
        if kind == "pattern":
            Selection.parse((name,))
    except (ValueError, SelectionError):
        form = "database.table" if kind == "table" else "database, database.table, or a glob of these"
        raise Undecodable(f"target.{kind}: not of the form {form}") from None
    if not name:
        raise Undecodable(f"target.{kind}: empty")
    return Subject.parse(f"{kind}:{name.lower() if kind == 'database' else name}")


class _Request(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    version: Literal[1]
    id: str = Field(min_length=1, max_length=200)
    what: Literal["documentation", "lineage", "tags", "schema", "profile"]
    target: _Target
    spec_uri: str | None = None
    requested_by: str = Field(min_length=1)
    requested_at: datetime
    reason: str | None = None


def requests_decoder() -> Decoder:
    """A decoder of messages that hold one request each."""

    def _decode(message: Message, source: str) -> Decoded:
        return decode_request(Notification(source, message.position, message.received_at, parse_object(message)))

    return _decode


def decode_request(notification: Notification) -> Decoded:
    """What is asked for. It counts from when it came in: by its own clock, one of the future would overrule whatever
    is seen until then.

    Raises:
        Undecodable: a field is missing or wrong; names it.
    """
    request = checked(_Request, notification.fields)
    stamp = Stamp(notification.source, f"request:{request.id}", order_of(notification.sent_at), notification.sent_at)
    details = {
        "what": request.what,
        "requested_by": request.requested_by,
        "requested_at": str(epoch_of(request.requested_at)),
        "spec_uri": request.spec_uri,
        "reason": request.reason,
    }
    told = {name: value for name, value in details.items() if value}
    return Decoded((stamp.about("requested", str(request.target.to_subject()), details=told),))
