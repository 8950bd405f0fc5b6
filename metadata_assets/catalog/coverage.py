"""How much of the catalog is documented: tables and columns as two numbers, with nothing averaged away."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from metadata_assets.model.entity import ColumnEntry, TableEntry, TagEntry

_STEP = re.compile(r"\.|\[]|\{}")  # from a column into a field of it


@dataclass(slots=True)
class Coverage:
    """Counts for one database. A comment of the metastore counts as documentation like a description of ours.

    A table with confirmed PII is counted as such only, whatever else is suspected in it; rejected tags count nowhere.
    """

    tables: int = 0
    described_tables: int = 0
    owned_tables: int = 0
    columns: int = 0
    described_columns: int = 0
    tables_with_pii: int = 0
    tables_with_suspected_pii: int = 0

    def add(self, entry: TableEntry) -> None:
        self.tables += 1
        self.described_tables += bool(shown_text(entry))
        self.owned_tables += bool(entry.owner)
        columns = whole_columns(entry)
        self.columns += len(columns)
        self.described_columns += sum(1 for c in columns if shown_text(c))
        verdicts = {t.verdict for t in _all_tags(entry) if t.name.startswith("PII")}
        self.tables_with_pii += "confirmed" in verdicts
        self.tables_with_suspected_pii += "suggested" in verdicts and "confirmed" not in verdicts


def _all_tags(entry: TableEntry) -> Iterator[TagEntry]:
    yield from entry.tags
    for column in entry.columns:
        yield from column.tags


def whole_columns(entry: TableEntry) -> list[ColumnEntry]:
    """Columns without the nested fields: of these an entry holds only those that somebody wrote about."""
    names = {c.name.lower() for c in entry.columns}
    return [c for c in entry.columns if not _is_field_of(c.name.lower(), names)]


def _is_field_of(name: str, columns: set[str]) -> bool:
    return any(name[: p.start()] in columns for p in _STEP.finditer(name))


def docs_of(entry: TableEntry | ColumnEntry) -> str | None:
    """What people read: our description where somebody claimed it (empty on purpose included), else the comment."""
    return entry.description if entry.description is not None else entry.comment


def shown_text(entry: TableEntry | ColumnEntry) -> str:
    """The same as a text to be shown, empty where there is none."""
    return docs_of(entry) or ""


def coverage_by_database(entries: Iterable[TableEntry]) -> dict[str, Coverage]:
    found: dict[str, Coverage] = {}
    for entry in entries:
        found.setdefault(entry.name.database, Coverage()).add(entry)
    return found
