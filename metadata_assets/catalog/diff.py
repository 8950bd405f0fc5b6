"""Entries compared field by field. Every destination's diff is built on this, so a plan reads the same everywhere."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from metadata_assets.model.entity import ColumnEntry, DatabaseEntry, Entry, ProcessEntry, Scalar, TableEntry, TagEntry
from metadata_assets.model.lineage import ColumnEdge
from metadata_assets.model.publication import Action, Change, Changes, FieldChange, Wanted


def to_fields(entry: Entry) -> dict[str, Scalar]:
    """An entry as flat fields: `description`, `columns.cpf.type`, `lineage.raw.users` … without the empty ones."""
    if isinstance(entry, TableEntry):
        pairs = _table_fields(entry)
    elif isinstance(entry, ProcessEntry):
        pairs = _process_fields(entry)
    elif isinstance(entry, DatabaseEntry):
        pairs = iter([("comment", entry.comment), ("owner", entry.owner), ("location", entry.location)])
    else:
        pairs = _glossary_fields(entry)
    return {name: value for name, value in pairs if value is not None}


def _glossary_fields(entry: Entry) -> Iterator[tuple[str, Scalar]]:
    for name in ("description", "parent", "category", "owner"):
        yield name, getattr(entry, name, None)


def _table_fields(entry: TableEntry) -> Iterator[tuple[str, Scalar]]:
    for name in (
        "kind", "comment", "description", "owner", "location", "provider", "created_at", "schema_origin", "view_text",
    ):  # fmt: skip
        yield name, getattr(entry, name)
    yield "tags", _tag_text(entry.tags)
    yield "terms", ", ".join(entry.terms) or None
    for key, value in entry.meta:
        yield f"meta.{key}", "" if value is None else value  # null is empty on purpose
    for prefix, column in zip(_prefixes(entry), entry.columns, strict=True):
        yield from _column_fields(column, prefix)
    for upstream in entry.upstream:
        jobs = ", ".join(upstream.jobs)
        yield f"lineage.{upstream.table}", f"{jobs} (declared)" if upstream.declared else jobs
    yield from _edge_fields("lineage.", entry.column_lineage)
    yield "notes", "; ".join(entry.notes) or None


def _process_fields(entry: ProcessEntry) -> Iterator[tuple[str, Scalar]]:
    yield "inputs", ", ".join(str(t) for t in entry.inputs)
    yield "declared", entry.declared or None
    yield from _edge_fields("", entry.columns)


def _edge_fields(prefix: str, edges: Iterable[ColumnEdge]) -> Iterator[tuple[str, Scalar]]:
    ways: dict[str, list[str]] = {}
    for edge in edges:
        ways.setdefault(f"{prefix}{edge.target.column} ← {edge.source}", []).append(f"{edge.kind} {edge.transform}")
    yield from ((name, ", ".join(texts)) for name, texts in ways.items())


def _prefixes(entry: TableEntry) -> list[str]:
    """`columns.NAME` of each column; engines that tell case apart can have the same name twice."""
    seen: Counter[str] = Counter()
    prefixes = []
    for column in entry.columns:
        name = column.name.lower()
        seen[name] += 1
        prefixes.append(f"columns.{name}" + (f"#{seen[name]}" if seen[name] > 1 else ""))
    return prefixes


def _column_fields(column: ColumnEntry, prefix: str) -> Iterator[tuple[str, Scalar]]:
    yield f"{prefix}.name", column.name
    yield f"{prefix}.type", column.type_text
    yield f"{prefix}.partition_key", True if column.partition_key else None
    yield f"{prefix}.comment", column.comment
    yield f"{prefix}.description", column.description
    yield f"{prefix}.tags", _tag_text(column.tags)
    yield f"{prefix}.terms", ", ".join(column.terms) or None


def _tag_text(tags: tuple[TagEntry, ...]) -> str | None:
    return ", ".join(_one_tag(tag) for tag in tags) or None


def _one_tag(tag: TagEntry) -> str:
    remarks: list[str] = [tag.verdict] if tag.verdict != "confirmed" else []
    if tag.band is not None:
        remarks.append(tag.band)
    if tag.inherited_from:
        remarks.append(f"from {tag.inherited_from}")
    if tag.propagate != "until_masked":
        remarks.append(f"propagate: {tag.propagate}")
    return tag.name + (f" ({'; '.join(remarks)})" if remarks else "")


def diff_entries(old: Entry | None, new: Entry | None) -> tuple[FieldChange, ...]:
    """Fields that differ, in the order of the schema. A value that goes away names the source that said it."""
    before = {} if old is None else to_fields(old)
    after = {} if new is None else to_fields(new)
    said_before, said_after = _tags_by_field(old), _tags_by_field(new)
    changes = []
    for name in [*after, *(n for n in before if n not in after)]:
        if before.get(name) != after.get(name):
            source = _source_of(new, name, said_after) if name in after else _source_of(old, name, said_before)
            changes.append(FieldChange(name, before.get(name), after.get(name), source))
    if isinstance(old, TableEntry) and isinstance(new, TableEntry):
        changes.extend(_order_change(old, new))
    return tuple(changes)


def _order_change(old: TableEntry, new: TableEntry) -> Iterator[FieldChange]:
    """One field says that columns changed places, whatever was added or dropped between them."""
    before, after = _prefixes(old), _prefixes(new)
    stayed = set(before) & set(after)
    orders = [", ".join(p.removeprefix("columns.") for p in side if p in stayed) for side in (before, after)]
    if orders[0] != orders[1]:
        yield FieldChange("columns", orders[0], orders[1], new.sources.get("schema", ""))


def _source_of(entry: Entry | None, name: str, tags: Mapping[str, tuple[TagEntry, ...]]) -> str:
    if entry is None:
        return ""
    if name in entry.sources:
        return entry.sources[name]
    if name.startswith("lineage."):
        return "lineage"
    if tags.get(name):
        return ", ".join(sorted({t.source for t in tags[name] if t.source}))
    return entry.sources.get("schema", "")


def _tags_by_field(entry: Entry | None) -> dict[str, tuple[TagEntry, ...]]:
    """The tags behind each field that shows some."""
    if not isinstance(entry, TableEntry):
        return {}
    return {f"{p}.tags": c.tags for p, c in zip(_prefixes(entry), entry.columns, strict=True)} | {"tags": entry.tags}


def compare(wanted: Wanted, held: Mapping[str, Entry | None]) -> Changes:
    """The changes that lead from what is held to what is wanted.

    `held` maps a subject to its entry, or to None where the destination once had it and knows that it was removed.
    """
    changes = []
    for entry in wanted.entries:
        subject = entry.subject
        previous = wanted.renamed.get(subject, "") if subject not in held else ""
        known = previous if previous in held else subject
        old = held.get(known)
        if old != entry or wanted.force:
            action: Action = "update" if old is not None else "restore" if known in held else "create"
            moved = known if known != subject else ""
            changes.append(Change(subject, action, entry, diff_entries(old, entry), previous=moved))
    removed = wanted.removed - {e.subject for e in wanted.entries}
    gone = [s for s in sorted(removed) if held.get(s) is not None]
    changes.extend(Change(s, "delete", None, diff_entries(held[s], None)) for s in gone)
    return Changes(len(wanted.entries) + len(removed), tuple(changes))
