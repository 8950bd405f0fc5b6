"""Walks over the tokens of a DDL text. Names, types and comments are cut from the text itself, byte for byte."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlglot.dialects.hive import Hive
from sqlglot.tokenizer_core import TokenType

from metadata_assets.isolation import guarded
from metadata_assets.sources.ddl.statement import StatementError

_QUOTES = ("'", '"')
_QUOTED_KINDS = (TokenType.STRING, TokenType.IDENTIFIER)
_SOLID = re.compile(r"\S+")
_WORD = re.compile(r"\w+")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|([01][0-7]{2})|(.))", re.DOTALL)
_ESCAPES = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a", "%": "\\%", "_": "\\_"}
_QUOTED = re.compile(
    r"--[^\n]*|/\*.*?(?:\*/|(?P<c>\Z))|'(?:\\.|[^'\\])*(?:'|(?P<s>\\?\Z))"
    r'|"(?:\\.|[^"\\])*(?:"|(?P<d>\\?\Z))|`[^`]*(?:`|(?P<b>\Z))',
    re.DOTALL,
)
_UNCLOSED = {"c": "comment", "s": "'", "d": '"', "b": "`"}


class Token(NamedTuple):
    """A word, sign, name in backticks or text in quotes: `start` and `end` (the last character) are its place."""

    start: int
    end: int
    kind: str  # the opening quote, empty for words and signs


class Cursor:
    """`word` is a look at a token without its quotes: in upper case, empty where it is quoted or the text is over."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = _tokenize(text)
        self.at = 0

    @property
    def at_end(self) -> bool:
        return self.at >= len(self.tokens)

    @property
    def line(self) -> int:
        """Line of the token that comes next, else of the end of the text."""
        end = len(self.text.rstrip()) if self.at_end else self.tokens[self.at].start
        return self.text.count("\n", 0, end) + 1

    def peek(self, ahead: int = 0) -> Token | None:
        index = self.at + ahead
        return self.tokens[index] if index < len(self.tokens) else None

    def raw(self, token: Token) -> str:
        return self.text[token.start : token.end + 1]

    def word(self, ahead: int = 0) -> str:
        token = self.peek(ahead)
        if token is None or token.kind:
            return ""
        return self.raw(token).upper()

    def accept(self, *words: str) -> bool:
        """Step over `words` when all of them come next."""
        if any(self.word(ahead) != word for ahead, word in enumerate(words)):
            return False
        self.at += len(words)
        return True

    def expect(self, *words: str) -> None:
        for word in words:
            if not self.accept(word):
                raise self.error(f"expected {word}, found {self.found()}")

    def found(self) -> str:
        token = self.peek()
        if token is None:
            return "the end of the text"
        raw = self.raw(token)
        return raw if len(raw) <= 40 else f"{raw[:40]}…"

    def error(self, reason: str) -> StatementError:
        return StatementError(self.line, reason)

    def at_string(self) -> bool:
        token = self.peek()
        return token is not None and token.kind in _QUOTES

    def read_string(self) -> str:
        """A quoted text; pieces beside each other are one text, and without a gap a doubled quote mark is meant."""
        if not self.at_string():
            raise self.error(f"expected a quoted text, found {self.found()}")
        parts, end = list[str](), -1
        while (token := self.peek()) is not None and token.kind in _QUOTES:
            raw = self.raw(token)
            parts.append((raw[0] if token.start == end + 1 and parts else "") + _unescape(raw[1:-1]))
            end = token.end
            self.at += 1
        return "".join(parts)

    def read_identifier(self) -> str:
        """A name in backticks, or a bare one: tokens of letters and digits without a gap (`2019_x`)."""
        token = self.peek()
        if token is None or (token.kind != "`" and not _is_bare(token, self.raw(token))):
            raise self.error(f"expected a name, found {self.found()}")
        self.at += 1
        if token.kind == "`":
            return self.raw(token)[1:-1].replace("``", "`")
        end = token.end
        while (following := self.peek()) is not None and following.start == end + 1:
            if not _is_bare(following, self.raw(following)):
                break
            end = following.end
            self.at += 1
        return self.text[token.start : end + 1]

    def read_name(self) -> list[str]:
        """The parts of a dotted name."""
        parts = [self.read_identifier()]
        while self.accept("."):
            parts.append(self.read_identifier())
        return parts

    def skip_parentheses(self) -> None:
        self.expect("(")
        depth = 1
        while depth:
            if self.at_end:
                raise self.error("a ( is not closed")
            depth += {"(": 1, ")": -1}.get(self.word(), 0)
            self.at += 1

    def read_until(self, ends: frozenset[str]) -> str:
        """The text up to one of `ends` that stands in no brackets, as it is written."""
        begin, depth = self.at, 0
        while not self.at_end:
            word = self.word()
            if depth <= 0 and word in ends:
                break
            depth += _depth(word)
            self.at += 1
        if begin == self.at:
            return ""
        return self.text[self.tokens[begin].start : self.tokens[self.at - 1].end + 1]

    def rest(self) -> str:
        """All the text after the token that was read last, comments included."""
        self.at, begin = len(self.tokens), self.tokens[self.at - 1].end + 1
        return self.text[begin:]


def _depth(word: str) -> int:
    """How many brackets a token opens; `>>` and `<>` are tokens too."""
    if word.strip("<>()") or "=" in word:
        return 0
    return sum(1 if sign in "<(" else -1 for sign in word)


def _is_bare(token: Token, raw: str) -> bool:
    return not token.kind and _WORD.fullmatch(raw) is not None


def _unescape(body: str) -> str:
    """What Hive makes of backslashes. `\\%` and `\\_` keep theirs, any other character stands for itself."""
    if "\\" not in body:
        return body
    return _ESCAPE.sub(_unescape_one, body)


def _unescape_one(match: re.Match[str]) -> str:
    if match[1]:
        return chr(int(match[1], 16))
    return chr(int(match[2], 8)) if match[2] else _ESCAPES.get(match[3], match[3])


def _tokenize(text: str) -> list[Token]:
    """Tokens of the text.

    Raises:
        StatementError: a quote or comment is not closed.
    """
    outcome = guarded("the tokenizer", lambda: Hive().tokenize(text))
    if outcome.error is not None:
        raise _explain(text)
    return [token for foreign in outcome.unwrap() for token in _to_tokens(text, foreign)]


def _to_tokens(text: str, foreign: Any) -> Iterator[Token]:
    """One token; keywords of several words, such as PARTITIONED BY, are cut into these."""
    if foreign.token_type in _QUOTED_KINDS:
        yield Token(foreign.start, foreign.end, text[foreign.start])
        return
    for match in _SOLID.finditer(text, foreign.start, foreign.end + 1):
        yield Token(match.start(), match.end() - 1, "")


def _explain(text: str) -> StatementError:
    """Where a text cannot be cut into tokens: the tokenizer itself only quotes what came before."""
    for match in _QUOTED.finditer(text):
        open_one = next((name for name in _UNCLOSED if match[name] is not None), None)
        if open_one is not None:
            line = text.count("\n", 0, match.start()) + 1
            return StatementError(line, f"this {_UNCLOSED[open_one]} is not closed: the text seems to be cut off")
    return StatementError(1, "this cannot be cut into words: is it the text of SHOW CREATE TABLE?")
