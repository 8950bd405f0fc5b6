"""Tokens of a SQL text, cut so that quotes, comments, variables and template blocks are never mistaken for code."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

TokenKind = Literal["space", "comment", "string", "name", "word", "variable", "template", "sign"]

_BACKSLASH_DIALECTS = frozenset({"hive", "spark", "spark2", "databricks"})
_COMMON = r"""
    (?P<space>\s+)
  | (?P<comment>--[^\n]*)
  | (?P<block>/\*)
  | (?P<variable>\$\{[^{}]*\})
  | (?P<template>\{\{.*?\}\}|\{%.*?%\}|\{\#.*?\#\})
"""
_WITH_BACKSLASHES = r"""
  | (?P<string>'(?:[^'\\]++|\\.)*+(?:'|\\?\Z)|"(?:[^"\\]++|\\.)*+(?:"|\\?\Z))
  | (?P<name>`[^`]*(?:`|\Z))
"""
_STANDARD = r"""
  | (?P<string>'[^']*(?:'|\Z))
  | (?P<name>`[^`]*(?:`|\Z)|"[^"]*(?:"|\Z))
"""
_REST = r"""
  | (?P<word>\w+)
  | (?P<sign>.)
"""
_FLAGS = re.VERBOSE | re.DOTALL
_PATTERNS = {
    True: re.compile(_COMMON + _WITH_BACKSLASHES + _REST, _FLAGS),
    False: re.compile(_COMMON + _STANDARD + _REST, _FLAGS),
}
_COMMENT_EDGE = re.compile(r"/\*|\*/")


class Token(NamedTuple):
    """A piece of the text; all tokens of a text joined are the text."""

    kind: TokenKind
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def upper(self) -> str:
        """The word in upper case, or the sign; empty for everything quoted."""
        return self.text.upper() if self.kind in ("word", "sign") else ""

    @property
    def counts(self) -> bool:
        """Whether it is more than space between others."""
        return self.kind not in ("space", "comment")


def read_token(text: str, at: int, dialect: str) -> Token:
    """The token that starts at `at`, which lies within the text. What is never closed lasts until the end."""
    found = _PATTERNS[dialect in _BACKSLASH_DIALECTS].match(text, at)
    if found is None or found.lastgroup is None:
        raise AssertionError("a sign matches every character")
    if found.lastgroup == "block":
        return Token("comment", text[at : _comment_end(text, at)], at)
    kind: TokenKind = found.lastgroup  # type: ignore[assignment]  # the groups are named after the kinds
    return Token(kind, found[0], at)


def tokenize(text: str, dialect: str) -> Iterator[Token]:
    at = 0
    while at < len(text):
        token = read_token(text, at, dialect)
        yield token
        at = token.end


def significant(text: str, dialect: str) -> list[Token]:
    """The tokens without space and comments."""
    return [token for token in tokenize(text, dialect) if token.counts]


def without_comments(text: str, dialect: str) -> str:
    """The text with a blank in place of each comment."""
    if "--" not in text and "/*" not in text:
        return text
    return "".join(" " if token.kind == "comment" else token.text for token in tokenize(text, dialect))


def _comment_end(text: str, start: int) -> int:
    """Spark nests comments, Hive does not: where nesting leaves one open, the first end is meant."""
    depth = 0
    for edge in _COMMENT_EDGE.finditer(text, start):
        depth += 1 if edge[0] == "/*" else -1
        if depth == 0:
            return edge.end()
    first = text.find("*/", start + 2)
    return len(text) if first < 0 else first + 2
