"""Questions that people ask of the catalog by name, answered from the store alone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metadata_assets.catalog.diff import diff_entries
from metadata_assets.catalog.explanation import Explanation, explain_tags
from metadata_assets.catalog.impact import Reached, reached_from
from metadata_assets.errors import SelectionError
from metadata_assets.model.entity import TableEntry
from metadata_assets.model.lineage import ColumnRef
from metadata_assets.model.publication import FieldChange
from metadata_assets.model.suggestions import did_you_mean
from metadata_assets.model.table import TableName, tables_among
from metadata_assets.store.absent_tags import AbsentTag, absent_tags
from metadata_assets.store.data_changes import NEVER
from metadata_assets.store.facts import Fact
from metadata_assets.store.lineage_facts import LineageFacts
from metadata_assets.store.looks import last_look
from metadata_assets.store.published import Standing
from metadata_assets.store.store import STORE_FILE, Store

_SHOWN_COLUMNS = 30


def parse_table(text: str) -> TableName:
    """Read a table name that somebody asks for.

    Raises:
        SelectionError: it is not of the form database.table, or no text at all.
    """
    try:
        text.encode()  # what a shell passes on may be any bytes, and no store has a name of such
        return TableName.parse(text)
    except UnicodeEncodeError as error:
        raise SelectionError(f"{text!r} is not a table name: it is not written in UTF-8") from error
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
        if not known:
            raise SelectionError(f"no table {text!r} in the catalog: {nothing_known(store)}")
        raise SelectionError(f"no table {text!r} in the catalog{_why_not(store, subject) or _hint(text, known)}")
    return entry


def nothing_known(store: Store) -> str:
    """What to say where a store has no table: what the last look at the metastore came to, or that there was none."""
    look = last_look(store)
    return nothing_at(store.place, "" if look is None else look.problem)


def nothing_at(place: str, problem: str = "") -> str:
    """The same where no store was opened: people often ask from another folder than the one they filled.

    Args:
        place: of the store, as in `Store.place`.
        problem: why the last backfill found nothing.
    """
    file = Path(place)
    where = f"METADATA_HOME is {file.parent}" if file.name == STORE_FILE else f"the store is {place}"
    todo = f"the last look at the metastore failed: {problem}" if problem else "run `metadata-assets backfill` first"
    other = "set METADATA_HOME to the folder of the catalog that you mean"
    return f"nothing is catalogued there yet ({where}): {todo}, or {other}"


def _why_not(store: Store, subject: str) -> str:
    """Why a table that people or the metastore know is not in the catalog; empty where nobody knows it."""
    for stage, trouble in store.work.trouble().get(subject, {}).items():
        return f": {stage} failed at it: {trouble.error}"
    for kind in ("documentation", "tags"):
        for fact in store.facts.latest(kind, [subject]):
            if fact.content is not None:
                return f": it is written of in {fact.source}, but it is not in the metastore"
    return ""


def _hint(text: str, known: Sequence[str]) -> str:
    hint = did_you_mean(text, known)
    return f"; {hint}" if hint else ""


def _column_hint(path: str | None, entry: TableEntry) -> str:
    """What a column that is none may have been meant to be; a nested path by the column that it begins with."""
    names = [c.name.lower() for c in entry.columns]
    more = f" and {len(names) - _SHOWN_COLUMNS} more" if len(names) > _SHOWN_COLUMNS else ""
    all_of_them = f"its columns are {', '.join(names[:_SHOWN_COLUMNS])}{more}" if names else "it has no columns"
    return did_you_mean(_root(path), names, all_of_them) if path else all_of_them


def _root(path: str) -> str:
    return re.split(r"[.\[{]", path, maxsplit=1)[0]


def _divided(text: str) -> tuple[str, str | None]:
    """`db.table` and the column or nested path that follows it; None where nothing does."""
    parts = text.strip().lower().split(".", 2)
    return ".".join(parts[:2]), parts[2] if len(parts) == 3 else None


@dataclass(frozen=True, slots=True)
class TableStatus:
    """How a table stands: when it was last seen in the metastore, what each destination holds of it, and when events
    last told that its data changed. Times are epoch seconds."""

    name: TableName
    seen: float | None  # None where it was listed and never could be read
    standings: tuple[Standing, ...]
    data_changed: float | None = None


def table_statuses(store: Store) -> list[TableStatus]:
    """One status a table, ordered by name; tables that could never be read are among them."""
    by_subject: dict[str, list[Standing]] = {}
    for standing in store.published.standings():
        by_subject.setdefault(standing.subject, []).append(standing)
    seen, data = store.facts.seen("schema"), store.data_changes.times()
    return [
        TableStatus(
            table,
            seen.get(table.subject),
            tuple(by_subject.get(table.subject, ())),
            data.get(table.subject, NEVER).at or None,
        )
        for table in sorted(tables_among(seen.keys() | store.work.trouble().keys()))
    ]


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
    lineage = LineageFacts(store.facts)
    lineage.feeding([entry.name]) if upstream else lineage.downstream([entry.name])
    reached = reached_from(lineage.graph(), start, upstream=upstream)
    subjects = {r.table.subject for r in reached}
    entries: dict[str, TableEntry] = store.facts.contents("entry", subjects)
    places: dict[str, list[str]] = {}
    for standing in store.published.standings(subjects):
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
    if _root(path) not in (c.name.lower() for c in entry.columns):
        raise SelectionError(f"{entry.name} has no column {path!r}; {_column_hint(path, entry)}")
    return ColumnRef(entry.name, path)


@dataclass(frozen=True, slots=True)
class Version:
    """One version of what is known of a table: who said it, in which run, and what it changed in the entry."""

    fact: Fact
    changes: tuple[FieldChange, ...]


def history_of(store: Store, text: str) -> list[Version]:
    """All versions of a table's facts, oldest first; those under names that it had before among them.

    Raises:
        SelectionError: nothing was ever known of it.
    """
    facts = _with_former(store, parse_table(text).subject)
    if not facts:
        known = [str(t) for t in tables_among(store.facts.hashes("entry"))]
        why = _hint(text, known) if known else f": {nothing_known(store)}"
        raise SelectionError(f"nothing was ever known of {text!r}{why}")
    before: Any = None
    versions = []
    for fact in facts:
        if fact.kind == "entry":
            versions.append(Version(fact, diff_entries(before, fact.content)))
            before = fact.content
        else:
            versions.append(Version(fact, ()))
    return versions


def _with_former(store: Store, subject: str) -> list[Fact]:
    """What was known of a table as long as it had each of its names: another one may have had the name later. That the
    old name is gone says nothing of the table."""
    facts = store.facts.history(subject)
    for move in store.moves.former_names(subject):
        began = min((f.recorded_at for f in facts), default=float("inf"))
        former = store.facts.history(move.previous) if move.previous is not None else []
        facts = [f for f in former if f.content is not None and f.recorded_at <= began] + facts
    return facts


@dataclass(frozen=True, slots=True)
class Explained:
    """The tags of a column with their reasons, and those that could be expected and are not there with theirs."""

    present: list[Explanation]
    absent: list[AbsentTag]


def explain_column(store: Store, text: str) -> Explained:
    """Why each tag of `db.table.column` is there, or is not.

    Raises:
        SelectionError: no such column.
    """
    name, path = _divided(text)
    entry = find_entry(store, name)
    column = next((c for c in entry.columns if c.name.lower() == path), None)
    if path is None or column is None:
        raise SelectionError(f"{text!r} is no column of the catalog; {_column_hint(path, entry)}")
    profile = store.facts.contents("profile", [entry.subject]).get(entry.subject)
    findings = profile.findings if profile else ()
    lineage = LineageFacts(store.facts)
    lineage.upstream([entry.name])
    reference, graph = ColumnRef(entry.name, path), lineage.graph()
    present = explain_tags(reference, column.tags, findings, graph)
    return Explained(present, absent_tags(store, graph, entry, reference))
