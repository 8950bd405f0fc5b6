"""Variables and template blocks in a statement, replaced before any parser sees them."""

import re
from collections.abc import Mapping, Sequence

from metadata_assets.lineage.lexer import Token, significant

_REFERENCE = re.compile(r"\$\{([^{}]*)\}")
_MARK = "__unset_"
_MARKED = re.compile(_MARK + r"([0-9]+)__")
_MAX_LENGTH = 2_000_000
_MAX_DEPTH = 40  # Hive's own limit on variables within variables


def is_marked(name: str) -> bool:
    """Whether a name, or a part of it, is a variable that is not set."""
    return _MARK in name


class Variables:
    """What SET said so far. What stays unset becomes a marked name, so that the parser can go on and we can tell."""

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        self._values = {key.lower(): value for key, value in (values or {}).items()}
        self._unset: list[str] = []

    def define(self, name: str, value: str) -> None:
        self._values[name.lower()] = value

    def value_of(self, name: str) -> str | None:
        """`x` is looked for among the variables of Hive, then among the settings, as Spark does."""
        name = name.strip().lower()
        namespace, colon, _ = name.partition(":")
        keys = [name] if colon and namespace != "hiveconf" else [f"hivevar:{name}", name.removeprefix("hiveconf:")]
        return next((self._values[key] for key in keys if key in self._values), None)

    def substitute(self, text: str, tokens: Sequence[Token], dialect: str) -> tuple[str, Sequence[Token]]:
        """The text with all variables replaced or marked, and its tokens."""
        if "${" in text:
            for _ in range(_MAX_DEPTH):
                replaced = _REFERENCE.sub(self._resolved, text)
                if replaced == text:
                    break
                text = replaced[:_MAX_LENGTH]  # variables that double each other grow without end
                tokens = significant(text, dialect)
        marked = self._marked(text, tokens)
        return (text, tokens) if marked == text else (marked, significant(marked, dialect))

    def unset_in(self, text: str) -> str | None:
        """The first unset variable whose mark is in this name."""
        found = _MARKED.search(text)
        return self._written(found) if found else None

    def shown(self, text: str) -> str:
        """The text with the variables as they were written."""
        return _MARKED.sub(self._written, text)

    def _written(self, mark: re.Match[str]) -> str:
        index = int(mark[1])
        return self._unset[index] if index < len(self._unset) else mark[0]

    def _marked(self, text: str, tokens: Sequence[Token]) -> str:
        """Within strings a variable is a part of a value, and does no harm."""
        parts: list[str] = []
        at = 0
        for token in tokens:
            if token.kind in ("variable", "template"):
                parts += [text[at : token.start], self._mark(token.text)]
                at = token.end
            elif token.kind == "name" and "${" in token.text:
                parts += [text[at : token.start], _REFERENCE.sub(lambda m: self._mark(m[0]), token.text)]
                at = token.end
        return "".join([*parts, text[at:]]) if parts else text

    def _resolved(self, reference: re.Match[str]) -> str:
        value = self.value_of(reference[1])
        return reference[0] if value is None else value

    def _mark(self, written: str) -> str:
        if written not in self._unset:
            self._unset.append(written)
        return f"{_MARK}{self._unset.index(written)}__"
