"""The catalog as tabs and rows, the same for every tabular destination."""

from collections.abc import Iterable, Iterator, Mapping

from metadata_assets.catalog.coverage import Coverage, coverage_by_database, shown_text
from metadata_assets.model.entity import (
    CategoryEntry,
    ColumnEntry,
    DatabaseEntry,
    Entry,
    ProcessEntry,
    Row,
    Scalar,
    TableEntry,
    TagEntry,
    TermEntry,
)

# Tab → its columns, in their order. A destination adds its own key and status columns.
TABS: Mapping[str, tuple[str, ...]] = {
    "Databases": ("Database", "Description", "Owner", "Location", "Tables"),
    "Tables": (
        "Database", "Table", "Kind", "Description", "Owner", "Tags", "Suspected", "Terms", "Format", "Columns",
        "Described columns", "Filled from", "Location", "More", "Notes",
    ),
    "Columns": (
        "Database", "Table", "Column", "Type", "Key", "Description", "Tags", "Inherited tags", "Suspected", "Terms",
        "Comes from",
    ),
    "Lineage": ("Job", "From", "To", "Known from", "Columns"),
    "Glossary": ("Kind", "Name", "Category", "Description", "Owner"),
    "Coverage": (
        "Database", "Tables", "Described tables", "Share of tables", "Columns", "Described columns", "Share of columns",
        "Tables with an owner", "Tables with PII",
    ),
}  # fmt: skip


def to_rows(entries: Iterable[Entry]) -> list[Row]:
    """All rows of all tabs. A row's key is stable for as long as the thing exists under its name."""
    known = list(entries)
    tables = [e for e in known if isinstance(e, TableEntry)]
    coverage = coverage_by_database(tables)
    rows: list[Row] = []
    for entry in known:
        rows += _rows_of(entry, coverage)
    return rows


def _rows_of(entry: Entry, coverage: Mapping[str, Coverage]) -> Iterator[Row]:
    match entry:
        case DatabaseEntry():
            yield from _database_rows(entry, coverage.get(entry.name, Coverage()))
        case TableEntry():
            yield _table_row(entry)
            for column in entry.columns:
                yield _column_row(entry, column)
        case ProcessEntry():
            yield from _process_rows(entry)
        case CategoryEntry():
            yield _row("Glossary", entry, ("category", entry.name, entry.parent, entry.description, None))
        case TermEntry():
            yield _row("Glossary", entry, ("term", entry.name, entry.category, entry.description, entry.owner))


def _process_rows(entry: ProcessEntry) -> Iterator[Row]:
    for source in entry.inputs:
        number = sum(1 for e in entry.columns if e.source.table == source)
        known_from = "written by hand" if entry.declared else "SQL"
        cells = (entry.job, str(source), str(entry.output), known_from, number)
        yield _row("Lineage", entry, cells, f"{entry.job} {source} {entry.output}")


def _row(
    tab: str, entry: Entry, cells: tuple[Scalar, ...], key: str = "", sources: Mapping[str, str] | None = None
) -> Row:
    """A row; its key is the entry's subject where an entry has but one row in its tab."""
    named = tuple(zip(TABS[tab], cells, strict=True))
    return Row(tab, key or entry.subject, entry.subject, named, entry.sources if sources is None else sources)


def _table_row(entry: TableEntry) -> Row:
    cells: tuple[Scalar, ...] = (
        entry.name.database,
        entry.name.table,
        entry.kind.replace("_", " "),
        shown_text(entry),
        entry.owner,
        _tags(entry.tags, "confirmed"),
        _tags(entry.tags, "suggested"),
        ", ".join(entry.terms),
        entry.provider,
        len(entry.columns),
        sum(1 for c in entry.columns if shown_text(c)),
        ", ".join(sorted({str(u.table) for u in entry.upstream})),
        entry.location,
        ", ".join(f"{key}: {value}" for key, value in entry.meta),
        "; ".join(entry.notes),
    )
    sources = {
        "Description": entry.sources.get("description", "metastore"),
        "Owner": entry.sources.get("owner", "metastore"),
        "Tags": _sources(entry.tags),
    }
    return _row("Tables", entry, cells, str(entry.name), sources)


def _column_row(entry: TableEntry, column: ColumnEntry) -> Row:
    own = tuple(t for t in column.tags if t.inherited_from is None)
    inherited = tuple(t for t in column.tags if t.inherited_from is not None)
    origins = sorted({str(e.source) for e in entry.column_lineage if e.target.column == column.name.lower()})
    cells: tuple[Scalar, ...] = (
        entry.name.database,
        entry.name.table,
        column.name,
        column.type_text,
        "partition" if column.partition_key else "",
        shown_text(column),
        _tags(own, "confirmed"),
        ", ".join(f"{t.name} (from {t.inherited_from})" for t in inherited),
        _tags(own, "suggested"),
        ", ".join(column.terms),
        ", ".join(origins),
    )
    path = f"columns.{column.name.lower()}.description"
    sources = {"Description": entry.sources.get(path, "metastore"), "Tags": _sources(own), "Comes from": "lineage"}
    return _row("Columns", entry, cells, f"{entry.name}.{column.name.lower()}", sources)


def _tags(tags: Iterable[TagEntry], verdict: str) -> str:
    return ", ".join(t.name if t.band is None else f"{t.name} ({t.band})" for t in tags if t.verdict == verdict)


def _sources(tags: Iterable[TagEntry]) -> str:
    return ", ".join(sorted({t.source for t in tags if t.source}))


def _database_rows(entry: DatabaseEntry, counts: Coverage) -> Iterator[Row]:
    about = (entry.name, entry.comment, entry.owner, entry.location, counts.tables)
    yield _row("Databases", entry, about, entry.name)
    shares: tuple[Scalar, ...] = (
        entry.name,
        counts.tables,
        counts.described_tables,
        _share(counts.described_tables, counts.tables),
        counts.columns,
        counts.described_columns,
        _share(counts.described_columns, counts.columns),
        counts.owned_tables,
        counts.tables_with_pii,
    )
    yield _row("Coverage", entry, shares, entry.name, {})


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
