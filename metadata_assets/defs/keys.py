"""The one place that builds asset keys, groups, kinds, tag keys and owners.

Names of the lake may hold anything and Dagster's may not. A name that has to be changed gets a hash of itself, so that
no two become one and the same name always becomes the same.
"""

import hashlib
import re

import dagster as dg

from metadata_assets.model.table import TableName

PIPELINE_GROUP = "metadata"
EVENTS_GROUP = "events"
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

_NAME = re.compile(r"[A-Za-z0-9_]+")
_TAG = re.compile(r"[A-Za-z0-9_.-]+")
# Narrower than what Dagster takes for a mail address, so never wider.
_MAIL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._%+-]*@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,7}")
_LONGEST_NAME = 128
_LONGEST_TAG = 63
_LONGEST_OWNER = 100
_HASH_BYTES = 4


def destination_key(destination: str, part: str) -> dg.AssetKey:
    return dg.AssetKey(f"{destination}_{part}")


def events_key(source: str) -> dg.AssetKey:
    """The external asset that stands for a source of events."""
    return dg.AssetKey(["events", source])


def table_key(table: TableName) -> dg.AssetKey:
    """The key of a table in the location `hive_catalog`."""
    return dg.AssetKey(["hive", _fit(table.database, _NAME, _LONGEST_NAME), _fit(table.table, _NAME, _LONGEST_NAME)])


def table_group(database: str) -> str:
    return _fit(database, _NAME, _LONGEST_NAME)


def tag_key(name: str) -> str:
    """A tag as Dagster allows its keys: without blanks, and at most 63 characters long."""
    return _fit(name, _TAG, _LONGEST_TAG)


def owner_of(name: str | None) -> list[str]:
    """Dagster accepts mail addresses and `team:` names; everything else becomes a team."""
    if not name:
        return []
    if len(name) <= _LONGEST_OWNER and _MAIL.fullmatch(name):
        return [name]
    team = re.sub(r"[^\w.@-]+", "_", name.removeprefix("team:").strip())[:_LONGEST_OWNER].strip("_")
    return [f"team:{team}"] if team else []


def _fit(name: str, allowed: re.Pattern[str], longest: int) -> str:
    """The name itself where it may stay, else what may stay of it and a hash of the whole."""
    if allowed.fullmatch(name) and len(name) <= longest:
        return name
    digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=_HASH_BYTES).hexdigest()
    kept = "".join(c if allowed.fullmatch(c) else "_" for c in name)
    return f"{kept[: longest - len(digest) - 1]}_{digest}"
