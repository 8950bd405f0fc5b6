"""How the statements of all jobs and views ended: the sum that tells whether lineage can be relied on."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from metadata_assets.model.lineage import Script, StatementLineage, StatementStatus

# Nothing is lacking in these; of all others a reason says what is.
_WHOLE = frozenset[StatementStatus]({"lineage", "no_lineage"})


@dataclass(frozen=True, slots=True)
class StatementTally:
    """Statements by status; `open_ones` are those with less than full lineage, in the order of their places."""

    by_status: Counter[StatementStatus] = field(default_factory=Counter)
    open_ones: tuple[StatementLineage, ...] = ()

    @property
    def statuses(self) -> list[tuple[StatementStatus, int]]:
        """Status → number of statements, the most first."""
        return sorted(self.by_status.items(), key=lambda item: (-item[1], item[0]))

    @property
    def worst_files(self) -> list[tuple[str, int]]:
        """File (or `view:db.table`) → number of its open statements, the most first."""
        files = Counter(s.place.file for s in self.open_ones)
        return sorted(files.items(), key=lambda item: (-item[1], item[0]))

    def first_of(self, file: str) -> StatementLineage:
        """The first open statement of one of these files."""
        return next(s for s in self.open_ones if s.place.file == file)


def tally_statements(scripts: Iterable[Script]) -> StatementTally:
    statements = [s for script in scripts for s in script.statements]
    open_ones = sorted(
        (s for s in statements if s.status not in _WHOLE), key=lambda s: (s.place.file, s.place.line, s.place.index)
    )
    return StatementTally(Counter(s.status for s in statements), tuple(open_ones))
