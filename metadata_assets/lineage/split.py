"""A script cut into its statements. Joined again, the pieces are the script."""

import re
from dataclasses import dataclass

from metadata_assets.lineage.lexer import Token, read_token

_SHELL_LINE = re.compile(r"![^;\n]*[;\n]?")


@dataclass(frozen=True, slots=True)
class Piece:
    """A statement with the space and comments before it, and its `;`. `tokens` leave out all of these.

    Tokens are placed within `text`. `line` is that of the first token, from 1. A piece without tokens is no statement.
    """

    text: str
    line: int
    tokens: tuple[Token, ...]

    @property
    def is_statement(self) -> bool:
        return bool(self.tokens)

    @property
    def body(self) -> str:
        """The statement alone."""
        return self.text[self.tokens[0].start : self.tokens[-1].end] if self.tokens else ""


def split_script(text: str, dialect: str) -> list[Piece]:
    """Cut at each `;` outside of quotes, comments and template blocks; a shell line (`!cmd`) ends with its line too."""
    pieces: list[Piece] = []
    start, line = 0, 1
    while start < len(text):
        piece = _read_piece(text, start, line, dialect)
        pieces.append(piece)
        line += piece.text.count("\n")
        start += len(piece.text)
    return pieces


def _read_piece(text: str, start: int, line: int, dialect: str) -> Piece:
    tokens: list[Token] = []
    at = start
    while at < len(text):
        if not tokens and text[at] == "!":
            shell = _SHELL_LINE.match(text, at)
            command = shell[0] if shell else "!"
            tokens.append(Token("word", command.rstrip(";\r\n"), at - start))
            at += len(command)
            break
        token = read_token(text, at, dialect)
        at = token.end
        if token.kind == "sign" and token.text == ";":
            break
        if token.counts:
            tokens.append(token._replace(start=token.start - start))
    first = start + tokens[0].start if tokens else start
    return Piece(text[start:at], line + text.count("\n", start, first), tuple(tokens))
