"""Facts of one table merge into its entry. Each field has one owner; where two may speak, the rank is written here.

* schema, comment, location: the metastore alone;
* description, terms, meta: YAML alone;
* owner: YAML, else the metastore;
* tags: YAML claims, then YAML rules, then profiling (as suggestions), then what lineage carries over.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from metadata_assets.catalog.tagging import TABLE, DirectTags, column_paths
from metadata_assets.model.claims import Claim, Documentation
from metadata_assets.model.entity import ColumnEntry, Scalar, TableEntry, TagEntry, Upstream
from metadata_assets.model.lineage import ColumnEdge
from metadata_assets.model.table import Column, Table


@dataclass(frozen=True, slots=True)
class TableFacts:
    """Everything that is known of one table. `inherited` are tags by column name."""

    table: Table
    schema_source: str
    documentation: Documentation | None = None
    tags: DirectTags = field(default_factory=lambda: DirectTags({}))
    inherited: Mapping[str, tuple[TagEntry, ...]] = field(default_factory=dict)
    upstream: tuple[Upstream, ...] = ()
    column_lineage: tuple[ColumnEdge, ...] = ()


@dataclass(frozen=True, slots=True)
class Merged:
    """An entry, and the claims on columns that the table does not have: (path, place)."""

    entry: TableEntry
    orphans: tuple[tuple[str, str], ...]


def merge_table(facts: TableFacts) -> Merged:
    """Merge by the ranks above. Nothing is dropped: a claim is in the entry or among the orphans."""
    table = facts.table
    paths = column_paths(table)
    claims = {c.path: c for c in facts.documentation.claims} if facts.documentation else {}
    terms = facts.documentation.terms if facts.documentation else ()
    sources: dict[str, str] = {"schema": facts.schema_source}
    columns = _columns(facts, paths, claims, sources)
    entry = TableEntry(
        name=table.name,
        kind=table.kind,
        columns=columns,
        comment=table.comment,
        description=_described(claims, "description", sources),
        owner=_owner(table, claims, sources),
        location=table.location,
        provider=table.provider,
        created_at=table.created_at,
        schema_origin=table.schema_origin,
        view_text=table.view.original if table.view else None,
        tags=_tags(facts, TABLE),
        terms=tuple(sorted({t.term for t in terms if t.column is None})),
        meta=_meta(claims, sources),
        upstream=facts.upstream,
        column_lineage=facts.column_lineage,
        notes=table.notes + _folded(table),
        sources=sources,
    )
    return Merged(entry, _orphans(facts, paths, claims))


def _folded(table: Table) -> tuple[str, ...]:
    """Columns that a metastore tells apart by case alone: names are compared without it, so one stands for all."""
    numbers = Counter(c.name.lower() for c in table.all_columns)
    return tuple(f"column {name} is there {n} times, the last is shown" for name, n in numbers.items() if n > 1)


def _columns(
    facts: TableFacts, paths: Mapping[str, str], claims: Mapping[str, Claim], sources: dict[str, str]
) -> tuple[ColumnEntry, ...]:
    """All columns, each followed by those of its nested fields that somebody documented or tagged."""
    table = facts.table
    top = {c.name.lower(): c for c in table.all_columns}
    keys = {c.name.lower() for c in table.partition_keys}
    terms_of = _terms(facts)
    entries = []
    for path, type_text in paths.items():
        field_name = f"columns.{path}.description"
        tags = _tags(facts, path)
        terms = tuple(sorted(terms_of.get(path, ())))
        if path in top or field_name in claims or tags or terms:
            column = top.get(path, Column(path, type_text))
            description = _described(claims, field_name, sources)
            entries.append(
                ColumnEntry(column.name, column.type_text, path in keys, column.comment, description, tags, terms)
            )
    return tuple(entries)


def _terms(facts: TableFacts) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for claim in facts.documentation.terms if facts.documentation else ():
        if claim.column is not None:
            found.setdefault(claim.column.lower(), set()).add(claim.term)
    return found


def _tags(facts: TableFacts, path: str) -> tuple[TagEntry, ...]:
    """Each tag once: a confirmed one that is inherited says more than a suggestion for the column itself."""
    own, inherited = facts.tags.by_column.get(path, ()), facts.inherited.get(path, ())
    if not own and not inherited:
        return ()
    found = {t.name: t for t in own}
    for tag in inherited:
        if tag.name not in found or found[tag.name].verdict == "suggested":
            found[tag.name] = tag
    return tuple(found[name] for name in sorted(found))


def _described(claims: Mapping[str, Claim], path: str, sources: dict[str, str]) -> str | None:
    """None: nobody claims the field, the metastore's comment may show. Empty text: empty on purpose."""
    claim = claims.get(path)
    if claim is None:
        return None
    sources[path] = claim.place
    return "" if claim.value is None else str(claim.value)


def _owner(table: Table, claims: Mapping[str, Claim], sources: dict[str, str]) -> str | None:
    claim = claims.get("owner")
    if claim is None:
        return table.owner
    sources["owner"] = claim.place
    return None if claim.value is None else str(claim.value)


def _meta(claims: Mapping[str, Claim], sources: dict[str, str]) -> tuple[tuple[str, Scalar], ...]:
    found: dict[str, Scalar] = {}
    for path, claim in claims.items():
        if path.startswith("meta."):
            found[path.removeprefix("meta.")] = claim.value
            sources[path] = claim.place
    return tuple(sorted(found.items()))


def _orphans(facts: TableFacts, paths: Mapping[str, str], claims: Mapping[str, Claim]) -> tuple[tuple[str, str], ...]:
    found = set(facts.tags.orphans)
    for path, claim in claims.items():
        column = path.removeprefix("columns.").removesuffix(".description")
        if path.startswith("columns.") and column not in paths:
            found.add((column, claim.place))
    for term in facts.documentation.terms if facts.documentation else ():
        if term.column is not None and term.column.lower() not in paths:
            found.add((term.column.lower(), term.place))
    return tuple(sorted(found))
