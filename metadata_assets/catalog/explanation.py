"""Why a column has its tags."""

from collections.abc import Iterable
from dataclasses import dataclass

from metadata_assets.catalog.graph import LineageGraph
from metadata_assets.catalog.propagation import shortest_path
from metadata_assets.model.entity import TagEntry
from metadata_assets.model.finding import Finding
from metadata_assets.model.lineage import ColumnRef


@dataclass(frozen=True, slots=True)
class Explanation:
    """One tag of a column, what profiling found for it there, and the way that an inherited one took, ends included."""

    column: ColumnRef
    tag: TagEntry
    finding: Finding | None = None
    path: tuple[ColumnRef, ...] = ()


def explain_tags(
    column: ColumnRef, tags: Iterable[TagEntry], findings: Iterable[Finding], graph: LineageGraph
) -> list[Explanation]:
    """One answer for each tag, in their order. `findings` may be those of the whole table."""
    found = {f.tag: f for f in findings if f.column.lower() == column.column}
    return [Explanation(column, tag, found.get(tag.name), _path(column, tag, graph)) for tag in tags]


def _path(column: ColumnRef, tag: TagEntry, graph: LineageGraph) -> tuple[ColumnRef, ...]:
    if not tag.inherited_from:
        return ()
    return tuple(shortest_path(graph, ColumnRef.parse(tag.inherited_from), column, tag))
