"""How much may be taken out, or fail, at once: a share of what there is, and a flat number where shares say nothing."""

from dataclasses import dataclass

from metadata_assets.model.counts import Counts

# Up to so many tables a catalog is small, and so are other things that a stage lists.
SMALL = 200
DELETIONS_IF_SMALL = 10
FAILURES_IF_SMALL = 5


@dataclass(frozen=True, slots=True)
class DeletionPolicy:
    """At most `max_tables` a batch and `max_share` of the catalog; `grace` in seconds before an inferred deletion."""

    max_tables: int
    max_share: float
    grace: float

    def inferred_of(self, total: int, reported: int = 0) -> int:
        """How many of `total` things may go because nobody names them: never more than a batch has room for beside the
        `reported` ones."""
        room = max(0, self.max_tables - reported)
        if self.max_share >= 1:  # somebody means it: only the number counts then, in a small catalog too
            return room
        share = max(1, int(total * self.max_share)) if self.max_share else 0
        return min(DELETIONS_IF_SMALL if total <= SMALL else share, room)


@dataclass(frozen=True, slots=True)
class FailurePolicy:
    """A step fails when more than `max_share` of what it lists does."""

    max_share: float

    def is_broken_by(self, counts: Counts) -> bool:
        """One failure of three is no reason to stop; nothing but failures is."""
        if counts.failed and counts.failed == counts.listed:
            return True
        return counts.failed > (FAILURES_IF_SMALL if counts.listed <= SMALL else counts.listed * self.max_share)
