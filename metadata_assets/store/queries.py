"""Questions that people ask of the catalog by name, answered from the store alone."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from metadata_assets.catalog.diff import diff_entries
from metadata_assets.catalog.explanation import Explanation, explain_tags
from metadata_assets.catalog.graph import LineageGraph
from metadata_assets.catalog.impact import Reached, reached_from
from metadata_assets.errors import SelectionError
from metadata_assets.model.entity import TableEntry
from metadata_assets.model.lineage import ColumnRef
from metadata_assets.model.pattern import Selection
from metadata_assets.model.publication import FieldChange
from metadata_assets.model.table import TableName, tables_among
from metadata_assets.store.facts import Fact
from metadata_assets.store.published import Standing
from metadata_assets.store.store import Store


def parse_table(text: str) -> TableName:
    """Read a table name that somebody asks for.

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


def _divided(text: str) -> tuple[str, str | None]:
    """`db.table` and the column or nested path that follows it; None where nothing does."""
    parts = text.strip().lower().split(".", 2)
    return ".".join(parts[:2]), parts[2] if len(parts) == 3 else None


@dataclass(frozen=True, slots=True)
class TableStatus:
    """How a table stands: when it was last seen in the metastore, and what each destination holds of it."""

    name: TableName
    seen: float  # epoch seconds
    standings: tuple[Standing, ...]


def table_statuses(store: Store, select: Sequence[str]) -> list[TableStatus]:
    """One status a selected table, ordered by name.

    Raises:
        SelectionError: a pattern of `select` cannot be read.
    """
    selection = Selection.parse(tuple(select))
    by_subject: dict[str, list[Standing]] = {}
    for standing in store.published.standings():
        by_subject.setdefault(standing.subject, []).append(standing)
    seen = sorted(store.facts.seen("schema").items())
    return [
        TableStatus(table, moment, tuple(by_subject.get(subject, ())))
        for subject, moment in seen
        if selection.holds(table := TableName.of_subject(subject))
    ]


def lineage_graph(store: Store) -> LineageGraph:
    """The graph of all that is known."""
    scripts = store.facts.contents("script").values()
    return LineageGraph.of(scripts, store.facts.contents("declared_lineage").values())


@dataclass(frozen=True, slots=True)
class Impact:
    """Something that a change would reach, whose it is, and the destinations that show it."""

    reached: Reached
    owner: str | None
    destinations: tuple[str, ...]


def impact_of(store: Store, text: str, *, upstream: bool) -> list[Impact]:
    """Everything downstream (or upstream) of `db.table` or `db.table.column`, nearest first.

    Raises:
        SelectionError: no such table or column.
    """
    name, column = _divided(text)
    entry = find_entry(store, name)
    start = entry.name if column is None else _column_of(entry, column)
    reached = reached_from(lineage_graph(store), start, upstream=upstream)
    entries: dict[str, TableEntry] = store.facts.contents("entry", {r.table.subject for r in reached})
    places: dict[str, list[str]] = {}
    for standing in store.published.standings():
        if standing.written_at is not None and standing.content_hash:
            places.setdefault(standing.subject, []).append(standing.destination)
    return [
        Impact(
            r,
            entries[r.table.subject].owner if r.table.subject in entries else None,
            tuple(sorted(places.get(r.table.subject, ()))),
        )
        for r in reached
    ]


def _column_of(entry: TableEntry, path: str) -> ColumnRef:
    """A column or nested path of a table; the column that the path begins with has to exist."""
    names = [c.name.lower() for c in entry.columns]
    if re.split(r"[.\[{]", path, maxsplit=1)[0] not in names:
        raise SelectionError(f"{entry.name} has no column {path!r}{_hint(path, names)}")
    return ColumnRef(entry.name, path)


@dataclass(frozen=True, slots=True)
class Version:
    """One version of what is known of a table: who said it, in which run, and what it changed in the entry."""

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
    before: Any = None
    versions = []
    for fact in facts:
        if fact.kind == "entry":
            versions.append(Version(fact, diff_entries(before, fact.content)))
            before = fact.content
        else:
            versions.append(Version(fact, ()))
    return versions


def explain_column(store: Store, text: str) -> list[Explanation]:
    """Why each tag of `db.table.column` is there.

    Raises:
        SelectionError: no such column.
    """
    name, path = _divided(text)
    entry = find_entry(store, name)
    column = next((c for c in entry.columns if c.name.lower() == path), None)
    if path is None or column is None:
        hint = _hint(path or name, [c.name for c in entry.columns])
        raise SelectionError(f"{text!r} is no column of the catalog{hint}")
    profile = store.facts.contents("profile", [entry.subject]).get(entry.subject)
    findings = profile.findings if profile else ()
    return explain_tags(ColumnRef(entry.name, path), column.tags, findings, lineage_graph(store))
