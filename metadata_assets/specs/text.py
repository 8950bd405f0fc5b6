"""Bytes to text: encodings, characters that YAML forbids, and the borders between documents."""

import bisect
import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

from metadata_assets.specs.finding import Place, SpecFinding

_LINE_END = re.compile(r"\r\n|\r|\n")
# `---` at the start of a line ends a document even inside quotes and block texts, so cutting there is always right.
# Directives belong to the document that they stand above.
_DOCUMENT = re.compile(r"^(?:%[^\n]*\n)*---(?=[ \t\r\n]|\Z)", re.MULTILINE)
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one file may ask for before it is refused."""

    file_bytes: int = 5_000_000
    nodes: int = 1_000_000  # values in a file, aliases expanded
    depth: int = 50
    aliases: int = 1_000  # uses of `*name` in a document


class SourceText:
    """The text of a file, which knows the line and column of every offset."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self._starts = [0, *(end.end() for end in _LINE_END.finditer(text))]

    def place(self, offset: int) -> Place:
        line = bisect.bisect_right(self._starts, offset)
        return Place(self.file, line, offset - self._starts[line - 1] + 1)

    def indentation(self, offset: int) -> tuple[int, str]:
        """Where the line of this offset starts, and the blanks that it starts with."""
        start = self._starts[bisect.bisect_right(self._starts, offset) - 1]
        blanks = re.compile(r"[ \t]*").match(self.text, start)
        return start, blanks.group() if blanks else ""

    def cut(self) -> Iterator[tuple[int, str]]:
        """The offset and the text of each document, so that a broken one never takes the next with it."""
        starts = [match.start() for match in _DOCUMENT.finditer(self.text)]
        if not starts or starts[0] > 0:
            starts.insert(0, 0)
        for start, end in zip(starts, [*starts[1:], len(self.text)], strict=True):
            yield start, self.text[start:end]


def parse_bytes(content: bytes, file: str, limits: Limits) -> SourceText | SpecFinding:
    """The text of a file, or the reason why it has none."""
    if len(content) > limits.file_bytes:
        message = f"the file has {len(content):,} bytes, more than the {limits.file_bytes:,} that are read"
        return SpecFinding.at(Place(file, 1, 1), message, "split it by database or by kind")
    for mark, encoding in _WIDE_MARKS:
        if content.startswith(mark):
            return SpecFinding.at(Place(file, 1, 1), f"the file is {encoding}, not UTF-8", "save it as UTF-8")
    body = content.removeprefix(codecs.BOM_UTF8)
    try:
        return SourceText(file, body.decode("utf-8"))
    except UnicodeDecodeError as error:
        place = _place_of_byte(body, error.start, file)
        offset = error.start + len(content) - len(body)
        message = f"byte 0x{body[error.start]:02x} at offset {offset} is not UTF-8"
        return SpecFinding.at(place, message, "save the file as UTF-8; it may be Latin-1 or Windows-1252")


def _place_of_byte(body: bytes, offset: int, file: str) -> Place:
    good = body[:offset].decode("utf-8")
    return SourceText(file, good).place(len(good))


def forbidden_character(text: SourceText, start: int, document: str) -> SpecFinding | None:
    """The first character of a document that YAML does not allow."""
    found = _FORBIDDEN.search(document)
    if found is None:
        return None
    code = ord(found.group())
    name = "a NUL character" if code == 0 else f"the control character U+{code:04X}"
    place = text.place(start + found.start())
    return SpecFinding.at(place, f"{name} is not allowed in YAML", f'delete it, or write "\\x{code:02x}" in quotes')
