"""The catalog as tabs and rows, the same for every tabular destination."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from metadata_assets.catalog.coverage import Coverage, coverage_by_database, shown_text, whole_columns
from metadata_assets.model.entity import (
    CategoryEntry,
    ColumnEntry,
    DatabaseEntry,
    Entry,
    ProcessEntry,
    Scalar,
    TableEntry,
    TagEntry,
    TermEntry,
    process_subject,
)
from metadata_assets.model.lineage import ColumnEdge
from metadata_assets.model.publication import Row
from metadata_assets.model.subject import Subject
from metadata_assets.model.table import TableName

# Tab → its columns, in their order. A destination adds its own key and status columns.
TABS: Mapping[str, tuple[str, ...]] = {
    "Databases": ("Database", "Description", "Owner", "Location", "Tables"),
    "Tables": (
        "Database", "Table", "Kind", "Description", "Owner", "Tags", "Suspected", "Terms", "Format", "Columns",
        "Described columns", "Filled from", "Location", "More", "Remarks",
    ),
    "Columns": (
        "Database", "Table", "Column", "Type", "Key", "Description", "Tags", "Inherited tags", "Suspected", "Terms",
        "Comes from",
    ),
    "Lineage": ("Job", "From", "To", "Known from", "Columns", "Column flow"),
    "Glossary": ("Kind", "Name", "Category", "Path", "Description", "Owner"),
    "Coverage": (
        "Database", "Tables", "Described tables", "Share of tables", "Columns", "Described columns", "Share of columns",
        "Tables with an owner", "Tables with PII", "Tables with suspected PII",
    ),
}  # fmt: skip

# What a row's key is made of: (between the parts, the cells that name the thing).
_IDENTITY: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "Databases": (".", ("Database",)),
    "Tables": (".", ("Database", "Table")),
    "Columns": (".", ("Database", "Table", "Column")),
    "Lineage": (" ", ("Job", "From", "To")),
    "Glossary": (":", ("Kind", "Name")),
    "Coverage": (".", ("Database",)),
}
_SHOWN_FLOWS = 30


def key_of(tab: str, cells: Mapping[str, Scalar]) -> str:
    """The key of a row, from what people see of it. Column names differ in more than case, or get a number."""
    between, names = _IDENTITY[tab]
    key = between.join(str(cells.get(n) or "") for n in names)
    return key.lower() if tab == "Columns" else key


def entry_of(tab: str, cells: Mapping[str, Scalar]) -> str:
    """The subject of the entry that a row belongs to, from what people see of it."""
    match tab:
        case "Tables" | "Columns":
            return TableName(str(cells.get("Database")), str(cells.get("Table"))).subject
        case "Databases" | "Coverage":
            return str(Subject("database", str(cells.get("Database"))))
        case "Lineage":
            return process_subject(str(cells.get("Job")), str(cells.get("To")))
        case _:  # the key of a row of the glossary is the subject itself
            return key_of(tab, cells)


def identity_of(tab: str) -> tuple[str, ...]:
    """The columns that name what a row is about."""
    return _IDENTITY[tab][1]


def shown_of(tab: str, entry: str) -> Mapping[str, Scalar]:
    """What a row shows of its name, as far as the subject of its entry says it: the other way round than `entry_of`.

    Empty where the text is no subject of that tab.
    """
    kind, _, name = entry.partition(":")
    match tab, kind:
        case (("Tables" | "Columns"), "table"):
            table = TableName.of_subject(entry)
            return {"Database": table.database, "Table": table.table}
        case (("Databases" | "Coverage"), "database"):
            return {"Database": name}
        case "Lineage", "process":
            job, _, output = name.rpartition("->")
            return {"Job": job, "To": output}
        case "Glossary", ("category" | "term"):
            return {"Kind": kind, "Name": name}
        case _:
            return {}


def to_rows(entries: Iterable[Entry]) -> list[Row]:
    """All rows of all tabs. A row's key is stable for as long as the thing exists under its name.

    Counts (tables of a database, coverage) and paths of the glossary are over the given entries: whoever publishes
    databases gives their tables with them.
    """
    known = list(entries)
    coverage = coverage_by_database(e for e in known if isinstance(e, TableEntry))
    parents = {e.name: e.parent for e in known if isinstance(e, CategoryEntry)}
    seen: Counter[str] = Counter()
    return [_numbered(row, seen) for entry in known for row in _rows_of(entry, coverage, parents)]


def _numbered(row: Row, seen: Counter[str]) -> Row:
    seen[row.subject] += 1
    times = seen[row.subject]
    return row if times == 1 else replace(row, key=f"{row.key}#{times}")


def _rows_of(entry: Entry, coverage: Mapping[str, Coverage], parents: Mapping[str, str | None]) -> Iterator[Row]:
    match entry:
        case DatabaseEntry():
            yield from _database_rows(entry, coverage.get(entry.name, Coverage()))
        case TableEntry():
            yield _table_row(entry)
            yield from _column_rows(entry)
        case ProcessEntry():
            yield from _process_rows(entry)
        case CategoryEntry():
            path = _path(entry.parent, parents)
            yield _row("Glossary", entry, ("category", entry.name, entry.parent, path, entry.description, None))
        case TermEntry():
            path = _path(entry.category, parents)
            yield _row("Glossary", entry, ("term", entry.name, entry.category, path, entry.description, entry.owner))


def _path(category: str | None, parents: Mapping[str, str | None]) -> str:
    """All categories above, outermost first. A circle ends where it closes."""
    above: list[str] = []
    while category is not None and category not in above:
        above.append(category)
        category = parents.get(category)
    return " / ".join(reversed(above))


def _process_rows(entry: ProcessEntry) -> Iterator[Row]:
    edges: dict[TableName, list[ColumnEdge]] = {}
    for edge in entry.columns:
        edges.setdefault(edge.source.table, []).append(edge)
    for source in entry.inputs:
        known_from = "written by hand" if entry.declared else "SQL"
        flows = edges.get(source, [])
        yield _row("Lineage", entry, (entry.job, str(source), str(entry.output), known_from, len(flows), _flow(flows)))


def _flow(edges: Sequence[ColumnEdge]) -> str:
    texts = [
        f"{e.source.column} → {e.target.column}" + (f" ({e.transform})" if e.transform != "identity" else "")
        for e in edges[:_SHOWN_FLOWS]
    ]
    more = len(edges) - len(texts)
    return "; ".join(texts) + (f"; … {more} more" if more else "")


def _row(tab: str, entry: Entry, cells: tuple[Scalar, ...], sources: Mapping[str, str] | None = None) -> Row:
    named = tuple(zip(TABS[tab], cells, strict=True))
    return Row(tab, key_of(tab, dict(named)), entry.subject, named, entry.sources if sources is None else sources)


def _table_row(entry: TableEntry) -> Row:
    whole = whole_columns(entry)
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
        len(whole),
        sum(1 for c in whole if shown_text(c)),
        ", ".join(sorted({str(u.table) for u in entry.upstream})),
        entry.location,
        ", ".join(f"{key}: {value}" for key, value in entry.meta),
        "; ".join(entry.notes),
    )
    schema = entry.sources.get("schema", "metastore")
    sources = dict.fromkeys(TABS["Tables"], schema) | {
        "Description": entry.sources.get("description", schema),
        "Owner": entry.sources.get("owner", schema),
        "Tags": _sources(entry.tags, "confirmed"),
        "Suspected": _sources(entry.tags, "suggested"),
        "Terms": entry.sources.get("terms", ""),
        "Filled from": "lineage",
        "More": ", ".join(sorted({entry.sources[f"meta.{k}"] for k, _ in entry.meta if f"meta.{k}" in entry.sources})),
    }
    return _row("Tables", entry, cells, sources)


def _column_rows(entry: TableEntry) -> Iterator[Row]:
    origins: dict[str, set[str]] = {}
    for edge in entry.column_lineage:
        origins.setdefault(edge.target.column, set()).add(str(edge.source))
    for column in entry.columns:
        yield _column_row(entry, column, origins.get(column.name.lower(), set()))


def _column_row(entry: TableEntry, column: ColumnEntry, origins: set[str]) -> Row:
    own = tuple(t for t in column.tags if t.inherited_from is None)
    inherited = tuple(t for t in column.tags if t.inherited_from is not None)
    cells: tuple[Scalar, ...] = (
        entry.name.database,
        entry.name.table,
        column.name,
        column.type_text,
        "partition" if column.partition_key else "",
        shown_text(column),
        _tags(own, "confirmed"),
        _tags(inherited, "confirmed"),
        _tags(column.tags, "suggested"),
        ", ".join(column.terms),
        ", ".join(sorted(origins)),
    )
    schema, path = entry.sources.get("schema", "metastore"), f"columns.{column.name.lower()}"
    sources = dict.fromkeys(TABS["Columns"], schema) | {
        "Description": entry.sources.get(f"{path}.description", schema),
        "Tags": _sources(own, "confirmed"),
        "Inherited tags": _sources(inherited, "confirmed"),
        "Suspected": _sources(column.tags, "suggested"),
        "Terms": entry.sources.get(f"{path}.terms", ""),
        "Comes from": "lineage",
    }
    return _row("Columns", entry, cells, sources)


def _tags(tags: Iterable[TagEntry], verdict: str) -> str:
    return ", ".join(_tag(t) for t in tags if t.verdict == verdict)


def _tag(tag: TagEntry) -> str:
    remarks = [tag.band or "", f"from {tag.inherited_from}" if tag.inherited_from else ""]
    shown = "; ".join(r for r in remarks if r)
    return f"{tag.name} ({shown})" if shown else tag.name


def _sources(tags: Iterable[TagEntry], verdict: str) -> str:
    return ", ".join(sorted({t.source for t in tags if t.source and t.verdict == verdict}))


def _database_rows(entry: DatabaseEntry, counts: Coverage) -> Iterator[Row]:
    about = (entry.name, entry.comment, entry.owner, entry.location, counts.tables)
    described_by = entry.sources.get("comment", "metastore")
    yield _row("Databases", entry, about, {"Description": described_by, "Tables": "counted"})
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
        counts.tables_with_suspected_pii,
    )
    yield _row("Coverage", entry, shares, dict.fromkeys(TABS["Coverage"], "counted"))


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
