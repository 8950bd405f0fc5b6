"""Tables of the lake as Dagster sees them: external assets, and events with schema and lineage of what changed."""

from collections.abc import Iterable

import dagster as dg

from metadata_assets.defs import keys
from metadata_assets.defs.report import escape
from metadata_assets.model.entity import ColumnEntry, TableEntry


def table_event(entry: TableEntry) -> dg.AssetMaterialization:
    """Tells Dagster about one changed table: its columns and where each comes from."""
    return dg.AssetMaterialization(
        asset_key=keys.table_key(entry.name),
        description=_description(entry),
        metadata={
            "dagster/column_schema": dg.TableSchema(columns=[_column(c) for c in entry.columns]),
            "dagster/column_lineage": _column_lineage(entry),
            "dagster/table_name": str(entry.name),
        },
    )


def _column(column: ColumnEntry) -> dg.TableColumn:
    return dg.TableColumn(
        name=column.name,
        type=column.type_text or "unknown",
        description=_description(column),
        tags={keys.tag_key(t.name.lower()): t.verdict for t in column.tags},
    )


def _description(entry: TableEntry | ColumnEntry) -> str | None:
    """Ours is Markdown; a comment of the metastore is text from outside."""
    if entry.description is not None:
        return entry.description
    return None if entry.comment is None else escape(entry.comment)


def _column_lineage(entry: TableEntry) -> dg.TableColumnLineage:
    """Two jobs may fill a column from the same one in two ways; Dagster refuses the second line between them."""
    deps: dict[str, dict[dg.TableColumnDep, None]] = {}
    for edge in entry.column_lineage:
        source = dg.TableColumnDep(keys.table_key(edge.source.table), edge.source.column)
        deps.setdefault(edge.target.column, {})[source] = None
    return dg.TableColumnLineage({column: list(sources) for column, sources in deps.items()})


def table_specs(entries: Iterable[TableEntry]) -> list[dg.AssetSpec]:
    """One external asset a table, without its columns: those arrive as events, so that a big lake still loads."""
    return [_spec(entry, keys.table_key(entry.name)) for entry in entries]


def _spec(entry: TableEntry, key: dg.AssetKey) -> dg.AssetSpec:
    tags = {t.name.lower() for t in entry.tags} | {t.name.lower() for c in entry.columns for t in c.tags}
    return dg.AssetSpec(
        key,
        deps=sorted({keys.table_key(u.table) for u in entry.upstream} - {key}),
        description=_description(entry),
        group_name=keys.table_group(entry.name.database),
        kinds={"hive", "view" if entry.kind in ("view", "materialized_view") else "table"},
        owners=keys.owner_of(entry.owner),
        tags={f"metadata/{keys.tag_key(t)}": "" for t in sorted(tags)[:10]},
        metadata={"dagster/table_name": str(entry.name), **({"dagster/uri": entry.location} if entry.location else {})},
    )
