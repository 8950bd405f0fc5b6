"""Questions that people ask of the catalog, answered from the store alone."""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from metadata_assets.catalog.diff import diff_entries
from metadata_assets.catalog.graph import LineageGraph, TableEdge
from metadata_assets.catalog.names import is_selected
from metadata_assets.catalog.propagation import shortest_path
from metadata_assets.errors import SelectionError
from metadata_assets.model.entity import TableEntry, TagEntry
from metadata_assets.model.finding import Finding
from metadata_assets.model.lineage import ColumnEdge, ColumnRef
from metadata_assets.model.publication import FieldChange
from metadata_assets.model.table import TableName, tables_among
from metadata_assets.store.facts import Fact
from metadata_assets.store.published import Standing
from metadata_assets.store.store import Store


def parse_table(text: str) -> TableName:
    """Read a table name from the command line.

    Raises:
        SelectionError: it is not of the form database.table.
    """
    try:
        return TableName.parse(text)
    except ValueError as error:
        raise SelectionError(str(error)) from error


def find_entry(store: Store, text: str) -> TableEntry:
    """The entry of a table.

    Raises:
        SelectionError: there is none; names those that are spelled alike.
    """
    subject = parse_table(text).subject
    entry: TableEntry | None = store.facts.contents("entry", [subject]).get(subject)
    if entry is None:
        known = [str(t) for t in tables_among(store.facts.hashes("entry"))]
        raise SelectionError(f"no table {text!r} in the catalog{_hint(text, known)}")
    return entry


def _hint(text: str, known: Sequence[str]) -> str:
    if not known:
        return ": it is empty; run `metadata-assets backfill` first"
    close = difflib.get_close_matches(text.lower(), known, n=3)
    return f"; did you mean {' or '.join(close)}?" if close else ""


@dataclass(frozen=True, slots=True)
class TableStatus:
    """How a table stands: when it was last seen in the metastore, and what each destination holds of it."""

    name: str
    seen: float
    standings: tuple[Standing, ...]


def table_statuses(store: Store, select: Sequence[str]) -> list[TableStatus]:
    """One status a selected table, ordered by name."""
    by_subject: dict[str, list[Standing]] = {}
    for standing in store.published.standings():
        by_subject.setdefault(standing.subject, []).append(standing)
    found = []
    for subject, seen in sorted(store.facts.seen("schema").items()):
        table = TableName.of_subject(subject)
        if is_selected(select, table):
            found.append(TableStatus(str(table), seen, tuple(by_subject.get(subject, ()))))
    return found


def read_graph(store: Store) -> LineageGraph:
    scripts = store.facts.contents("script").values()
    return LineageGraph.of(scripts, store.facts.contents("declared_lineage").values())


@dataclass(frozen=True, slots=True)
class Reached:
    """Something that a change would reach: by which edge, through which job, whose it is, and where it is shown."""

    distance: int
    name: str
    source: str
    kind: str
    jobs: tuple[str, ...]
    owner: str | None
    destinations: tuple[str, ...]


def impact_of(store: Store, text: str, *, upstream: bool) -> list[Reached]:
    """Everything downstream (or upstream) of `db.table` or `db.table.column`, nearest first.

    Raises:
        SelectionError: no such table or column.
    """
    parts = text.strip().lower().split(".", 2)
    entry = find_entry(store, ".".join(parts[:2]))
    graph = read_graph(store)
    if len(parts) == 2:
        edges: Iterable[tuple[int, TableEdge | ColumnEdge]] = graph.reached(entry.name, upstream=upstream)
    else:
        _require_column(entry, parts[2])
        edges = graph.reached_columns(ColumnRef(entry.name, parts[2]), upstream=upstream)
    return _described(store, graph, edges, upstream=upstream)


def _require_column(entry: TableEntry, column: str) -> None:
    names = [c.name.lower() for c in entry.columns]
    if column.split(".")[0].split("[")[0].split("{")[0] not in names:
        raise SelectionError(f"{entry.name} has no column {column!r}{_hint(column, names)}")


def _described(
    store: Store, graph: LineageGraph, edges: Iterable[tuple[int, TableEdge | ColumnEdge]], *, upstream: bool
) -> list[Reached]:
    entries: dict[str, TableEntry] = store.facts.contents("entry")
    places: dict[str, list[str]] = {}
    for standing in store.published.standings():
        if standing.written_at is not None and standing.content_hash:
            places.setdefault(standing.subject, []).append(standing.destination)
    found: dict[tuple[str, str, str], Reached] = {}
    for distance, edge in edges:
        end, start = (edge.source, edge.target) if upstream else (edge.target, edge.source)
        table = end if isinstance(end, TableName) else end.table
        key = (str(end), str(start), _kind(edge))
        jobs = {edge.job} if isinstance(edge, TableEdge) else _jobs_between(graph, edge)
        before = found.get(key)
        found[key] = Reached(
            before.distance if before else distance,
            str(end),
            str(start),
            _kind(edge),
            tuple(sorted(jobs | set(before.jobs if before else ()))),
            entries[table.subject].owner if table.subject in entries else None,
            tuple(sorted(places.get(table.subject, ()))),
        )
    return sorted(found.values(), key=lambda r: (r.distance, r.name, r.source))


