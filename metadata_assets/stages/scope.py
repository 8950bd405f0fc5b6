"""What a run is asked to look at."""

from dataclasses import dataclass

from metadata_assets.model.pattern import Selection
from metadata_assets.model.table import TableName


@dataclass(frozen=True, slots=True)
class Scope:
    """`everything`: all tables of the shards at hand; otherwise only those with waiting events or pending marks.

    `select` narrows either by patterns; `force` does again what is already done.
    """

    run_id: str
    everything: bool = True
    select: tuple[str, ...] = ()
    force: bool = False

    def holds(self, table: TableName) -> bool:
        """Raises:
        SelectionError: a pattern of `select` cannot be read.
        """
        return Selection.parse(self.select).holds(table)
