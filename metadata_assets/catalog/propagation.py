"""Tags travel along column lineage: to every column that still carries the value, and no further."""

from collections import deque
from collections.abc import Iterable, Mapping

from metadata_assets.catalog.graph import LineageGraph
from metadata_assets.model.entity import TagEntry
from metadata_assets.model.lineage import ColumnEdge, ColumnRef

# What leaves the value unreadable: a hash or a mask, a count over many rows, a mere filter condition.
_STOPPING = frozenset({"masking", "aggregation", "indirect"})


def plan_inherited(
    direct: Mapping[ColumnRef, Iterable[TagEntry]], graph: LineageGraph
) -> dict[ColumnRef, tuple[TagEntry, ...]]:
    """The tags that columns inherit, without those that they carry themselves.

    Only confirmed tags travel. A tag reaches a column once, by a shortest path; `inherited_from` names its source.
    """
    inherited: dict[ColumnRef, dict[str, TagEntry]] = {}
    for origin in sorted(direct):
        for tag in direct[origin]:
            if tag.verdict == "confirmed" and tag.propagate != "never":
                for column in _reached(origin, tag, graph):
                    own = {t.name for t in direct.get(column, ())}
                    if tag.name not in own:
                        inherited.setdefault(column, {}).setdefault(tag.name, _inherited(tag, origin))
    return {column: tuple(tags[name] for name in sorted(tags)) for column, tags in inherited.items()}


def _inherited(tag: TagEntry, origin: ColumnRef) -> TagEntry:
    return TagEntry(tag.name, "confirmed", tag.source, str(origin), tag.band, tag.propagate)


def _reached(origin: ColumnRef, tag: TagEntry, graph: LineageGraph) -> Iterable[ColumnRef]:
    seen = {origin}
    waiting = deque([origin])
    while waiting:
        for edge in graph.columns_from.get(waiting.popleft(), ()):
            if edge.target not in seen and _passes(edge, tag):
                seen.add(edge.target)
                waiting.append(edge.target)
                yield edge.target


def _passes(edge: ColumnEdge, tag: TagEntry) -> bool:
    if edge.transform == "indirect":
        return False  # the value itself never arrives
    return tag.propagate == "always" or edge.transform not in _STOPPING
