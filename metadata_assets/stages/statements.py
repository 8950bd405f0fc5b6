"""How the statements of all jobs and views ended: the sum that tells whether lineage can be relied on."""

from collections import Counter
from dataclasses import dataclass, field

from metadata_assets.model.lineage import StatementLineage, StatementStatus
from metadata_assets.stages.stamps import read_stamps
from metadata_assets.store.facts import Facts

# Nothing is lacking in these; of all others a reason says what is.
_WHOLE = frozenset[StatementStatus]({"lineage", "no_lineage"})


@dataclass(frozen=True, slots=True)
class StatementTally:
    """Statements by status, and the number of edges between columns; `open_ones` are those with less than full lineage,
    in the order of their places."""

    by_status: Counter[StatementStatus] = field(default_factory=Counter)
    column_edges: int = 0
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


def tally_statements(facts: Facts) -> StatementTally:
    """Of all scripts; decoded are only those with an open statement."""
    stamps = {subject: stamp for subject, stamp in read_stamps(facts).items() if stamp is not None}
    by_status: Counter[StatementStatus] = Counter()
    for stamp in stamps.values():
        by_status.update(stamp.statuses)
    scripts = facts.contents("script", [s for s, stamp in stamps.items() if stamp.statuses.keys() - _WHOLE])
    open_ones = sorted(
        (s for script in scripts.values() for s in script.statements if s.status not in _WHOLE),
        key=lambda s: (s.place.file, s.place.line, s.place.index),
    )
    return StatementTally(by_status, sum(stamp.edges for stamp in stamps.values()), tuple(open_ones))
