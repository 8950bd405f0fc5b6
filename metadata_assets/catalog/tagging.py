"""Which tags a table and its columns carry themselves, before anything is inherited."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from metadata_assets.model.claims import TagRules, Tags
from metadata_assets.model.entity import TagEntry
from metadata_assets.model.finding import TableProfile
from metadata_assets.model.lineage import ColumnRef
from metadata_assets.model.pattern import NamePattern
from metadata_assets.model.table import Table, TableName
from metadata_assets.model.types import nested_paths, parse_type, to_text

TABLE = ""  # the key of the table itself among its columns


@dataclass(frozen=True, slots=True)
class DirectTags:
    """Tags by column name, those of the table under `TABLE`; `orphans` are claims on columns that do not exist."""

    by_column: Mapping[str, tuple[TagEntry, ...]]
    orphans: tuple[tuple[str, str], ...] = ()  # (column, place)


def column_paths(table: Table) -> dict[str, str]:
    """Every column and nested field in lower case → its type text, in the order of the schema."""
    paths: dict[str, str] = {}
    for column in table.all_columns:
        name = column.name.lower()
        paths[name] = column.type_text
        for below, type_text in _below(column.type_text):
            paths.setdefault(name + below, type_text)
    return paths


@lru_cache(maxsize=10_000)  # a warehouse has far fewer types than columns
def _below(type_text: str) -> tuple[tuple[str, str], ...]:
    """What follows the name of a column in the paths of its nested fields → their types."""
    return tuple((path.lower(), to_text(data_type)) for path, data_type in nested_paths("", parse_type(type_text)))


def direct_tags(table: Table, tags: Tags | None, rules: TagRules, profile: TableProfile | None) -> DirectTags:
    """Claims first, then rules, then what profiling suggests: of two for one tag the first stands."""
    columns = column_paths(table)
    found: dict[str, dict[str, TagEntry]] = {}
    orphans: list[tuple[str, str]] = []
    for claim in tags.claims if tags else ():
        column = (claim.column or TABLE).lower()
        if column == TABLE or column in columns:
            _add(found, column, TagEntry(claim.tag, source=claim.place, propagate=claim.propagate))
        else:
            orphans.append((column, claim.place))
    for rule in rules.rules:
        for column in _matched(NamePattern.parse(rule.match), table.name, columns):
            _add(
                found, column, TagEntry(rule.tag, source=f"{rule.place} (rule {rule.match})", propagate=rule.propagate)
            )
    for finding in profile.findings if profile else ():
        if finding.column.lower() in columns:
            entry = TagEntry(finding.tag, "suggested", f"rule {finding.rule}", band=finding.band)
            _add(found, finding.column.lower(), entry)
    return DirectTags({c: tuple(t[n] for n in sorted(t)) for c, t in found.items()}, tuple(orphans))


def _matched(pattern: NamePattern, table: TableName, columns: Iterable[str]) -> Iterable[str]:
    if pattern.column is None:
        return [TABLE] if pattern.matches_table(table) else []
    return pattern.columns_among(table, columns)


def _add(found: dict[str, dict[str, TagEntry]], column: str, tag: TagEntry) -> None:
    found.setdefault(column, {}).setdefault(tag.name, tag)


def by_reference(table: TableName, tags: DirectTags) -> dict[ColumnRef, tuple[TagEntry, ...]]:
    """The column tags under full column names, as propagation wants them."""
    return {ColumnRef(table, column): entries for column, entries in tags.by_column.items() if column != TABLE}
