"""Model values to JSON and back, and the hash by which two values are the same.

Decoding goes through pydantic's adapters for plain dataclasses: the model itself needs only the standard library.
"""

import dataclasses
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter
from pydantic_core import PydanticSerializationError

T = TypeVar("T")
# PostgreSQL keeps no NUL in text, and no database keeps half a character.
_NOT_STORABLE = re.compile("[\x00\ud800-\udfff]")


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


def parse_json(text: str, kind: type[T]) -> T:
    """Read what `to_json` wrote. Fields that a newer version added keep their defaults."""
    key: Any = kind
    return cast(T, _adapter(key).validate_json(text))


def to_hash(value: Any) -> str:
    """A digest of what compares as equal: fields with `compare=False` (places, sources) do not count."""
    text = json.dumps(_compared(value), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@cache
def _compared_fields(kind: Any) -> tuple[str, ...]:
    return tuple(f.name for f in dataclasses.fields(kind) if f.compare)


def _compared(value: Any) -> Any:
    if isinstance(value, (str, int, float)) or value is None:
        return value
    if dataclasses.is_dataclass(value):
        kind: Any = type(value)
        return {name: _compared(getattr(value, name)) for name in _compared_fields(kind)}
    if isinstance(value, Mapping):
        return {str(k): _compared(v) for k, v in value.items()}
    return [_compared(v) for v in value]


def storable(text: str) -> str:
    """Text from outside as every database takes it: what cannot be kept becomes the replacement character."""
    return _NOT_STORABLE.sub("\ufffd", text)
