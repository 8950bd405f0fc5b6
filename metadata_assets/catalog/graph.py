"""The lineage graph of the whole lake, from all statements and declared jobs."""

from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from metadata_assets.model.claims import DeclaredJob
from metadata_assets.model.entity import Upstream
from metadata_assets.model.lineage import ColumnEdge, ColumnRef, Script, StatementLineage
from metadata_assets.model.table import TableName


@dataclass(frozen=True, slots=True, order=True)
class TableEdge:
    """One job that reads one table and writes another."""

    source: TableName
    target: TableName
    job: str
    declared: bool = False


K = TypeVar("K")
E = TypeVar("E", TableEdge, ColumnEdge)


class LineageGraph:
    """Edges between tables and between columns, indexed both ways. An edge of a table to itself is left out."""

    def __init__(self, table_edges: Iterable[TableEdge], column_edges: Iterable[ColumnEdge]) -> None:
        self.tables_into = _grouped(table_edges, lambda e: e.target)
        self.tables_from = _grouped((edge for edges in self.tables_into.values() for edge in edges), lambda e: e.source)
        self.columns_into = _grouped(column_edges, lambda e: e.target)
        self.columns_from = _grouped(
            (edge for edges in self.columns_into.values() for edge in edges), lambda e: e.source
        )

    @staticmethod
    def of(scripts: Iterable[Script], declared: Iterable[DeclaredJob]) -> "LineageGraph":
        statements = [s for script in scripts for s in script.statements]
        jobs = list(declared)
        column_edges = [e for s in statements for e in s.columns] + [e for j in jobs for e in j.columns]
        return LineageGraph([*_inferred(statements), *_declared(jobs)], column_edges)

    def upstream_of(self, table: TableName) -> tuple[Upstream, ...]:
        """The direct sources of a table with the jobs that read them, ordered by name."""
        jobs: dict[tuple[TableName, bool], set[str]] = {}
        for edge in self.tables_into.get(table, ()):
            jobs.setdefault((edge.source, edge.declared), set()).add(edge.job)
        return tuple(Upstream(source, tuple(sorted(names)), flag) for (source, flag), names in sorted(jobs.items()))

    def into_columns_of(self, table: TableName, columns: Container[str]) -> tuple[ColumnEdge, ...]:
        """The edges that end in these columns, ordered."""
        edges = {e for c in self.filled_columns.get(table, ()) if c.column in columns for e in self.columns_into[c]}
        return tuple(sorted(edges))

    @cached_property
    def filled_columns(self) -> Mapping[TableName, Sequence[ColumnRef]]:
        """Table → those of its columns into which something flows."""
        found: dict[TableName, list[ColumnRef]] = {}
        for column in self.columns_into:
            found.setdefault(column.table, []).append(column)
        return found

    def reached(self, start: TableName, *, upstream: bool = False) -> list[tuple[int, TableEdge]]:
        """Every table edge on the way from `start`, breadth first, with its distance from 1; cycles end the walk."""
        index = self.tables_into if upstream else self.tables_from
        return list(_walk(start, index, lambda e: e.source if upstream else e.target))

    def reached_columns(self, start: ColumnRef, *, upstream: bool = False) -> list[tuple[int, ColumnEdge]]:
        """The same for columns."""
        index = self.columns_into if upstream else self.columns_from
        return list(_walk(start, index, lambda e: e.source if upstream else e.target))


def _inferred(statements: Iterable[StatementLineage]) -> Iterator[TableEdge]:
    for statement in statements:
        for target in statement.outputs:
            for source in statement.inputs:
                yield TableEdge(source, target, statement.job)


def _declared(jobs: Iterable[DeclaredJob]) -> Iterator[TableEdge]:
    for job in jobs:
        for target in job.outputs:
            for source in job.inputs:
                yield TableEdge(source, target, job.name, declared=True)


def _grouped(edges: Iterable[E], key: Callable[[E], K]) -> Mapping[K, tuple[E, ...]]:
    groups: dict[K, dict[E, None]] = {}
    for edge in edges:
        if edge.source != edge.target:
            groups.setdefault(key(edge), {})[edge] = None
    return {k: tuple(v) for k, v in groups.items()}


def _walk(start: K, index: Mapping[K, tuple[E, ...]], follow: Callable[[E], K]) -> Iterator[tuple[int, E]]:
    seen = {start}
    waiting = deque([(1, start)])
    while waiting:
        distance, node = waiting.popleft()
        for edge in index.get(node, ()):
            yield distance, edge
            following = follow(edge)
            if following not in seen:
                seen.add(following)
                waiting.append((distance + 1, following))
