"""Notices of S3 about objects: its own notifications, and those that come through EventBridge.

Formats: "Event message structure" and "EventBridge event message structure" of the S3 user guide. The same change may
be told twice, late, or in another order; the object itself is always read again, so that none of it matters.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import unquote_plus

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from metadata_assets.errors import Undecodable
from metadata_assets.model.subject import Subject
from metadata_assets.sources.events.base import Decoded
from metadata_assets.sources.events.changes import Stamp, order_of
from metadata_assets.sources.events.envelopes import Notification
from metadata_assets.sources.events.text import checked, epoch_of

# What changes the content of an object, or whether there is one; others tell of its tags, rights or copies.
_CHANGES = ("ObjectCreated:", "ObjectRemoved:", "ObjectRestore:Completed", "LifecycleExpiration:")
_BRIDGED_CHANGES = frozenset({"Object Created", "Object Deleted", "Object Restore Completed"})
_UNCHANGED = "an object whose content stays as it was"
_SEQUENCE_DIGITS = 16


class _Fields(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)


class _Named(_Fields):
    name: str = Field(min_length=1)


class _Object(_Fields):
    key: str = Field(min_length=1)
    sequencer: str | None = Field(None, pattern=r"^[0-9A-Fa-f]+$")
    version_id: str | None = Field(None, validation_alias=AliasChoices("versionId", "version-id"))


class _Place(_Fields):
    bucket: _Named
    object: _Object


class _Record(_Fields):
    eventVersion: str = "2.0"
    eventName: str
    eventTime: datetime
    s3: _Place


class _Bridged(_Fields):
    id: str
    time: datetime
    detail: _Place


def is_test(fields: Mapping[str, Any]) -> bool:
    """Whether S3 only tries whether it may send: it does so when a notification is configured."""
    return fields.get("Event") == "s3:TestEvent"


def decode_records(notification: Notification, records: Iterable[object]) -> Decoded:
    """A notification as S3 sends it to a queue or topic: one or more records."""
    numbered = list(enumerate(records))
    return Decoded.of_each(numbered, lambda found: _decode_record(notification, *found), "record")


def _decode_record(notification: Notification, index: int, fields: object) -> Decoded:
    if isinstance(fields, Mapping) and fields.get("eventSource", "aws:s3") != "aws:s3":
        return Decoded.nothing("a record of another service")
    record = checked(_Record, fields)
    if record.eventVersion.partition(".")[0] != "2":
        raise Undecodable(f"eventVersion {record.eventVersion[:20]!r}: only the second is known")
    if not record.eventName.startswith(_CHANGES):
        return Decoded.nothing(_UNCHANGED)
    key = _decoded_key(record.s3.object.key)
    return _changed(
        notification.source,
        record.s3,
        key,
        epoch_of(record.eventTime),
        (f"{notification.id}:{index}", record.eventName),
    )


def _decoded_key(key: str) -> str:
    """Keys are encoded as in a form: a blank is `+`."""
    try:
        return unquote_plus(key, errors="strict")
    except UnicodeDecodeError:
        raise Undecodable("s3.object.key: not UTF-8 once its %-escapes are read") from None


def decode_bridged(notification: Notification) -> Decoded:
    """A notification that came through EventBridge: of one object, its key as it is."""
    kind = str(notification.fields.get("detail-type"))
    if kind not in _BRIDGED_CHANGES:
        return Decoded.nothing(_UNCHANGED)
    event = checked(_Bridged, notification.fields)
    return _changed(notification.source, event.detail, event.detail.object.key, epoch_of(event.time), (event.id, kind))


def _changed(source: str, place: _Place, key: str, at: float, told: tuple[str, str]) -> Decoded:
    """`told`: an id where S3 gives the event no number, and what happened in S3's words."""
    identity, what = told
    sequencer = place.object.sequencer
    stamp = Stamp(
        source,
        f"{sequencer or identity}:{what}:{at}",
        order_of(at) if sequencer is None else sequence_of(sequencer),
        at,
        numbered=sequencer is not None,
    )
    details = {"event": what} | ({"version_id": v} if (v := place.object.version_id) else {})
    url = f"s3://{place.bucket.name}/{key}"
    return Decoded((stamp.about("object_changed", str(Subject("object", url)), details=details),))


def sequence_of(sequencer: str) -> int:
    """A sequencer as a number that grows with it, for events of one key.

    Of two, the shorter one is filled up with zeros at its right end before they are compared. The last bit is given
    up, so that a database keeps the number.
    """
    return int(sequencer.ljust(_SEQUENCE_DIGITS, "0")[:_SEQUENCE_DIGITS], 16) >> 1
