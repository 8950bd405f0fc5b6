"""A script cut into its statements. Joined again, the pieces are the script."""

import re
from dataclasses import dataclass

from metadata_assets.lineage.lexer import Token, is_unclosed, tokenize

_SHELL_LINE = re.compile(r"![^;\n]*")
# Commands of the shell of Hive, whose arguments are no SQL: in `dfs -rm /tmp/*;` no comment begins.
_RAW_COMMANDS = frozenset({"DFS", "ADD"})
_ARGUMENTS = re.compile(r"[^;]*")


@dataclass(frozen=True, slots=True)
class Piece:
    """A statement with the space and comments before it, and its `;`. `tokens` leave out all of these.

    `start` is its place in the script, and so is that of its tokens. `line` is that of the first token, from 1. A piece
    without tokens is no statement. `unclosed` says which comment or quoted text takes in the rest of the script because
    its end is missing; such a comment is a token.
    """

    text: str
    start: int
    line: int
    tokens: tuple[Token, ...]
    has_comments: bool  # among its tokens
    unclosed: str = ""

    @property
    def is_statement(self) -> bool:
        return bool(self.tokens)

    def cleaned(self) -> tuple[str, list[Token]]:
        """The statement alone, with a blank in place of each comment, and its tokens within that text."""
        first, last = self.tokens[0].start, self.tokens[-1].end
        if not self.has_comments:
            text = self.text[first - self.start : last - self.start]
            return text, list(self.tokens) if first == 0 else [token.moved(-first) for token in self.tokens]
        parts: list[str] = []
        tokens: list[Token] = []
        length, before = 0, first
        for token in self.tokens:
            gap = self.text[before - self.start : token.start - self.start]
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
    has_comments = False
    end = len(text)
    unclosed = ""
    for token in tokenize(text, dialect, start):
        if token.end == len(text) and is_unclosed(token, dialect):
            if token.kind == "comment" and tokens:  # what stands before it can be read, and is a piece of its own
                end = token.start
            else:
                tokens.append(token)
                unclosed = _unclosed(token, line + text.count("\n", start, token.start))
            break
        if token.kind == "comment":
            has_comments |= bool(tokens)
        elif token.text == ";":
            end = token.end
            break
        elif token.text == "!" and not tokens:
            tokens.append(_shell_line(text, token))
            end = min(tokens[0].end + 1, len(text))
            break
        else:
            tokens.append(token)
            if len(tokens) == 1 and token.upper in _RAW_COMMANDS:
                tokens += _arguments(text, token)
                end = min(tokens[-1].end + 1, len(text))
                break
    first = tokens[0].start if tokens else start
    at = line + text.count("\n", start, first)
    return Piece(text[start:end], start, at, tuple(tokens), has_comments, unclosed)


def _unclosed(token: Token, line: int) -> str:
    what = "a comment" if token.kind == "comment" else f"a text in {token.text[0]}"
    return f"{what} that begins in line {line} is never closed: everything from there on is taken for a part of it"


def _arguments(text: str, command: Token) -> list[Token]:
    """All that follows a command, as one token."""
    found = _ARGUMENTS.match(text, command.end)
    words = found[0] if found else ""
    start = command.end + len(words) - len(words.lstrip())
    return [Token("string", words.strip(), start, start + len(words.strip()))] if words.strip() else []


def _shell_line(text: str, mark: Token) -> Token:
    """The whole command as one token, without the sign that ends it."""
    found = _SHELL_LINE.match(text, mark.start)
    command = found[0] if found else mark.text
    return Token("word", command, mark.start, mark.start + len(command))
