"""Messages of Apache Atlas's Hive hooks (topic ATLAS_HOOK): entities that a metastore or HiveServer2 tells of.

The format is that of `HookNotification` in its second version, in the envelope `AtlasNotificationMessage`. A body that
is too large comes as text: packed, and cut into parts, each a message of its own. Only names are taken from it: Atlas's
picture of a table leaves things out, so the table itself is read.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from metadata_assets.errors import Undecodable
from metadata_assets.model.event import ChangeEvent
from metadata_assets.model.subject import Subject
from metadata_assets.model.table import TableName
from metadata_assets.sources.events.base import Decoded, Decoder, Message, Part
from metadata_assets.sources.events.changes import Stamp, order_of
from metadata_assets.sources.events.text import checked, parse_json_object, parse_object, unpack

_MOST_PARTS = 10_000
_OTHER_TYPE = "an entity that is no table or database"
_OTHER_NAMESPACE = "of another namespace"
_STORAGE_ENDING = "_storage"
# Types of which each belongs to one table: the name of the table begins theirs.
_OF_TABLES = frozenset({"hive_table", "hive_column", "hive_storagedesc"})
_OURS = _OF_TABLES | {"hive_db"}


class _Fields(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)


class _Envelope(_Fields):
    msgId: str | None = None
    msgCompressionKind: str = "NONE"
    msgSplitIdx: int = Field(1, ge=0)
    msgSplitCount: int = Field(1, ge=1, le=_MOST_PARTS)
    msgCreationTime: int = 0  # milliseconds
    message: Mapping[str, Any] | str


class _Name(_Fields):
    qualifiedName: str


class _Entity(_Fields):
    typeName: str
    attributes: _Name


class _Reference(_Fields):
    typeName: str
    uniqueAttributes: _Name


class _Whole(_Fields):
    entities: tuple[Any, ...]


class _Written(_Fields):
    entities: _Whole


class _Changed(_Fields):
    entity: _Entity


class _Updated(_Fields):
    entityId: _Reference
    entity: _Changed


class _Deleted(_Fields):
    entities: tuple[Any, ...]


def atlas_hook_decoder(namespace: str | None = None) -> Decoder:
    """A decoder of the hook's messages.

    Args:
        namespace: the part after `@` of the names that are meant; any without it.
    """

    def _decode(message: Message, source: str) -> Decoded:
        fields = parse_object(message)
        envelope = checked(_Envelope, fields)
        if envelope.msgSplitCount > 1:
            return Decoded(part=_part(envelope))
        body = _body(envelope)
        kind = str(body.get("type"))
        known = _KINDS.get(kind)
        if known is None:
            return Decoded.nothing("of a type that changes nothing in the catalog")
        return known(body, _Context(_stamp(envelope, kind, message, source), namespace))

    return _decode


def _part(envelope: _Envelope) -> Part:
    if not envelope.msgId or envelope.msgSplitIdx >= envelope.msgSplitCount:
        raise Undecodable("a part of a message without msgId, or with a msgSplitIdx that its msgSplitCount rules out")
    if not isinstance(envelope.message, str):
        raise Undecodable("a part of a message whose body is not text")
    return Part(envelope.msgId, envelope.msgSplitIdx, envelope.msgSplitCount, _join)


def _join(payloads: Sequence[bytes]) -> bytes:
    """The parts as the one message that they would have been: their texts in a row, in the envelope of the first."""
    envelopes = [parse_json_object(payload) for payload in payloads]
    body = "".join(str(envelope["message"]) for envelope in envelopes)
    return json.dumps({**envelopes[0], "msgSplitIdx": 1, "msgSplitCount": 1, "message": body}).encode()


def _body(envelope: _Envelope) -> Mapping[str, Any]:
    if not isinstance(envelope.message, str):
        return envelope.message
    if envelope.msgCompressionKind == "GZIP":
        return parse_json_object(unpack(envelope.message))
    if envelope.msgCompressionKind != "NONE":
        raise Undecodable(f"msgCompressionKind {envelope.msgCompressionKind[:20]!r} is not known")
    return parse_json_object(envelope.message)


def _stamp(envelope: _Envelope, kind: str, message: Message, source: str) -> Stamp:
    at = envelope.msgCreationTime / 1000 if envelope.msgCreationTime > 0 else message.received_at
    return Stamp(source, f"{kind}:{envelope.msgId or message.position}", order_of(at), at)


class _Context:
    """What reading each entity of one message needs."""

    def __init__(self, stamp: Stamp, namespace: str | None) -> None:
        self.stamp = stamp
        self._namespace = namespace

    def written(self, fields: Any) -> Decoded:
        if _is_other(fields):
            return Decoded.nothing(_OTHER_TYPE)
        entity = checked(_Entity, fields)
        return self._event(entity.typeName, entity.attributes.qualifiedName, self._changed)

    def deleted(self, fields: Any) -> Decoded:
        if _is_other(fields):
            return Decoded.nothing(_OTHER_TYPE)
        entity = checked(_Reference, fields)
        whole = entity.typeName in ("hive_table", "hive_db")
        return self._event(
            entity.typeName, entity.uniqueAttributes.qualifiedName, self._gone if whole else self._changed
        )

    def updated(self, fields: Mapping[str, Any]) -> Decoded:
        """The hook tells of a rename as a change of the entity with the old name; columns of it follow one by one."""
        if _is_other(fields.get("entityId")):
            return Decoded.nothing(_OTHER_TYPE)
        update = checked(_Updated, fields)
        old, new = update.entityId.uniqueAttributes.qualifiedName, update.entity.entity.attributes.qualifiedName
        kind = update.entityId.typeName
        before, after = self._named(kind, old), self._named(kind, new)
        if kind == "hive_table" and before is not None and after is not None and before != after:
            table = TableName.of_subject(str(after))
            return Decoded((self.stamp.event("table_renamed", table, previous=str(before), move="renamed"),))
        return self._event(kind, new, self._changed)

    def _event(self, kind: str, name: str, make: Callable[[Subject], ChangeEvent]) -> Decoded:
        subject = self._named(kind, name)
        if subject is None:
            return Decoded.nothing(_OTHER_NAMESPACE)
        return Decoded((make(subject),))

    def _changed(self, subject: Subject) -> ChangeEvent:
        return self.stamp.about("table_changed" if subject.kind == "table" else "database_changed", str(subject))

    def _gone(self, subject: Subject) -> ChangeEvent:
        if subject.kind == "database":
            return self.stamp.about("database_dropped", str(subject))
        return self.stamp.about("table_dropped", str(subject), move="dropped")

    def _named(self, kind: str, qualified: str) -> Subject | None:
        """The table or database that an entity belongs to; None where it is of another namespace.

        Raises:
            Undecodable: the name is not of the form that the hook gives to entities of this type.
        """
        name, at, namespace = qualified.rpartition("@")
        if kind == "hive_storagedesc":
            namespace = namespace.removesuffix(_STORAGE_ENDING)
        parts = name.lower().split(".")
        least = {"hive_db": 1, "hive_column": 3}.get(kind, 2)
        if not at or len(parts) < least or not all(parts):
            raise Undecodable(f"the qualifiedName of a {kind} is not one that the hook gives, such as db.table@ns")
        if self._namespace is not None and namespace != self._namespace:
            return None
        return Subject("database", parts[0]) if kind == "hive_db" else Subject("table", ".".join(parts[:2]))


def _is_other(fields: object) -> bool:
    """Whether it is an entity of a type that says nothing of tables: a process, an edge of lineage, a folder."""
    kind = fields.get("typeName") if isinstance(fields, Mapping) else None
    return isinstance(kind, str) and kind not in _OURS


def _written(body: Mapping[str, Any], context: _Context) -> Decoded:
    return Decoded.of_each(checked(_Written, body).entities.entities, context.written, "entity")


def _updated(body: Mapping[str, Any], context: _Context) -> Decoded:
    return context.updated(body)


def _deleted(body: Mapping[str, Any], context: _Context) -> Decoded:
    return Decoded.of_each(checked(_Deleted, body).entities, context.deleted, "entity")


_KINDS: dict[str, Callable[[Mapping[str, Any], _Context], Decoded]] = {
    "ENTITY_CREATE_V2": _written,
    "ENTITY_FULL_UPDATE_V2": _written,
    "ENTITY_PARTIAL_UPDATE_V2": _updated,
    "ENTITY_DELETE_V2": _deleted,
}
