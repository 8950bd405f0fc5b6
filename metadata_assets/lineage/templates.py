"""Templates that nobody renders: dbt's and Airflow's blocks and calls, read for what they stand for."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from metadata_assets.lineage.lexer import Token, quoted, significant
from metadata_assets.lineage.split import Piece
from metadata_assets.lineage.tables import NO_DATABASE

NOTE = "its template is not rendered: the first branch of each `if` is read, the body of each `for` once"
_BLOCK = re.compile(r"\{%[-+]?\s*(?P<word>\w+)(?P<rest>.*?)[-+]?%\}", re.DOTALL)
# dbt's names of tables; of a model only its own name is known, the project decides about the database.
_TABLE_CALL = re.compile(
    r"""\{\{-?\s*(?P<call>ref|source)\(\s*['"](?P<first>[^'"]+)['"]\s*(?:,\s*['"](?P<second>[^'"]+)['"]\s*)?\)\s*-?\}\}"""
)
_UNSEEN_BODIES = frozenset({"macro", "call", "filter", "test", "snapshot", "docs"})


def has_blocks(tokens: Sequence[Token]) -> bool:
    """Whether a template decides what is run."""
    return any(token.kind == "template" and token.text.startswith("{%") for token in tokens)


def untemplated(piece: Piece, dialect: str) -> Piece:
    """The statement with a name for each table that a template stands for, and one branch of each block.

    Calls that stand before it leave no text, such as dbt's `config`.
    """
    if not any(token.kind == "template" for token in piece.tokens):
        return piece
    text = _name_tables(_stub_blocks(*piece.cleaned()), dialect)
    calls = takewhile(lambda t: t.kind == "template", significant(text, dialect))
    text = text[max((call.end for call in calls), default=0) :]
    return replace(piece, text=text, start=0, tokens=tuple(significant(text, dialect)), has_comments=False)


def _name_tables(text: str, dialect: str) -> str:
    """The text with a name in place of each call that stands for a table."""

    def named(call: re.Match[str]) -> str:
        first, second = call["first"], call["second"]
        if call["call"] == "source" and second:
            return f"{quoted(first, dialect)}.{quoted(second, dialect)}"
        return f"{quoted(NO_DATABASE, dialect)}.{quoted(second or first, dialect)}"

    return _TABLE_CALL.sub(named, text)


def _stub_blocks(text: str, tokens: Sequence[Token]) -> str:
    """The text without its blocks, and with one branch of each."""
    parts: list[str] = []
    shown = [True]  # whether the text is, within each block that is open
    at = 0
    for token in tokens:
        block = _BLOCK.fullmatch(token.text) if token.kind == "template" else None
        if block is None:
            continue
        if all(shown):
            parts.append(text[at : token.start])
        at = token.end
        _step(shown, block["word"], block["rest"])
    if all(shown):
        parts.append(text[at:])
    return " ".join(parts)


def _step(shown: list[bool], word: str, rest: str) -> None:
    if word in ("if", "for"):
        shown.append(True)
    elif word in _UNSEEN_BODIES or (word == "set" and "=" not in rest):
        shown.append(False)
    elif word in ("elif", "else") and len(shown) > 1:  # of a block that began in an earlier statement all is read
        shown[-1] = False
    elif word.startswith("end") and len(shown) > 1:
        shown.pop()
