"""Model values to JSON and back, and the hash by which two values are the same.

Decoding goes through pydantic's adapters for plain dataclasses: the model itself needs only the standard library.
"""

import dataclasses
import gc
import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter
from pydantic_core import PydanticSerializationError, SchemaSerializer

T = TypeVar("T")
# PostgreSQL keeps no NUL in text, and no database keeps half a character.
_NOT_STORABLE = re.compile("[\x00\ud800-\udfff]")
# PostgreSQL refuses a row of an index that is longer than 2,700 bytes, and some indexes hold several texts.
_LONGEST_KEY = 200


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def to_json(value: Any) -> str:
    kind: Any = type(value)
    adapter = _adapter(kind)
    try:
        return adapter.dump_json(value).decode()
    except PydanticSerializationError:  # half a character somewhere in it, which JSON in UTF-8 cannot hold
        return storable(json.dumps(adapter.dump_python(value, mode="json"), ensure_ascii=False))


def is_kept_whole(value: Any) -> bool:
    """Whether `to_json` writes the value as it is, without a replacement for half a character."""
    kind: Any = type(value)
    try:
        _adapter(kind).dump_json(value)
    except PydanticSerializationError:
        return False
    return True


def parse_json(text: str, kind: type[T]) -> T:
    """Read what `to_json` wrote. Fields that a newer version added keep their defaults."""
    key: Any = kind
    return cast(T, _adapter(key).validate_json(text))


def to_hash(value: Any) -> str:
    """A digest of what compares as equal: fields with `compare=False` (places, sources) do not count."""
    kind: Any = type(value)
    serializer = _comparing(kind)
    try:
        text = serializer.to_json(value)
    except PydanticSerializationError:  # half a character, as above
        text = json.dumps(serializer.to_python(value, mode="json")).encode()
    return hashlib.blake2b(text, digest_size=16).hexdigest()


@cache
def _comparing(kind: Any) -> SchemaSerializer:
    """The serializer of a type without what does not compare: walking values in Python takes ten times as long."""
    return SchemaSerializer(_compared(_adapter(kind).core_schema))


def _compared(node: Any) -> Any:
    if isinstance(node, list):
        return [_compared(n) for n in node]
    if not isinstance(node, dict):
        return node
    copy = {name: _compared(n) for name, n in node.items()}
    if copy.get("type") == "dataclass":
        silent = {f.name for f in dataclasses.fields(copy["cls"]) if not f.compare}
        for field in copy["schema"]["fields"]:
            if field["name"] in silent:
                field["serialization_exclude"] = True
    return copy


@contextmanager
def without_collection() -> Iterator[None]:
    """Reading thousands of values, the garbage collector looks again and again at trees that hold no circles: most of
    the time would go there."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def storable(text: str) -> str:
    """Text from outside as every database takes it: what cannot be kept becomes the replacement character."""
    return _NOT_STORABLE.sub("\ufffd", text)


def key_text(text: str) -> str:
    """Text from outside, of any length, as one that every index takes: a long one is cut, and ends in a digest of all
    of it, so that different ones stay different."""
    kept = storable(text)
    if len(kept.encode()) <= _LONGEST_KEY:
        return kept
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return f"{kept.encode()[: _LONGEST_KEY - len(digest) - 1].decode('utf-8', 'ignore')}~{digest}"
