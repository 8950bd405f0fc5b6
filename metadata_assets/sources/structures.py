"""A metastore's Thrift structures as our own, whether they came over Thrift or inside an event; pure."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from metadata_assets.model.table import Column, Database, Table, TableKind, TableName, ViewText
from metadata_assets.sources.encodings import decode_trino_view
from metadata_assets.sources.formats import to_provider
from metadata_assets.sources.schemas import Schema, comment_notes, true_schema, type_notes, with_schema, with_trino_view

_KINDS: dict[str, TableKind] = {
    "MANAGED_TABLE": "managed", "EXTERNAL_TABLE": "external", "VIRTUAL_VIEW": "view",
    "MATERIALIZED_VIEW": "materialized_view",
}  # fmt: skip


def to_database(thrift: Any) -> Database:
    return Database(
        name=str(thrift.name).lower(),
        comment=thrift.description or None,
        owner=thrift.ownerName or None,
        location=thrift.locationUri or None,
    )


def to_table(thrift: Any) -> Table:
    """The table with its true schema, wherever its engine keeps that."""
    parameters: Mapping[str, str] = thrift.parameters or {}
    kind = _to_kind(thrift.tableType, parameters)
    own = Schema(_to_columns(thrift.sd.cols if thrift.sd else ()), _to_columns(thrift.partitionKeys))
    is_view = kind in ("view", "materialized_view")
    table = Table(
        name=TableName.of(thrift.dbName, thrift.tableName),
        kind=kind,
        comment=parameters.get("comment") or None,
        owner=thrift.owner or None,
        location=(thrift.sd.location or None) if thrift.sd else None,
        created_at=thrift.createTime or None,
        provider=None if is_view else _to_provider(parameters, thrift.sd),
    )
    encoded = decode_trino_view(thrift.viewOriginalText) if is_view else None
    if encoded is not None:
        table = with_trino_view(table, encoded, thrift.viewOriginalText, own)
    else:
        table = with_schema(table, true_schema(own, parameters))
        if is_view:
            table = replace(table, view=_to_view_text(thrift, parameters))
    return replace(table, notes=(*table.notes, *comment_notes(table), *type_notes(table)))


def _to_kind(table_type: str | None, parameters: Mapping[str, str]) -> TableKind:
    kind = _KINDS.get((table_type or "").upper(), "other")
    # Hive before 3 goes by the parameter when an external table was made by altering it.
    return "external" if kind == "managed" and parameters.get("EXTERNAL", "").upper() == "TRUE" else kind


def _to_provider(parameters: Mapping[str, str], storage: Any) -> str | None:
    if storage is None:
        return to_provider(parameters)
    serde = storage.serdeInfo and storage.serdeInfo.serializationLib
    return to_provider(parameters, str(serde or ""), str(storage.inputFormat or ""))


def _to_columns(fields: Iterable[Any] | None) -> tuple[Column, ...]:
    return tuple(Column(field.name, field.type or "", field.comment or None) for field in fields or ())


def _to_view_text(thrift: Any, parameters: Mapping[str, str]) -> ViewText | None:
    original, expanded = thrift.viewOriginalText or None, thrift.viewExpandedText or None
    if original is None and expanded is None:
        return None
    by_spark = "spark.sql.create.version" in parameters
    # Spark resolves bare names against what was current when the view was made: part 0 is the catalog.
    database = parameters.get("view.catalogAndNamespace.part.1") if by_spark else None
    return ViewText(original or expanded or "", expanded, "spark" if by_spark else "hive", database)
