"""Tokens of a SQL text, cut so that quotes, comments, variables and template blocks are never mistaken for code."""

import re
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

TokenKind = Literal["comment", "string", "name", "word", "variable", "template", "sign"]

_PLAIN_KINDS = frozenset({"word", "sign"})
_BACKSLASH_DIALECTS = frozenset({"hive", "spark", "spark2", "databricks", "bigquery", "mysql"})
_COMMON = r"""
    (?P<space>\s+)
  | (?P<comment>--[^\n]*|\{\#.*?\#\})
  | (?P<block>/\*)
  | (?P<variable>\$\{[^{}]*\})
  | (?P<template>\{\{.*?\}\}|\{%.*?%\})
"""
_WITH_BACKSLASHES = r"""
  | (?P<string>'(?:[^'\\]++|\\.)*+(?:'|\\?\Z)|"(?:[^"\\]++|\\.)*+(?:"|\\?\Z))
  | (?P<name>`(?:[^`]++|``)*+(?:`|\Z))
"""
_STANDARD = r"""
  | (?P<string>'[^']*(?:'|\Z))
  | (?P<name>`(?:[^`]++|``)*+(?:`|\Z)|"(?:[^"]++|"")*+(?:"|\Z))
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
_CLOSED = {
    True: re.compile(r"""'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+"|`(?:[^`]|``)*+`""", re.DOTALL),
    False: re.compile(r"""'[^']*'|"(?:[^"]|"")*+"|`(?:[^`]|``)*+`""", re.DOTALL),
}
_COMMENT_EDGE = re.compile(r"/\*|\*/")


class Token(NamedTuple):
    """A piece of the text, from `start` up to `end`. Space is no token."""

    kind: TokenKind
    text: str
    start: int
    end: int

    @property
    def upper(self) -> str:
        """The word in upper case, or the sign; empty for everything quoted."""
        return self.text.upper() if self.kind in _PLAIN_KINDS else ""

    def moved(self, by: int) -> "Token":
        return Token(self.kind, self.text, self.start + by, self.end + by)


def tokenize(text: str, dialect: str, at: int = 0) -> Iterator[Token]:
    """All tokens from a place on, comments among them. What is never closed lasts until the end."""
    pattern = _PATTERNS[dialect in _BACKSLASH_DIALECTS]
    while at < len(text):
        for found in pattern.finditer(text, at):
            kind: Any = found.lastgroup  # the groups are named after the kinds
            if kind == "block":
                at = _comment_end(text, found.start())
                yield Token("comment", text[found.start() : at], found.start(), at)
                break
            if kind != "space":
                yield Token(kind, found[0], *found.span())
        else:
            return


def significant(text: str, dialect: str) -> list[Token]:
    """The tokens without comments."""
    return [token for token in tokenize(text, dialect) if token.kind != "comment"]


def quoted(name: str, dialect: str) -> str:
    """A name as it is written where it would be no word."""
    sign = "`" if dialect in _BACKSLASH_DIALECTS else '"'
    return f"{sign}{name.replace(sign, sign * 2)}{sign}"


def is_unclosed(token: Token, dialect: str) -> bool:
    """Whether it is a comment or quoted text whose end is missing, so that it took in all that follows."""
    if token.kind == "comment":
        return token.text.startswith("/*") and "*/" not in token.text[2:]
    if token.kind not in ("string", "name"):
        return False
    return _CLOSED[dialect in _BACKSLASH_DIALECTS].fullmatch(token.text) is None


def _comment_end(text: str, start: int) -> int:
    """Spark nests comments, Hive does not: where nesting leaves one open, the first end is meant."""
    depth = 0
    for edge in _COMMENT_EDGE.finditer(text, start):
        depth += 1 if edge[0] == "/*" else -1
        if depth == 0:
            return edge.end()
    first = text.find("*/", start + 2)
    return len(text) if first < 0 else first + 2
