"""Hive's functions over tables, `noop(ON t PARTITION BY a ORDER BY b)`, written as the table that they are called on.

They partition and sort it; the columns that come out are called as those that go in, but for those of `matchpath`.
"""

from collections.abc import Iterator, Sequence

from metadata_assets.lineage.cursor import Cursor
from metadata_assets.lineage.lexer import Token
from metadata_assets.lineage.words import word_set

_BEHIND_SOURCE = word_set("PARTITION DISTRIBUTE ORDER SORT CLUSTER ) ,")

Span = tuple[int, int]


def spans_around_sources(tokens: Sequence[Token]) -> Iterator[Span]:
    """What to take out of the text, so that of each such call its table or query is left."""
    cursor = Cursor("", tokens)
    while not cursor.at_end:
        if _opens(cursor):
            yield from _around(cursor)
        cursor.at += 1


def _opens(cursor: Cursor) -> bool:
    name = cursor.peek()
    if name is None or name.kind not in ("word", "name"):
        return False
    return (cursor.word(1), cursor.word(2)) == ("(", "ON") and cursor.word(-1) in ("FROM", "JOIN", ",", "ON", "")


def _around(cursor: Cursor) -> Iterator[Span]:
    """The call of a function up to its table, and what is behind that, with the parenthesis that closes it."""
    inner = Cursor("", cursor.tokens)
    inner.at = cursor.at + 1
    inner.skip_one()
    closing = inner.at - 1
    source = Cursor("", cursor.tokens)
    source.at = cursor.at + 3
    name = cursor.peek()
    assert name is not None
    yield name.start, cursor.tokens[source.at - 1].end
    if _opens(source):  # one within the other: what is behind the inner one is taken out by both
        source.at += 1
    source.skip_one()
    while source.word() == ".":
        source.at += 2
    end = source.at
    while end < closing and cursor.tokens[end].upper not in _BEHIND_SOURCE:
        end += 1
    outer = cursor.tokens[closing + 1] if closing + 1 < len(cursor.tokens) else None
    keeps_alias = outer is None or outer.kind not in ("word", "name")
    start = end if keeps_alias else source.at
    yield cursor.tokens[start].start, cursor.tokens[closing].end
