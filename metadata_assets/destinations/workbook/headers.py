"""Which column of a tab is which: by a mark that travels with the header cell, whatever people call it.

The mark is in the number format of the header, which says nothing about a text: it stays when people rename, move or
format the column by hand, in Excel as in LibreOffice. Files that have no marks yet are read by the names alone.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

_BEFORE, _AFTER = '"catalog: ', '";;;@'


class HeaderCell(Protocol):
    """What cells of read-only and of writable sheets have in common."""

    @property
    def value(self) -> object: ...


def to_mark(name: str) -> str:
    """The number format of the header of one of our columns."""
    return f"{_BEFORE}{name}{_AFTER}"


def parse_mark(number_format: object) -> str | None:
    """The name in a mark; None for any other format. Programs may write sections of a format in their own way."""
    text = str(number_format or "")
    name, quote, _ = text.removeprefix(_BEFORE).partition('"')
    return name if text.startswith(_BEFORE) and quote else None


def find_columns(line: Iterable[HeaderCell], ours: Collection[str]) -> Mapping[str, int]:
    """Name → number of its column from 1: all that the line names, and those of `ours` that people renamed.

    A column with its own name comes before one that merely has the mark: of a column that people copied and renamed,
    the other is theirs. One that has the mark of another column of ours is never taken for what people call it.
    """
    by_name: dict[str, int] = {}
    by_mark: dict[str, int] = {}
    for number, cell in enumerate(line, 1):
        if cell.value is None:
            continue
        name, mark = str(cell.value), parse_mark(getattr(cell, "number_format", None))
        if mark in ours and name != mark:
            by_mark.setdefault(str(mark), number)
        if mark == name or mark not in ours or name not in ours:
            by_name.setdefault(name, number)
    return {**by_name, **{name: number for name, number in by_mark.items() if name not in by_name}}
