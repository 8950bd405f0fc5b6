"""Forms of Hive that the parser does not read, written as ones that it does. The parser itself stays untouched."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from metadata_assets.lineage.cursor import Cursor, name_parts, split_group
from metadata_assets.lineage.lexer import Token, significant
from metadata_assets.lineage.table_functions import spans_around_sources
from metadata_assets.lineage.words import CLAUSES, word_set
from metadata_assets.lineage.writes import read_from_first

# The function that stands for a program that rows are piped through.
SCRIPT_FUNCTION = "piped_through_script"
# Without any of these words there is nothing to look for.
_FIXABLE = re.compile(
    r"(?i)\A\s*(?:from|table)\b|\b(?:lateral\s+view|transform|map|reduce|first_value|last_value|first|last|any_value"
    r"|cluster|trunc|timestamplocaltz|(?:year|day|hour|minute)\s+to)\b|\(\s*on\b|stream\b"
)
_SCHEMA_EVOLUTION = re.compile(r"(?i)\A(merge)\s+with\s+schema\s+evolution\b")
_SCRIPT_WORDS = ("TRANSFORM", "MAP", "REDUCE")
_ROW_PICKERS = ("FIRST_VALUE", "LAST_VALUE", "FIRST", "LAST", "ANY_VALUE")
_AFTER_LATERAL = CLAUSES | word_set(
    "AS JOIN LEFT RIGHT FULL INNER CROSS SEMI ANTI ON INSERT SELECT PIVOT UNPIVOT TABLESAMPLE"
)


_AFTER_OUTPUT = CLAUSES | word_set(", ) FROM AS ROW RECORDWRITER RECORDREADER")
_INTERVAL_UNITS = word_set("YEAR MONTH DAY HOUR MINUTE SECOND")


class _Edit(NamedTuple):
    start: int
    end: int
    text: str


def fix_query(text: str, dialect: str) -> str:
    """The query, with every form that we know to fail replaced by one of the same lineage."""
    if _FIXABLE.search(text) is None:
        return text
    tokens = significant(text, dialect)
    if tokens and tokens[0].upper == "TABLE":
        return "SELECT * FROM " + text[tokens[0].end :]
    edits = [_Edit(start, end, " ") for start, end in spans_around_sources(tokens)]
    edits += [*_lateral_views(text, tokens), *_scripts(text, tokens), *_skip_nulls(tokens), *_old_words(tokens)]
    if edits:
        text = _applied(text, edits)
        tokens = significant(text, dialect)
    return read_from_first(text, tokens)


def fix_merge(text: str) -> str:
    """MERGE without what only says that new columns may come."""
    return _SCHEMA_EVOLUTION.sub(r"\1", text)


def _applied(text: str, edits: Sequence[_Edit]) -> str:
    parts = []
    at = 0
    for edit in sorted(edits):
        if edit.start >= at:
            parts += [text[at : edit.start], edit.text]
            at = edit.end
    return "".join([*parts, text[at:]])


def _lateral_views(text: str, tokens: Sequence[Token]) -> Iterator[_Edit]:
    """`LATERAL VIEW explode(m) t a, b` lacks the AS before its columns."""
    cursor = Cursor(text, tokens)
    while not cursor.at_end:
        if not cursor.accept("LATERAL", "VIEW"):
            cursor.at += 1
            continue
        cursor.accept("OUTER")
        cursor.take_name()
        if cursor.word() != "(":
            continue
        cursor.skip_one()
        alias, column = cursor.peek(), cursor.peek(1)
        if _is_name(alias) and _is_name(column) and column is not None:
            yield _Edit(column.start, column.start, "AS ")


def _skip_nulls(tokens: Sequence[Token]) -> Iterator[_Edit]:
    """The second argument of `first_value(x, true)` says only whether nulls count."""
    for index, token in enumerate(tokens):
        if token.upper in _ROW_PICKERS and index + 1 < len(tokens) and tokens[index + 1].upper == "(":
            group = Cursor("", tokens[index + 1 :]).take_group()
            if [t.upper for t in group[-2:]] in ([",", "TRUE"], [",", "FALSE"]):
                yield _Edit(group[-2].start, group[-1].end, "")


def _old_words(tokens: Sequence[Token]) -> Iterator[_Edit]:
    """CLUSTER BY in a window, the type TIMESTAMPLOCALTZ, `trunc(x)` of a number, bare intervals, streams."""
    for index, token in enumerate(tokens):
        before = tokens[index - 1].upper if index else ""
        if token.upper == "TIMESTAMPLOCALTZ":
            yield _Edit(token.start, token.end, "TIMESTAMP")
        elif token.kind == "string" and before != "INTERVAL" and _is_interval(tokens, index):
            yield _Edit(token.start, token.start, "INTERVAL ")
        elif token.upper == "STREAM" and before in ("FROM", "JOIN", ","):
            yield from _streamed(tokens, index)
        elif token.upper == "CLUSTER" and before == "(":
            yield _Edit(token.start, token.end, "PARTITION")
        elif token.upper == "TRUNC" and len(split_group(Cursor("", tokens[index + 1 :]).take_group())) == 1:
            yield _Edit(token.start, token.end, "floor")


def _streamed(tokens: Sequence[Token], index: int) -> Iterator[_Edit]:
    """`STREAM(t)`, and `STREAM t`, is the table t."""
    cursor = Cursor("", tokens)
    cursor.at = index + 1
    if cursor.word() != "(":
        if _is_name(cursor.peek()):
            yield _Edit(tokens[index].start, tokens[index].end, "")
        return
    yield _Edit(tokens[index].start, tokens[index + 1].end, "")
    cursor.skip_one()
    yield _Edit(tokens[cursor.at - 1].start, tokens[cursor.at - 1].end, "")


def _is_interval(tokens: Sequence[Token], index: int) -> bool:
    """`'1 2:3:4' DAY TO SECOND` stands for an interval in Hive without the word too."""
    words = [token.upper for token in tokens[index + 1 : index + 4]]
    return len(words) == 3 and words[1] == "TO" and {words[0], words[2]} <= _INTERVAL_UNITS


def _is_name(token: Token | None) -> bool:
    return token is not None and token.kind in ("word", "name") and token.upper not in _AFTER_LATERAL


def _scripts(text: str, tokens: Sequence[Token]) -> Iterator[_Edit]:
    """TRANSFORM, MAP and REDUCE become one function call for each of their columns, over all that goes in."""
    cursor = Cursor(text, tokens)
    while not cursor.at_end:
        start = cursor.peek()
        word = cursor.accept_one(_SCRIPT_WORDS)
        if not word or start is None:
            cursor.at += 1
            continue
        read = _read_script(cursor)
        if read is None:
            continue
        inputs, outputs, end = read
        select = "" if _follows_select(tokens, start) else "SELECT "
        calls = ", ".join(f"{SCRIPT_FUNCTION}({inputs}) AS `{name}`" for name in outputs)
        yield _Edit(start.start, end, select + calls)


def _follows_select(tokens: Sequence[Token], start: Token) -> bool:
    index = next(i for i, token in enumerate(tokens) if token.start == start.start)
    return index > 0 and tokens[index - 1].upper in ("SELECT", "DISTINCT", "ALL")


def _read_script(cursor: Cursor) -> tuple[str, list[str], int] | None:
    """What goes in, the columns that come out and where it ends; None when it is no such clause."""
    first = cursor.at
    while not cursor.at_end and cursor.word() not in ("USING", ")"):
        cursor.skip_one()
    if cursor.at == first or cursor.word() != "USING":
        cursor.at = first
        return None
    inputs = _inputs(cursor, first)
    cursor.at += 1
    cursor.skip_one()
    _skip_format(cursor)
    outputs = ["key", "value"]  # Hive's own names
    if cursor.accept("AS"):
        outputs = [name_parts(item[0])[0] for item in _outputs(cursor)]
    _skip_format(cursor)
    last = cursor.peek(-1)
    return inputs, outputs, last.end if last is not None else len(cursor.text)


def _inputs(cursor: Cursor, first: int) -> str:
    """The expressions before USING, without parentheses around all and without ROW FORMAT."""
    taken = list(cursor.tokens[first : cursor.at])
    if taken[0].upper == "(":
        inner = Cursor(cursor.text, taken)
        group = inner.take_group()
        taken = group or taken
    rows = [i for i, token in enumerate(taken) if token.upper == "ROW"]
    taken = taken[: rows[0]] if rows and rows[0] > 0 else taken
    return cursor.text[taken[0].start : taken[-1].end]


def _outputs(cursor: Cursor) -> list[list[Token]]:
    if cursor.word() == "(":
        return split_group(cursor.take_group())
    items: list[list[Token]] = []
    while (token := cursor.peek()) is not None and token.kind in ("word", "name"):
        items.append([token])
        cursor.at += 1
        _skip_type(cursor)
        if not cursor.accept(","):
            break
    return items


def _skip_type(cursor: Cursor) -> None:
    depth = 0
    while not cursor.at_end and (depth > 0 or cursor.word() not in _AFTER_OUTPUT):
        depth += (cursor.word() == "<") - (cursor.word() == ">")
        cursor.skip_one()


def _skip_format(cursor: Cursor) -> None:
    """ROW FORMAT … RECORDWRITER … RECORDREADER …: how rows get to the program and back."""
    while cursor.word() in ("ROW", "RECORDWRITER", "RECORDREADER"):
        cursor.at += 1
        while not cursor.at_end and cursor.word() not in (*_AFTER_OUTPUT, "USING", "RECORDWRITER", "RECORDREADER"):
            cursor.skip_one()
            if cursor.word() == "AS" and cursor.word(-1) == "DEFINED":  # NULL DEFINED AS ''
                cursor.at += 1
