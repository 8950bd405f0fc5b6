"""Tags travel along column lineage: to every column that still carries the value, and no further."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping

from metadata_assets.catalog.graph import LineageGraph
from metadata_assets.model.entity import TagEntry
from metadata_assets.model.lineage import ColumnEdge, ColumnRef

# What leaves the value unreadable: a hash or a mask, a count over many rows, a mere filter condition.
_STOPPING = frozenset({"masking", "aggregation", "indirect"})


def plan_inherited(
    direct: Mapping[ColumnRef, Iterable[TagEntry]], graph: LineageGraph
) -> dict[ColumnRef, tuple[TagEntry, ...]]:
    """The tags that columns inherit, without those that they carry themselves.

    Only confirmed tags travel. A tag reaches a column once, by a shortest path; `inherited_from` names its source, of
    several the nearest. A mere suggestion on a column does not keep it from inheriting the confirmed tag.
    """
    inherited: dict[ColumnRef, dict[str, tuple[int, TagEntry]]] = {}
    decided = {c: {t.name for t in tags if t.verdict != "suggested"} for c, tags in direct.items()}
    for origin in sorted(direct):
        for tag in direct[origin]:
            if tag.verdict == "confirmed" and tag.propagate != "never":
                entry = _inherited(tag, origin)
                for distance, column in _reached(origin, tag, graph):
                    found = inherited.setdefault(column, {})
                    if tag.name not in decided.get(column, ()) and _is_nearer(distance, found.get(tag.name)):
                        found[tag.name] = (distance, entry)
    return {column: tuple(tags[name][1] for name in sorted(tags)) for column, tags in inherited.items() if tags}


def _is_nearer(distance: int, before: tuple[int, TagEntry] | None) -> bool:
    return before is None or distance < before[0]


def _inherited(tag: TagEntry, origin: ColumnRef) -> TagEntry:
    return TagEntry(tag.name, "confirmed", tag.source, str(origin), tag.band, tag.propagate)


def _reached(origin: ColumnRef, tag: TagEntry, graph: LineageGraph) -> Iterable[tuple[int, ColumnRef]]:
    """Every column that the tag gets to, nearest first, with its distance from 1."""
    seen = {origin}
    waiting = deque([(1, origin)])
    while waiting:
        distance, column = waiting.popleft()
        for edge in graph.columns_from.get(column, ()):
            if edge.target not in seen and _passes(edge, tag):
                seen.add(edge.target)
                waiting.append((distance + 1, edge.target))
                yield distance, edge.target


def _passes(edge: ColumnEdge, tag: TagEntry) -> bool:
    if edge.transform == "indirect":
        return False  # the value itself never arrives
    return tag.propagate == "always" or edge.transform not in _STOPPING


def shortest_path(graph: LineageGraph, origin: ColumnRef, target: ColumnRef, tag: TagEntry) -> list[ColumnRef]:
    """The columns on the way that a tag took, both ends included; empty where there is no such way."""
    edges = _shortest(graph, origin, target, lambda edge: _passes(edge, tag))
    return [origin, *(edge.target for edge in edges)] if edges else []


def first_stop(graph: LineageGraph, origin: ColumnRef, target: ColumnRef, tag: TagEntry) -> ColumnEdge | None:
    """The first edge that does not let a tag through on the shortest way from where it is to a column that it does not
    reach; None where no data flows there, or nothing stops it."""
    edges = _shortest(graph, origin, target, lambda _: True)
    return next((edge for edge in edges if not _passes(edge, tag)), None)


def _shortest(
    graph: LineageGraph, origin: ColumnRef, target: ColumnRef, follow: Callable[[ColumnEdge], bool]
) -> list[ColumnEdge]:
    before: dict[ColumnRef, ColumnEdge] = {}
    waiting = deque([origin])
    while waiting and target not in before:
        for edge in graph.columns_from.get(waiting.popleft(), ()):
            if edge.target != origin and edge.target not in before and follow(edge):
                before[edge.target] = edge
                waiting.append(edge.target)
    path: list[ColumnEdge] = []
    while (at := path[-1].source if path else target) in before:
        path.append(before[at])
    return path[::-1]
