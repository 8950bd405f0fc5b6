"""What a change reaches: everything on the way from a table or column along the lineage graph."""

from collections.abc import Iterable
from dataclasses import dataclass

from metadata_assets.catalog.graph import LineageGraph, TableEdge
from metadata_assets.model.lineage import ColumnEdge, ColumnRef
from metadata_assets.model.table import TableName


@dataclass(frozen=True, slots=True)
class Reached:
    """A table or column that a change reaches from `through`, one step before it; `distance` counts steps from 1.

    `kind` is `inferred` or `declared` between tables, and what happens to the value between columns.
    """

    distance: int
    name: TableName | ColumnRef
    through: TableName | ColumnRef
    kind: str
    jobs: tuple[str, ...]

    @property
    def table(self) -> TableName:
        return self.name if isinstance(self.name, TableName) else self.name.table


def reached_from(graph: LineageGraph, start: TableName | ColumnRef, *, upstream: bool) -> list[Reached]:
    """Everything downstream (or upstream) of a table or column, nearest first. Jobs of one kind share an answer."""
    edges: Iterable[tuple[int, TableEdge | ColumnEdge]]
    if isinstance(start, TableName):
        edges = graph.reached(start, upstream=upstream)
    else:
        edges = graph.reached_columns(start, upstream=upstream)
    found: dict[tuple[TableName | ColumnRef, TableName | ColumnRef, str], tuple[int, set[str]]] = {}
    for distance, edge in edges:
        name, through = (edge.source, edge.target) if upstream else (edge.target, edge.source)
        _, jobs = found.setdefault((name, through, _kind(edge)), (distance, set()))
        jobs |= {edge.job} if isinstance(edge, TableEdge) else _jobs_between(graph, edge)
    reached = [Reached(distance, *key, tuple(sorted(jobs))) for key, (distance, jobs) in found.items()]
    return sorted(reached, key=lambda r: (r.distance, str(r.name), str(r.through)))


def _kind(edge: TableEdge | ColumnEdge) -> str:
    if isinstance(edge, TableEdge):
        return "declared" if edge.declared else "inferred"
    return f"{edge.kind} {edge.transform}"


def _jobs_between(graph: LineageGraph, edge: ColumnEdge) -> set[str]:
    return {e.job for e in graph.tables_into.get(edge.target.table, ()) if e.source == edge.source.table}
