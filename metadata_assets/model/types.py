"""Column types as values: Hive, Spark and Trino type text in, one form out.

Reading a type never fails: a part that cannot be read is an `UnknownType` that keeps its text and says why, so that one
odd column costs neither its table nor its neighbours.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from metadata_assets.model.data_type import (
    ArrayType,
    DataType,
    MapType,
    PrimitiveType,
    StructField,
    StructType,
    UnionType,
    UnknownType,
)

__all__ = [
    "ArrayType", "DataType", "MapType", "PrimitiveType", "StructField", "StructType", "UnionType", "UnknownType",
    "nested_paths", "parse_type", "quote_part", "to_text", "unknown_parts",
]  # fmt: skip

MAX_DEPTH = 100  # a reader of foreign text must not depend on how much stack its caller has left


_SYNONYMS = {
    "integer": "int", "long": "bigint", "short": "smallint", "byte": "tinyint", "real": "float", "dec": "decimal",
    "numeric": "decimal", "double precision": "double", "character": "char", "character varying": "varchar",
    "bool": "boolean", "null": "void", "timestamp_ltz": "timestamp with local time zone",
    "timestamp without time zone": "timestamp_ntz",
}  # fmt: skip
_NAMES = frozenset({
    "tinyint", "smallint", "int", "bigint", "float", "double", "decimal", "string", "varchar", "char", "binary",
    "varbinary", "boolean", "date", "time", "timestamp", "void", "unknown", "interval", "json", "uuid", "ipaddress",
    "variant", "timestamp_ntz", "timestamp with time zone", "timestamp with local time zone", "time with time zone",
    "time without time zone", "interval_year_month", "interval_day_time", "hyperloglog", "geometry", "geography",
    "object", "number", "tdigest", "qdigest", "p4hyperloglog", "color", "sphericalgeography", "bingtile",
})  # fmt: skip
_UNIT = "(year|month|day|hour|minute|second)"
_INTERVAL = re.compile(rf"interval {_UNIT}( to {_UNIT})?")
# These continue the name of a type and begin none: after them a field of a Trino row has no name of its own.
_CONTINUATIONS = frozenset(
    {"with", "without", "precision", "varying", "year", "month", "day", "hour", "minute", "second"}
)
_TOKEN = re.compile(
    r"""\s*(
        `(?:[^`]|``)*` | "(?:[^"]|"")*" | '(?:[^'\\]|\\.|'')*'   # quoted names and comments
        | [<>(),:] | [^\s<>(),:`"'][^\s<>(),:]* | \S              # a lone quote mark is a word of its own
    )""",
    re.DOTALL | re.VERBOSE,
)
_CLOSING = {"<": ">", "(": ")"}
_PUNCTUATION = frozenset("<>(),:")
_FIELD_ENDS = frozenset("<>,")


@lru_cache(maxsize=10_000)  # a warehouse has far fewer types than columns
def parse_type(text: str) -> DataType:
    """Read a type. What cannot be read, in whole or in one leaf, becomes an `UnknownType`."""
    try:
        return _Reader(text).read_all()
    except _Unreadable as error:
        return UnknownType(text, str(error))


def to_text(data_type: DataType) -> str:
    """The type as Hive writes it, in lower case; an unknown one as it was found."""
    match data_type:
        case PrimitiveType(name, parameters):
            return name + (f"({','.join(map(str, parameters))})" if parameters else "")
        case ArrayType(element):
            return f"array<{to_text(element)}>"
        case MapType(key, value):
            return f"map<{to_text(key)},{to_text(value)}>"
        case StructType(fields):
            return f"struct<{','.join(_field_text(field) for field in fields)}>"
        case UnionType(alternatives):
            return f"uniontype<{','.join(map(to_text, alternatives))}>"
        case UnknownType(text):
            return text


def nested_paths(column: str, data_type: DataType) -> tuple[tuple[str, DataType], ...]:
    """Every place below a column that can have a description of its own, outermost first.

    A field is `address.street`, in an array of structs `items[].price`, in a map of structs `attrs{}.price`. The value
    of a map that is no struct is `attrs{}.value`. The column itself is not among them.
    """
    return tuple(_below(column, data_type))


def unknown_parts(data_type: DataType) -> Iterator[UnknownType]:
    """What could not be read in a type: nothing, the whole, or some of its leaves."""
    match data_type:
        case UnknownType():
            yield data_type
        case StructType(fields):
            for field in fields:
                yield from unknown_parts(field.type)
        case UnionType(alternatives):
            for alternative in alternatives:
                yield from unknown_parts(alternative)
        case ArrayType(element):
            yield from unknown_parts(element)
        case MapType(key, value):
            yield from unknown_parts(key)
            yield from unknown_parts(value)


def _below(path: str, data_type: DataType) -> Iterator[tuple[str, DataType]]:
    match data_type:
        case StructType(fields):
            for field in fields:
                inner = f"{path}.{quote_part(field.name)}"
                yield inner, field.type
                yield from _below(inner, field.type)
        case ArrayType(element):
            yield from _below(f"{path}[]", element)
        case MapType(_, StructType() as value):
            yield from _below(path + "{}", value)
        case MapType(_, value):
            yield path + "{}.value", value
            yield from _below(path + "{}.value", value)


def quote_part(name: str) -> str:
    """A field name as part of a path: in backticks when it holds a character that paths are made of."""
    return "`" + name.replace("`", "``") + "`" if re.search(r"[.\[\]{}`]", name) else name


def _field_text(field: StructField) -> str:
    plain = re.fullmatch(r"\w+", field.name)
    name = field.name if plain else "`" + field.name.replace("`", "``") + "`"
    if field.comment is None:
        return f"{name}:{to_text(field.type)}"
    comment = field.comment.replace("\\", "\\\\").replace("'", "\\'")
    return f"{name}:{to_text(field.type)} COMMENT '{comment}'"


class _Unreadable(Exception):
    """The text is no type; caught by `parse_type` and nowhere else."""


class _Reader:
    """Recursive descent over the tokens of one type text."""

    def __init__(self, text: str) -> None:
        self.text = text
        found = list(_TOKEN.finditer(text))
        self.tokens = [m[1] for m in found]
        self.spans = [m.span(1) for m in found]
        self.at = 0
        self.depth = 0

    def read_all(self) -> DataType:
        if not self.tokens:
            raise _Unreadable("empty type")
        data_type = self.read_type()
        if self.peek():
            raise _Unreadable(f"unexpected {self.peek()!r} after the type")
        return data_type

    def read_type(self) -> DataType:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _Unreadable(f"nested deeper than {MAX_DEPTH} levels")
        word, bracket = self.peek().lower(), self.peek(1)
        if bracket in _CLOSING and word in ("array", "map", "struct", "row", "uniontype"):
            self.at += 2
            data_type = self.read_container(word, _CLOSING[bracket])
        else:
            data_type = self.read_primitive()
        self.depth -= 1
        return data_type

    def read_container(self, word: str, closing: str) -> DataType:
        if word in ("struct", "row"):
            return StructType(tuple(self.read_fields(closing)))
        inner = [self.read_type()]
        while self.peek() == ",":
            self.at += 1
            inner.append(self.read_type())
        self.expect(closing)
        if word == "uniontype":
            return UnionType(tuple(inner))
        if len(inner) != (2 if word == "map" else 1):
            raise _Unreadable(f"{word} with {len(inner)} types inside")
        return MapType(inner[0], inner[1]) if word == "map" else ArrayType(inner[0])

    def read_fields(self, closing: str) -> Iterator[StructField]:
        if self.peek() != closing:
            yield self.read_field(0)
            position = 1
            while self.peek() == ",":
                self.at += 1
                yield self.read_field(position)
                position += 1
        self.expect(closing)

    def read_field(self, position: int) -> StructField:
        name = self.read_name()
        if name is None:
            name = f"field{position}"  # Trino's own name for a field without one
        data_type = self.read_type()
        if [t.lower() for t in self.tokens[self.at : self.at + 2]] == ["not", "null"]:
            self.at += 2
        comment = None
        if self.peek().lower() == "comment" and self.peek(1)[:1] in ("'", '"'):
            comment = _unquote(self.peek(1))
            self.at += 2
        return StructField(name, data_type, comment)

    def read_name(self) -> str | None:
        """The name of a field: quoted, or all up to the colon (Hive writes names with spaces bare), or one word."""
        token = self.peek()
        if token[:1] in ("`", '"') and len(token) > 1:
            self.at += 2 if self.peek(1) == ":" else 1
            return _unquote(token)
        colon = self.find_colon()
        if colon > self.at:
            name = self.text[self.spans[self.at][0] : self.spans[colon - 1][1]]
            self.at = colon + 1
            return name
        following = self.peek(1)
        if not following or following in _PUNCTUATION or following.lower() in _CONTINUATIONS:
            return None
        self.at += 1
        return token

    def find_colon(self) -> int:
        """Index of the colon that ends the name of this field, 0 when it has none."""
        for index in range(self.at, len(self.tokens)):
            if self.tokens[index] == ":":
                return index
            if self.tokens[index] in _FIELD_ENDS:
                return 0
        return 0

    def read_primitive(self) -> DataType:
        start, words, parameters = self.at, [], list[int]()
        readable = True
        while self.peek() not in ("", ",", ">", ")", "<", ":") and not self.at_field_end():
            if self.peek() == "(":
                numbers = self.read_parameters()
                readable = readable and numbers is not None
                parameters += numbers or []
            else:
                words.append(self.peek().lower())
                self.at += 1
        if start == self.at:
            raise _Unreadable(f"a type is missing before {self.peek() or 'the end'!r}")
        raw = self.text[self.spans[start][0] : self.spans[self.at - 1][1]]
        name = _to_name(words)
        if name is None or not readable:
            return UnknownType(raw, "no such type" if name is None else "parameters are not numbers")
        return PrimitiveType(name, tuple(parameters))

    def read_parameters(self) -> list[int] | None:
        """`(16, 4)` as numbers, None when there is something else in the parentheses."""
        self.at += 1
        start = self.at
        while self.peek() not in ("", ")"):
            self.at += 1
        inner = self.tokens[start : self.at]
        self.expect(")")
        numbers, commas = inner[::2], inner[1::2]
        good = len(inner) % 2 == 1 and all(re.fullmatch(r"-?[0-9]{1,9}", n) for n in numbers) and set(commas) <= {","}
        return [int(n) for n in numbers] if good else None

    def at_field_end(self) -> bool:
        word, following = self.peek().lower(), self.peek(1)
        return (word == "comment" and following[:1] in ("'", '"')) or (word == "not" and following.lower() == "null")

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def expect(self, token: str) -> None:
        if self.peek() != token:
            raise _Unreadable(f"expected {token!r}, found {self.peek() or 'the end'!r}")
        self.at += 1


def _to_name(words: list[str]) -> str | None:
    """The one name of a primitive type, None when there is no such type."""
    if "collate" in words:  # Spark 4: how strings compare is no part of the type here
        words = words[: words.index("collate")]
    name = " ".join(words)
    name = _SYNONYMS.get(name, name)
    return name if name in _NAMES or _INTERVAL.fullmatch(name) else None


def _unquote(token: str) -> str:
    quote, body = token[0], token[1:-1]
    if quote == "'":
        return re.sub(r"\\(.)|'(')", lambda m: m[1] or m[2], body, flags=re.S)
    return body.replace(quote * 2, quote)
