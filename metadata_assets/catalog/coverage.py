"""How much of the catalog is documented: tables and columns as two numbers, with nothing averaged away."""

from collections.abc import Iterable
from dataclasses import dataclass

from metadata_assets.model.entity import ColumnEntry, TableEntry


@dataclass(slots=True)
class Coverage:
    """Counts for one database. A comment of the metastore counts as documentation like a description of ours."""

    tables: int = 0
    described_tables: int = 0
    owned_tables: int = 0
    columns: int = 0
    described_columns: int = 0
    tables_with_pii: int = 0

    def add(self, entry: TableEntry) -> None:
        self.tables += 1
        self.described_tables += bool(shown_text(entry))
        self.owned_tables += bool(entry.owner)
        self.columns += len(entry.columns)
        self.described_columns += sum(1 for c in entry.columns if shown_text(c))
        self.tables_with_pii += any(t.name.startswith("PII") for c in entry.columns for t in c.tags)


def shown_text(entry: TableEntry | ColumnEntry) -> str:
    """What people read: our description where somebody claimed it (empty on purpose included), else the comment."""
    return (entry.description if entry.description is not None else entry.comment) or ""


def coverage_by_database(entries: Iterable[TableEntry]) -> dict[str, Coverage]:
    found: dict[str, Coverage] = {}
    for entry in entries:
        found.setdefault(entry.name.database, Coverage()).add(entry)
    return found
