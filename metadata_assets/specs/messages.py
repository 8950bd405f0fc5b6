"""pydantic's errors in our own words.

pydantic speaks to programmers, of inputs and instances and with a link. Each of its error types that a spec or the
platform file can cause has a sentence here; an unknown one gets a general sentence, never pydantic's.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

import yaml

from metadata_assets.model.suggestions import did_you_mean, listing
from metadata_assets.specs.scalars import quoting, reading

Context = Mapping[str, Any]
Words = tuple[str, str]  # message, hint

_SENTENCES: dict[str, Words] = {
    "list": ("a list is wanted here", "start each entry with '- ', or write [a, b]"),
    "mapping": ("a mapping is wanted here", "write `key: value` lines below it"),
    "int": ("a whole number is wanted here", "write it without quotes, point or unit"),
    "float": ("a number is wanted here", "write it without quotes or unit"),
    "bool": ("true or false is wanted here", "write one of them without quotes"),
    "date": ("a date is wanted here", "write it as 2027-06-30"),
    "url": ("a URL is wanted here", "write it as https://host:port/path"),
    "empty": ("this must not be empty", "give it a value or remove the entry"),
    "text": ("a single value is wanted here", "write a text, in quotes if it has brackets or braces"),
    "else": ("this value does not fit here", "compare it with the JSON Schema, which lists what does"),
}
_TYPES: dict[str, str] = {
    "list_type": "list", "tuple_type": "list", "set_type": "list", "frozen_set_type": "list", "iterable_type": "list",
    "dict_type": "mapping", "mapping_type": "mapping", "model_type": "mapping", "model_attributes_type": "mapping",
    "dataclass_type": "mapping",
    "int_type": "int", "int_parsing": "int", "int_from_float": "int", "int_parsing_size": "int",
    "float_type": "float", "float_parsing": "float", "finite_number": "float", "decimal_type": "float",
    "decimal_parsing": "float",
    "bool_type": "bool", "bool_parsing": "bool",
    "date_type": "date", "date_parsing": "date", "date_from_datetime_parsing": "date",
    "date_from_datetime_inexact": "date", "datetime_type": "date", "datetime_parsing": "date",
    "url_type": "url", "url_parsing": "url", "url_scheme": "url", "url_syntax_violation": "url",
    "string_too_short": "empty", "too_short": "empty",
    "string_type": "text", "string_sub_type": "text",
}  # fmt: skip


def _limit(word: str, key: str) -> Callable[[Context], Words]:
    return lambda context: (f"the value must be {word} {context.get(key)}", "")


_LIMITS: dict[str, Callable[[Context], Words]] = {
    "greater_than": _limit("greater than", "gt"),
    "greater_than_equal": _limit("at least", "ge"),
    "less_than": _limit("less than", "lt"),
    "less_than_equal": _limit("at most", "le"),
    "multiple_of": _limit("a multiple of", "multiple_of"),
    "too_long": lambda context: (f"at most {context.get('max_length')} entries can stand here", "remove some"),
    "string_too_long": lambda context: (
        f"the text is longer than {context.get('max_length')} characters",
        "shorten it",
    ),
    "string_pattern_mismatch": lambda context: (f"the text does not match {context.get('pattern')}", ""),
}


def to_words(kind: str, context: Context, node: yaml.Node) -> Words:
    """Message and hint for a pydantic error of a kind, with its context, at a node."""
    if kind == "spec":
        return str(context["message"]), str(context["hint"])
    if kind in ("value_error", "assertion_error"):
        words = str(context.get("error", "")).strip().splitlines()
        return (words[0], "") if words else _SENTENCES["else"]
    if kind in ("literal_error", "enum"):
        return _choice(str(context.get("expected", "")), node)
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        return _union(kind, context)
    if kind in _LIMITS:
        return _LIMITS[kind](context)
    return _wanted(_TYPES.get(kind, "else"), node)


def _wanted(what: str, node: yaml.Node) -> Words:
    message, hint = _SENTENCES[what]
    if what == "list" and isinstance(node, yaml.ScalarNode) and node.value:
        return message, "put a blank after '-'" if node.value.startswith("-") else f"write [{node.value}]"
    read = reading(node)
    if what != "text" or not isinstance(node, yaml.ScalarNode) or read is None:
        return message, hint
    if read == "nothing":
        return (
            f"{node.value!r} is read as nothing, text is wanted here" if node.value else "text is wanted here",
            quoting(node),
        )
    return f"{node.value!r} without quotes is read as {read}, text is wanted here", quoting(node)


def _choice(expected: str, node: yaml.Node) -> Words:
    known = re.findall(r"'([^']*)'", expected) or [expected]
    written = node.value if isinstance(node, yaml.ScalarNode) else "this"
    return f"{written!r} is not one of {listing(known)}", did_you_mean(str(written), known, f"write {listing(known)}")


def _union(kind: str, context: Context) -> Words:
    key = str(context.get("discriminator", "")).strip("'")
    if kind == "union_tag_not_found":
        return f"missing key {key!r}", f"add `{key}: …`, it says what this is"
    known = re.findall(r"'([^']*)'", str(context.get("expected_tags", "")))
    tag = str(context.get("tag", ""))
    return f"{key} {tag!r} is not known", did_you_mean(tag, known, f"known are {listing(known)}")
