"""Tables of the lake as Dagster sees them: external assets, and events with schema and lineage of what changed."""

from collections.abc import Iterable

import dagster as dg

from metadata_assets.defs import keys
from metadata_assets.model.entity import ColumnEntry, TableEntry


def table_event(entry: TableEntry) -> dg.AssetMaterialization:
    """Tells Dagster about one changed table: its columns and where each comes from."""
    return dg.AssetMaterialization(
        asset_key=keys.table_key(entry.name),
        description=entry.description or entry.comment or None,
        metadata={
            "dagster/column_schema": dg.TableSchema(columns=[_column(c) for c in entry.columns]),
            "dagster/column_lineage": _column_lineage(entry),
            "dagster/table_name": str(entry.name),
        },
    )


def _column(column: ColumnEntry) -> dg.TableColumn:
    tags = {t.name.lower(): t.verdict for t in column.tags}
    return dg.TableColumn(
        name=column.name,
        type=column.type_text or "unknown",
        description=column.description if column.description is not None else column.comment,
        tags=tags,
    )


def _column_lineage(entry: TableEntry) -> dg.TableColumnLineage:
    deps: dict[str, list[dg.TableColumnDep]] = {}
    for edge in entry.column_lineage:
        source = dg.TableColumnDep(keys.table_key(edge.source.table), edge.source.column)
        deps.setdefault(edge.target.column, []).append(source)
    return dg.TableColumnLineage(deps)


def table_specs(entries: Iterable[TableEntry]) -> list[dg.AssetSpec]:
    """One external asset a table, without its columns: those arrive as events, so that a big lake still loads."""
    found: dict[dg.AssetKey, dg.AssetSpec] = {}
    for entry in entries:
        key = keys.table_key(entry.name)
        # Two names may become one key once their odd characters are gone; the first keeps it.
        found.setdefault(key, _spec(entry, key))
    return list(found.values())


def _spec(entry: TableEntry, key: dg.AssetKey) -> dg.AssetSpec:
    tags = {t.name.lower() for t in entry.tags} | {t.name.lower() for c in entry.columns for t in c.tags}
    return dg.AssetSpec(
        key,
        deps=sorted({keys.table_key(u.table) for u in entry.upstream} - {key}),
        description=entry.description or entry.comment,
        group_name=keys.table_group(entry.name.database),
        kinds={"hive", "view" if entry.kind in ("view", "materialized_view") else "table"},
        owners=keys.owner_of(entry.owner),
        tags={f"metadata/{t}": "" for t in sorted(tags)[:10]},
        metadata={"dagster/table_name": str(entry.name), **({"dagster/uri": entry.location} if entry.location else {})},
    )
