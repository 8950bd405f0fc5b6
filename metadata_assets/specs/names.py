"""The names that specs are written with: tables, columns with nested paths, tags and patterns over them."""

import re
from collections.abc import Callable
from typing import Annotated, TypeVar

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema
from pydantic_core import PydanticKnownError

from metadata_assets.model.lineage import ColumnRef
from metadata_assets.model.pattern import NamePattern
from metadata_assets.model.table import TableName
from metadata_assets.specs.entry import refusal

T = TypeVar("T")
_SEGMENT = r"[^.\[\]{}`*?\x00-\x1f\s](?:[^.\[\]{}`*?\x00-\x1f]*[^.\[\]{}`*?\x00-\x1f\s])?"
_PART = rf"(?:{_SEGMENT}|`(?:[^`\x00-\x1f]|``)+`)(?:\[\]|\{{\}})*"  # backticks around odd names, as in model.types
_PATH = rf"{_PART}(?:\.{_PART})*"
_COLUMN = re.compile(_PATH)
_TABLE_PART = re.compile(r"[^.\[\]{}`*?\x00-\x1f\s]+")
_TAG = re.compile(r"[A-Za-z][A-Za-z0-9_ .-]*")
_PATTERN_PART = re.compile(r"[^.`\x00-\x1f\s]+")
_NESTED_HINT = "write nested fields as address.street, items[].price or attrs{}.value"


def normal_column(text: str) -> str:
    """A column path in lower case.

    Raises:
        ValueError: it is not a column name or nested path.
    """
    name = text.strip().lower()
    if not _COLUMN.fullmatch(name):
        raise ValueError(f"{text!r} is not a column name; {_NESTED_HINT}")
    return name


def _to_table(text: str) -> TableName:
    try:
        name = TableName.parse(text)
    except ValueError:
        raise refusal(f"{text!r} is not a table name", "write database.table") from None
    if not _TABLE_PART.fullmatch(name.database) or not _TABLE_PART.fullmatch(name.table):
        hint = "patterns stand in `rules` of kind tags only" if "*" in text or "?" in text else "write database.table"
        raise refusal(f"{text!r} is not a table name", hint)
    return name


def _to_column(text: str) -> str:
    try:
        return normal_column(text)
    except ValueError:
        raise refusal(f"{text!r} is not a column name", _NESTED_HINT) from None


def _to_column_ref(text: str) -> ColumnRef:
    try:
        ref = ColumnRef.parse(text)
    except ValueError:
        raise refusal(f"{text!r} names no column", "write database.table.column") from None
    return ColumnRef(_to_table(str(ref.table)), _to_column(ref.column))


def _to_pattern(text: str) -> NamePattern:
    parts = text.strip().split(".", 2)
    if len(parts) < 2 or not all(_PATTERN_PART.fullmatch(part) for part in parts[:2]) or "" in parts:
        raise refusal(f"{text!r} is not a pattern", "two parts name tables (raw.*), three name columns (raw.*.email)")
    return NamePattern.parse(text)


def _to_tag(text: str) -> str:
    name = text.strip()
    if not _TAG.fullmatch(name):
        hint = "a tag starts with a letter and goes on with letters, digits, '_', '-', '.' and blanks"
        raise refusal(f"{text!r} is not a tag name", hint)
    return name


def _to_name(text: str) -> str:
    name = text.strip()
    if not name or any(ord(char) < 32 for char in name):
        raise refusal(f"{text!r} is not a name", "write a name of one line")
    return name


def _validator(parse: Callable[[str], T], kind: type) -> PlainValidator:
    def validate(value: object) -> object:
        if isinstance(value, str):
            return parse(value)
        if isinstance(value, kind):
            return value
        raise PydanticKnownError("string_type")

    return PlainValidator(validate)


def _schema(pattern: str, examples: list[str]) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "pattern": pattern} | ({"examples": examples} if examples else {}))


_NAME_PART = r"[^.\[\]{}`*?\s]+"
_AS_TEXT = PlainSerializer(str, return_type=str)

Table = Annotated[
    TableName,
    _validator(_to_table, TableName),
    _AS_TEXT,
    _schema(rf"^\s*{_NAME_PART}\.{_NAME_PART}\s*$", ["clean.user_clean"]),
]
Column = Annotated[str, _validator(_to_column, str), _schema(r"^[^*?]+$", ["cpf", "address.street", "items[].price"])]
QualifiedColumn = Annotated[
    ColumnRef,
    _validator(_to_column_ref, ColumnRef),
    _AS_TEXT,
    _schema(rf"^\s*{_NAME_PART}\.{_NAME_PART}\.[^*?]+$", ["raw.users.cpf"]),
]
Pattern = Annotated[
    NamePattern,
    _validator(_to_pattern, NamePattern),
    _AS_TEXT,
    _schema(r"^\s*[^.`\s]+\.[^.`\s]+(\.[^`]+)?$", ["raw.*", "raw.*.email"]),
]
Tag = Annotated[str, _validator(_to_tag, str), _schema(r"^\s*[A-Za-z][A-Za-z0-9_ .-]*$", ["tier_1", "PII_EMAIL"])]
Name = Annotated[str, _validator(_to_name, str), _schema(r"\S", [])]
