"""Cursors as the text that a sensor keeps: JSON with the version of its form, which people may see and edit."""

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from metadata_assets.errors import Permanent

T = TypeVar("T")
_VERSION = 1


def to_cursor(**fields: object) -> str:
    return json.dumps({"version": _VERSION, **fields})


def parse_cursor(text: str, read: Callable[[Mapping[str, Any]], T], how: str) -> T:
    """Read what `to_cursor` wrote.

    Args:
        text: not empty.
        read: makes a value of the fields, and may raise what such code raises where they are not as they should be.
        how: what to do about a cursor that cannot be read.

    Raises:
        Permanent: it cannot be read: somebody edited it.
    """
    try:
        found = json.loads(text)
        if found["version"] != _VERSION:
            raise ValueError(found["version"])
        return read(found)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise Permanent(f"the cursor of this sensor cannot be read: reset it in the UI {how}") from None
