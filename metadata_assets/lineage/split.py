"""A script cut into its statements. Joined again, the pieces are the script."""

import re
from dataclasses import dataclass

from metadata_assets.lineage.lexer import Token, tokenize

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

    def cleaned(self) -> tuple[str, list[Token]]:
        """The statement alone, with a blank in place of each comment, and its tokens within that text."""
        parts: list[str] = []
        tokens: list[Token] = []
        length, before = 0, self.tokens[0].start if self.tokens else 0
        for token in self.tokens:
            gap = self.text[before : token.start]
            parts += [" " if gap.strip() else gap, token.text]
            length += len(parts[-2])
            tokens.append(token.moved(length - token.start))
            length += len(token.text)
            before = token.end
        return "".join(parts), tokens


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
    end = len(text)
    for token in tokenize(text, dialect, start):
        if token.kind == "comment":
            continue
        if token.text == ";":
            end = token.end
            break
        if token.text == "!" and not tokens:
            shell = _SHELL_LINE.match(text, token.start)
            end = shell.end() if shell else token.end
            command = text[token.start : end].rstrip(";\r\n")
            tokens.append(Token("word", command, token.start - start, token.start - start + len(command)))
            break
        tokens.append(token.moved(-start))
    first = start + tokens[0].start if tokens else start
    return Piece(text[start:end], line + text.count("\n", start, first), tuple(tokens))
