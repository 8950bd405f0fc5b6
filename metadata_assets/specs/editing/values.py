"""Values as YAML text that our own loader, any YAML 1.1 reader and an editor all read as the same value."""

import json
import re
from collections.abc import Mapping
from typing import Any

import yaml

# Lists that are written one entry a line; all others fit on the line of their key.
_LISTS_OF_ENTRIES = ("tables", "columns")
_PLAIN_IN_BLOCK = re.compile(r"[^\W\d_][\w .,;()/%+'!?=<>&*$@-]*")
_PLAIN_IN_FLOW = re.compile(r"[^\W\d_][\w .;()/%+'!?=<>&*$@-]*")
_RESOLVER: Any = yaml.SafeLoader("")  # ships no types
_READ_OTHERWISE_ELSEWHERE = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "none"})
# What breaks lines or is no printable character for one reader or another; JSON leaves these as they are.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_BREAKS_BLOCK_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


def to_scalar(value: object, *, flow: bool = True) -> str:
    """A single value on one line. `flow` says that it stands between brackets or braces.

    Raises:
        ValueError: there is no spelling of it that the loader takes.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _to_decimal(value)
    if isinstance(value, str):
        return value if _is_plain(value, flow=flow) else _to_quoted(value)
    raise ValueError(f"a {type(value).__name__} cannot stand in a spec")


def _to_decimal(value: float) -> str:
    mantissa, exponent, power = repr(value).partition("e")
    if not mantissa.strip("-").replace(".", "").isdigit():
        raise ValueError(f"{value} cannot stand in a spec")
    return mantissa + ("" if "." in mantissa else ".0") + exponent + power


def _is_plain(text: str, *, flow: bool) -> bool:
    pattern = _PLAIN_IN_FLOW if flow else _PLAIN_IN_BLOCK
    if not pattern.fullmatch(text) or text.endswith(" ") or text.lower() in _READ_OTHERWISE_ELSEWHERE:
        return False
    return bool(_RESOLVER.resolve(yaml.ScalarNode, text, (True, False)) == "tag:yaml.org,2002:str")


def _to_quoted(text: str) -> str:
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise ValueError("half a character (a lone surrogate) cannot stand in a spec")
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False))


def to_flow(value: object) -> str:
    """Any value on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{to_scalar(k)}: {to_flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(to_flow(v) for v in value) + "]"
    return to_scalar(value)


def to_pair(key: str, value: object, column: int, *, literal: bool = True) -> str:
    """`key: value` as it stands at a column of a block mapping; only the first line is not indented.

    With `literal` off no text is written as a block text: something else follows on its line.
    """
    return f"{to_scalar(key, flow=False)}:{to_block_value(key, value, column, literal=literal)}"


def to_block_value(key: str, value: object, column: int, *, literal: bool = True) -> str:
    """What follows the colon of a key that stands at a column, with the blank or line break before it."""
    if key in _LISTS_OF_ENTRIES and isinstance(value, list | tuple) and value:
        items = [to_item(item, column + 2, block=key == "tables", literal=literal) for item in value]
        return "".join("\n" + " " * (column + 2) + item for item in items)
    if isinstance(value, str):
        return " " + (
            _to_literal(value, column + 2) if literal and _is_literal(value) else to_scalar(value, flow=False)
        )
    return " " + to_flow(value)


def to_item(value: object, column: int, *, block: bool, offset: int = 2, literal: bool = True) -> str:
    """`- value` as it stands at a column of a block list; `offset` is from the dash to the value."""
    dash = "-" + " " * (offset - 1)
    if block and isinstance(value, Mapping):
        return dash + to_block_mapping(value, column + offset, literal=literal)
    return dash + to_flow(value)


def to_block_mapping(value: Mapping[str, object], column: int, *, literal: bool = True) -> str:
    """The pairs of a mapping, one a line; only the first line is not indented."""
    return ("\n" + " " * column).join(to_pair(k, v, column, literal=literal) for k, v in value.items())


def _is_literal(text: str) -> bool:
    """Whether a text of several lines comes back the same from a block text without an indentation indicator."""
    lines = text.split("\n")
    if len(lines) < 2 or text.endswith("\n\n") or lines[0][:1] in ("", " ", "\t"):
        return False
    return not _BREAKS_BLOCK_TEXT.search(text) and all(line.strip() or not line for line in lines)


def _to_literal(text: str, column: int) -> str:
    sign = "|" if text.endswith("\n") else "|-"
    lines = text.removesuffix("\n").split("\n")
    return sign + "".join("\n" + (" " * column + line if line else "") for line in lines)
