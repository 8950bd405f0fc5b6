"""The one place that builds asset keys, groups, kinds and owners."""

import re

import dagster as dg

from metadata_assets.model.table import TableName

PIPELINE_GROUP = "metadata"
DATABASES = dg.AssetKey("hive_databases")
SCHEMAS = dg.AssetKey("hive_schemas")
LINEAGE = dg.AssetKey("sql_lineage")
PROFILES = dg.AssetKey("pii_profiles")
ENTITIES = dg.AssetKey("catalog_entities")
DOCUMENTATION = dg.AssetKey("documentation")
TAGS = dg.AssetKey("tags")
DECLARED_LINEAGE = dg.AssetKey("declared_lineage")
GLOSSARY = dg.AssetKey("glossary")
SPECS = (DOCUMENTATION, TAGS, DECLARED_LINEAGE, GLOSSARY)
PIPELINE_OWNER = "team:data-governance"

_NOT_A_NAME = re.compile(r"[^A-Za-z0-9_]")


def destination_key(destination: str, part: str) -> dg.AssetKey:
    return dg.AssetKey(f"{destination}_{part}")


def table_key(table: TableName) -> dg.AssetKey:
    """The key of a table in the location `hive_catalog`."""
    return dg.AssetKey(["hive", _safe(table.database), _safe(table.table)])


def table_group(database: str) -> str:
    return _safe(database)


def owner_of(name: str | None) -> list[str]:
    """Dagster accepts mail addresses and `team:` names; everything else becomes a team."""
    if not name:
        return []
    if re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", name):
        return [name]
    team = _safe(name.removeprefix("team:").strip())
    return [f"team:{team}"] if team else []


def _safe(name: str) -> str:
    """Dagster's names hold letters, digits and underscores only; Hive's may hold anything."""
    return _NOT_A_NAME.sub("_", name)
