"""Why a column does not have a tag that one could expect of it: from upstream, from its name, or from earlier specs."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

from metadata_assets.catalog.graph import LineageGraph
from metadata_assets.catalog.propagation import first_stop
from metadata_assets.model.entity import TableEntry, TagEntry
from metadata_assets.model.lineage import ColumnRef
from metadata_assets.profiling.detectors import named_tags
from metadata_assets.store.store import Store

_HOW = {
    "masking": "masks the value",
    "aggregation": "aggregates many values into one",
    "indirect": "only filters, joins or sorts by it: the value itself does not arrive",
}


@dataclass(frozen=True, slots=True)
class AbsentTag:
    """A tag that a column does not have. `at` is where it was expected from: one upstream, or the column itself."""

    column: ColumnRef
    tag: str
    reason: str
    at: ColumnRef


def absent_tags(store: Store, graph: LineageGraph, entry: TableEntry, column: ColumnRef) -> list[AbsentTag]:
    """One answer for each tag that the column lacks, the nearest cause first; ordered by tag."""
    own = {t.name for c in entry.columns if c.name.lower() == column.column for t in c.tags}
    found: dict[str, AbsentTag] = {}
    for absent in (
        *_stopped(store, graph, column),
        *_withdrawn(store, entry, column),
        *_not_found(store, entry, column),
    ):
        if absent.tag not in own:
            found.setdefault(absent.tag, absent)
    return [found[tag] for tag in sorted(found)]


def _stopped(store: Store, graph: LineageGraph, column: ColumnRef) -> Iterator[AbsentTag]:
    """Tags of columns upstream, nearest first."""
    above = [edge.source for _, edge in graph.reached_columns(column, upstream=True)]
    entries: dict[str, TableEntry] = store.facts.contents("entry", {c.table.subject for c in above})
    for origin in dict.fromkeys(above):
        upstream = entries.get(origin.table.subject)
        for held in upstream.columns if upstream is not None else ():
            if held.name.lower() == origin.column:
                for tag in held.tags:
                    if tag.inherited_from is None and (reason := _why_stopped(graph, origin, column, tag)):
                        yield AbsentTag(column, tag.name, reason, origin)


def _why_stopped(graph: LineageGraph, origin: ColumnRef, column: ColumnRef, tag: TagEntry) -> str:
    if tag.verdict != "confirmed":
        return f"it is only {tag.verdict} at {origin}, and only confirmed tags follow the data"
    if tag.propagate == "never":
        return f"it is written at {origin} with `propagate: never` ({tag.source})"
    stop = first_stop(graph, origin, column, tag)
    return "" if stop is None else f"it stops at {stop.source} → {stop.target}, which {_HOW[stop.transform]}"


def _withdrawn(store: Store, entry: TableEntry, column: ColumnRef) -> Iterator[AbsentTag]:
    """Tags that specs once put there, the last first."""
    versions = [f for f in store.facts.history(entry.subject) if f.kind == "tags"]
    for version, following in reversed(list(pairwise(versions))):
        for claim in version.content.claims if version.content is not None else ():
            if (claim.column or "").lower() == column.column:
                until = datetime.fromtimestamp(following.recorded_at, UTC).isoformat(" ", "seconds")
                yield AbsentTag(
                    column, claim.tag, f"the specs took it away at {until}; it was written in {claim.place}", column
                )


def _not_found(store: Store, entry: TableEntry, column: ColumnRef) -> Iterator[AbsentTag]:
    """Tags that the name of the column speaks for and its values do not."""
    expected, against = named_tags(column.column)
    profile = store.facts.contents("profile", [entry.subject]).get(entry.subject)
    seen = next((c for c in profile.columns if c.column.lower() == column.column), None) if profile else None
    for tag in expected:
        if against:
            yield AbsentTag(column, tag, f"its name speaks for it, but also says {', '.join(sorted(against))}", column)
        elif seen is not None:
            reason = (
                f"its name speaks for it, but too few of its values do ({seen.rows} rows, {seen.nulls} of them null)"
            )
            yield AbsentTag(column, tag, reason, column)
