"""Single values: what PyYAML's tags mean, and which unquoted texts are too ambiguous to be read at all.

YAML 1.1 (PyYAML, Hive tools) and 1.2 (editors, the JSON Schema) disagree on `yes`, `012`, `1_000` or `1:30`. Guessing
would put one value into the catalog and show another in the editor, so such a value has to be quoted or rewritten.
"""

import datetime
import re
from dataclasses import dataclass

import yaml

PREFIX = "tag:yaml.org,2002:"
Value = str | int | float | bool | datetime.date | None

_TEXT = frozenset(PREFIX + name for name in ("str", "value", "merge"))
_WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_DECIMAL = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_KINDS = {"bool": "true or false", "int": "a number", "float": "a number", "timestamp": "a date", "null": "nothing"}


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a value cannot be taken as it is written."""

    message: str
    hint: str


def reading(node: yaml.Node) -> str | None:
    """What an unquoted value that is not text is read as, in words; None for text."""
    return _KINDS.get(str(node.tag).removeprefix(PREFIX)) if isinstance(node, yaml.ScalarNode) else None


def quoting(node: yaml.ScalarNode) -> str:
    return f'put quotes around it: "{node.value}"'


def parse_scalar(node: yaml.ScalarNode) -> Value | Refused:
    """The value of a scalar node by its resolved tag."""
    if node.tag in _TEXT:
        return str(node.value)
    name = str(node.tag).removeprefix(PREFIX)
    if name == "null":
        return None
    if name == "bool":
        return _parse_bool(node)
    if name in ("int", "float"):
        return _parse_number(node)
    if name == "timestamp":
        return _parse_date(node)
    return Refused(f"the tag {readable_tag(node)} is not allowed", "remove it; put quotes around a value that is text")


def readable_tag(node: yaml.Node) -> str:
    tag = str(node.tag)
    return "!!" + tag.removeprefix(PREFIX) if tag.startswith(PREFIX) else tag


def _parse_bool(node: yaml.ScalarNode) -> bool | Refused:
    word = node.value.lower()
    if word in ("true", "false"):
        return bool(word == "true")
    meant = "true" if word in ("yes", "on", "y") else "false"
    return Refused(f"{node.value!r} without quotes is read as {meant}", f"{quoting(node)}, or write {meant}")


def _parse_number(node: yaml.ScalarNode) -> float | Refused:
    if _WHOLE.fullmatch(node.value):
        return int(node.value)
    if _DECIMAL.fullmatch(node.value):
        return float(node.value)
    how = "a number with '_'" if "_" in node.value else "a number to another base"
    if ":" in node.value:
        how = "a number to base 60"
    elif node.value.lstrip("+-").isdigit():
        how = "an octal number" if node.value.lstrip("+-").startswith("0") else "a number that is too long for one"
    elif node.value.lstrip("+-.").lower() in ("inf", "nan"):
        how = "a number that no number is"
    return Refused(f"{node.value!r} without quotes is read as {how}", f"{quoting(node)}, or write a plain number")


def _parse_date(node: yaml.ScalarNode) -> datetime.date | Refused:
    if _DATE.fullmatch(node.value):
        try:
            return datetime.date.fromisoformat(node.value)
        except ValueError:
            return Refused(f"{node.value} is not a day of the calendar", f"correct it, or {quoting(node)}")
    return Refused(
        f"{node.value!r} without quotes is read as a time", f"{quoting(node)}, or write a date as 2027-06-30"
    )
