"""A walk over the tokens of one statement."""

from collections.abc import Sequence

from metadata_assets.lineage.lexer import Token

_OPENING = frozenset("([")
_CLOSING = frozenset(")]")


class Cursor:
    """`word(ahead)` looks at a token in upper case: empty where it is quoted or the statement is over."""

    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.at = 0

    @property
    def at_end(self) -> bool:
        return self.at >= len(self.tokens)

    @property
    def rest(self) -> str:
        """The text from here on."""
        return "" if self.at_end else self.text[self.tokens[self.at].start : self.tokens[-1].end]

    def peek(self, ahead: int = 0) -> Token | None:
        index = self.at + ahead
        return self.tokens[index] if 0 <= index < len(self.tokens) else None

    def word(self, ahead: int = 0) -> str:
        token = self.peek(ahead)
        return token.upper if token is not None else ""

    def accept(self, *words: str) -> bool:
        """Step over these words when they are all next."""
        if all(self.word(i) == word for i, word in enumerate(words)):
            self.at += len(words)
            return True
        return False

    def accept_one(self, words: Sequence[str]) -> str:
        """Step over one of these words; empty when none is next."""
        word = self.word()
        if word and word in words:
            self.at += 1
            return word
        return ""

    def skip_one(self) -> None:
        """Step over one token, or a whole pair of parentheses."""
        depth = 0
        while not self.at_end:
            word = self.word()
            depth += (word in _OPENING) - (word in _CLOSING) if word else 0
            self.at += 1
            if depth <= 0:
                return

    def take_group(self) -> list[Token]:
        """The tokens within the parentheses that open here; empty when none do."""
        if self.word() != "(":
            return []
        start = self.at
        self.skip_one()
        end = self.at - 1 if self.tokens[self.at - 1].text == ")" else self.at
        return list(self.tokens[start + 1 : end])

    def take_name(self) -> tuple[str, ...]:
        """The parts of a dotted name, lower case and without quotes; empty when none is next."""
        parts: list[str] = []
        while (token := self.peek()) is not None and token.kind in ("word", "name"):
            parts += name_parts(token)
            self.at += 1
            if self.word() != ".":
                break
            self.at += 1
        return tuple(parts)


def name_parts(token: Token) -> list[str]:
    """Hive writes `db.table` within one pair of backticks too."""
    name = unquoted(token).lower()
    return name.split(".") if token.kind == "name" else [name]


def unquoted(token: Token) -> str:
    """The name that a token stands for."""
    if token.kind != "name":
        return token.text
    quote = token.text[0]
    return token.text[1:-1].replace(quote * 2, quote)


def split_group(tokens: Sequence[Token]) -> list[list[Token]]:
    """Tokens of a list, cut at the commas that are not within parentheses, brackets or `<>` of a type."""
    items: list[list[Token]] = [[]]
    depth = types = 0
    for token in tokens:
        depth += (token.upper in _OPENING and token.upper != "") - (token.upper in _CLOSING and token.upper != "")
        if depth == 0:  # within parentheses they compare
            types = max(0, types + (token.upper == "<") - (token.upper == ">"))
        if token.upper == "," and depth == types == 0:
            items.append([])
        else:
            items[-1].append(token)
    return [item for item in items if item]


def depth_zero(tokens: Sequence[Token], words: frozenset[str]) -> list[int]:
    """Positions of these words outside of all parentheses."""
    found = []
    depth = 0
    for index, token in enumerate(tokens):
        if token.kind == "sign":
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
        elif depth == 0 and token.kind == "word" and token.text.upper() in words:
            found.append(index)
    return found