def _kind(edge: TableEdge | ColumnEdge) -> str:
    if isinstance(edge, TableEdge):
        return "declared" if edge.declared else "inferred"
    return f"{edge.kind} {edge.transform}"


def _jobs_between(graph: LineageGraph, edge: ColumnEdge) -> set[str]:
    return {e.job for e in graph.tables_into.get(edge.target.table, ()) if e.source == edge.source.table}


@dataclass(frozen=True, slots=True)
class Version:
    """One version of what is known of a table: who said it, in which run, and what it changed."""

    fact: Fact
    changes: tuple[FieldChange, ...]


def history_of(store: Store, text: str) -> list[Version]:
    """All versions of a table's facts, oldest first.

    Raises:
        SelectionError: nothing was ever known of it.
    """
    facts = store.facts.history(parse_table(text).subject)
    if not facts:
        raise SelectionError(f"nothing was ever known of {text!r}")
    before: dict[str, Any] = {}
    versions = []
    for fact in facts:
        old = before.get(fact.kind)
        versions.append(Version(fact, _changes(fact, old)))
        before[fact.kind] = fact.content
    return versions


def _changes(fact: Fact, old: Any) -> tuple[FieldChange, ...]:
    if fact.kind == "entry":
        return diff_entries(old, fact.content)
    return ()


def entry_fields(entry: TableEntry) -> dict[str, object]:
    """The entry as the command line prints it with --json."""
    return {
        "table": str(entry.name),
        "kind": entry.kind,
        "comment": entry.comment,
        "description": entry.description,
        "owner": entry.owner,
        "location": entry.location,
        "provider": entry.provider,
        "schema_origin": entry.schema_origin,
        "tags": [_tag(t) for t in entry.tags],
        "terms": list(entry.terms),
        "meta": dict(entry.meta),
        "notes": list(entry.notes),
        "columns": [
            {
                "name": c.name,
                "type": c.type_text,
                "partition_key": c.partition_key,
                "docs": c.description if c.description is not None else c.comment,
                "comment": c.comment,
                "description": c.description,
                "tags": [_tag(t) for t in c.tags],
                "terms": list(c.terms),
            }
            for c in entry.columns
        ],
        "lineage": {
            "upstream": [{"table": str(u.table), "jobs": list(u.jobs), "declared": u.declared} for u in entry.upstream],
            "columns": [
                {"to": e.target.column, "from": str(e.source), "kind": e.kind, "transform": e.transform}
                for e in entry.column_lineage
            ],
        },
        "sources": dict(entry.sources),
    }


def _tag(tag: Any) -> dict[str, object]:
    return {
        "name": tag.name,
        "verdict": tag.verdict,
        "band": tag.band,
        "source": tag.source,
        "inherited_from": tag.inherited_from,
    }


def explain_column(store: Store, text: str) -> list[dict[str, object]]:
    """Each tag of `db.table.column`: its verdict, whether it is direct or inherited, by which path, on what evidence.

    Raises:
        SelectionError: no such column.
    """
    parts = text.strip().lower().split(".", 2)
    entry = find_entry(store, ".".join(parts[:2]))
    column = next((c for c in entry.columns if len(parts) == 3 and c.name.lower() == parts[2]), None)
    if column is None:
        raise SelectionError(f"{text!r} is no column of the catalog{_hint(parts[-1], [c.name for c in entry.columns])}")
    graph = read_graph(store)
    profile = store.facts.contents("profile", [entry.subject]).get(entry.subject)
    findings = {f.tag: f for f in (profile.findings if profile else ()) if f.column.lower() == parts[2]}
    return [_explained(text, tag, findings.get(tag.name), graph) for tag in column.tags]


def _explained(text: str, tag: TagEntry, finding: Finding | None, graph: LineageGraph) -> dict[str, object]:
    evidence = f"written in {tag.source}" if tag.verdict == "confirmed" else tag.source
    if finding is not None:
        passed = f"{finding.matched} of {finding.distinct} distinct values passed, {finding.chance:.2%} would by chance"
        evidence += f"; {passed}; shapes {', '.join(finding.shapes)}" if finding.distinct else "; judged by its name"
    path = ""
    if tag.inherited_from:
        origin, target = ColumnRef.parse(tag.inherited_from), ColumnRef.parse(text)
        path = " → ".join(str(c) for c in shortest_path(graph, origin, target, tag))
    return {
        "column": text.lower(),
        "tag": tag.name,
        "verdict": tag.verdict,
        "origin": "inherited" if tag.inherited_from else "direct",
        "path": path,
        "evidence": evidence,
    }
