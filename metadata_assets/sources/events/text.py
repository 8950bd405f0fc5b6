"""From the bytes of a message to its fields; what is wrong with them is said without quoting them."""

import base64
import binascii
import json
import zlib
from datetime import UTC, datetime
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from metadata_assets.errors import Undecodable
from metadata_assets.sources.events.base import Message

T = TypeVar("T", bound=BaseModel)
_SHOWN_ERRORS = 3
_MOST_BYTES = 256 << 20  # what a packed text may unpack to


def parse_object(message: Message) -> dict[str, Any]:
    """The JSON object that a message holds.

    Raises:
        Undecodable: it holds something else; says from which byte on.
    """
    if message.payload is None:
        raise Undecodable("the message has no value (a tombstone)")
    return parse_json_object(message.payload)


def parse_json_object(content: bytes | str) -> dict[str, Any]:
    """A JSON object from text or UTF-8.

    Raises:
        Undecodable: it is something else.
    """
    try:
        text = content.decode("utf-8") if isinstance(content, bytes) else content
    except UnicodeDecodeError as error:
        raise Undecodable(f"not UTF-8: byte {error.start} cannot be read") from None
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise Undecodable(f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits; nesting without end
        raise Undecodable(f"not JSON that can be read: {type(error).__name__}") from None
    if not isinstance(found, dict):
        raise Undecodable(f"a JSON {_KINDS.get(type(found), 'value')} instead of an object")
    return found


def unpack(text: str) -> str:
    """Text from gzip in base64.

    Raises:
        Undecodable: it is not that, or far too large.
    """
    reader = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        content = reader.decompress(base64.b64decode(text, validate=True), _MOST_BYTES)
    except (binascii.Error, zlib.error, ValueError) as error:
        raise Undecodable(f"not gzip in base64: {type(error).__name__}") from None
    if not reader.eof:
        raise Undecodable("the packed text is cut off, or too large")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Undecodable(f"not UTF-8: byte {error.start} of the packed text cannot be read") from None


def epoch_of(moment: datetime) -> float:
    """Epoch seconds of a time; one without a zone is UTC."""
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


_KINDS = {list: "array", str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}


def checked(kind: type[T], fields: object) -> T:
    """Fields as a model; unknown ones are left out.

    Raises:
        Undecodable: one is missing or of another type; names it.
    """
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        found = error.errors(include_input=False, include_url=False, include_context=False)
        told = [f"{'.'.join(map(str, e['loc'])) or 'the message'}: {e['type'].replace('_', ' ')}" for e in found]
        more = f" and {len(told) - _SHOWN_ERRORS} more" if len(told) > _SHOWN_ERRORS else ""
        raise Undecodable("; ".join(told[:_SHOWN_ERRORS]) + more) from None
