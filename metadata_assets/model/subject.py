"""What a fact, an event or a published entry is about, and the one text under which the store keeps it."""

from dataclasses import dataclass
from typing import Literal, cast, get_args

SubjectKind = Literal[
    "table", "database", "category", "term", "process", "script", "job", "file", "object", "pattern", "pipeline",
    "shard",  # by its partition key; an empty name stands for the catalog as a whole
]  # fmt: skip
_KINDS: frozenset[str] = frozenset(get_args(SubjectKind))


@dataclass(frozen=True, slots=True, order=True)
class Subject:
    """A thing of one kind, by its name. Its text is `kind:name`, such as `table:raw.users`; a name may hold anything.

    Tables make and read theirs themselves: `TableName.subject` and `TableName.of_subject`.
    """

    kind: SubjectKind
    name: str

    @staticmethod
    def parse(text: str) -> "Subject":
        """Read `kind:name`.

        Raises:
            ValueError: it does not begin with a kind that there is.
        """
        kind, colon, name = text.partition(":")
        if not colon or kind not in _KINDS:
            raise ValueError(f"{text!r} is no subject: it has to begin with one of {', '.join(sorted(_KINDS))} and ':'")
        return Subject(cast(SubjectKind, kind), name)

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


def prefix_of(kind: SubjectKind) -> str:
    """What the texts of all subjects of a kind begin with, and no others do."""
    return str(Subject(kind, ""))
