"""Assets of a destination, generated from its configuration: three for one by shard, one for one written whole."""

from collections.abc import Sequence
from dataclasses import dataclass

import dagster as dg

from metadata_assets.defs import keys
from metadata_assets.defs.report import StageReport, to_table
from metadata_assets.defs.stage import Stage, StageFunction, stage_asset
from metadata_assets.destinations.base import Grain
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.publishing import Part, publish
from metadata_assets.stages.scope import Scope

_UPSTREAM = [keys.ENTITIES, keys.GLOSSARY, keys.DATABASES]


@dataclass(frozen=True, slots=True)
class DestinationKeys:
    """The assets of one destination: what comes before its tables, its tables by shard, and what comes after."""

    name: str
    before: tuple[dg.AssetKey, ...] = ()
    tables: tuple[dg.AssetKey, ...] = ()
    after: tuple[dg.AssetKey, ...] = ()

    @property
    def in_order(self) -> tuple[dg.AssetKey, ...]:
        return self.before + self.tables + self.after

    @property
    def whole(self) -> tuple[dg.AssetKey, ...]:
        """Those that no shard belongs to."""
        return self.before + self.after


def destination_keys(name: str, grain: Grain) -> DestinationKeys:
    if grain == "catalog":
        return DestinationKeys(name, after=(keys.destination_key(name, "catalog"),))
    parts = [(keys.destination_key(name, part),) for part in ("glossary", "tables", "lineage")]
    return DestinationKeys(name, *parts)


def destination_assets(name: str, kind: str, grain: Grain) -> list[dg.AssetsDefinition]:
    """The assets that publish to one destination. They share a pool: a destination has one writer at a time."""
    if grain == "catalog":
        return [stage_asset(_stage(name, kind, "catalog", _UPSTREAM))]
    return [
        stage_asset(_stage(name, kind, "glossary", [keys.GLOSSARY, keys.DATABASES])),
        stage_asset(_stage(name, kind, "tables", [keys.ENTITIES, keys.destination_key(name, "glossary")])),
        stage_asset(_stage(name, kind, "lineage", [keys.destination_key(name, "tables")])),
    ]


_DESCRIPTIONS: dict[Part, str] = {
    "catalog": "The whole catalog written to {name} in one go: one read, one difference, one write.",
    "glossary": "Databases, glossary categories and terms at {name}, before anything refers to them.",
    "tables": "Tables at {name} with columns, documentation, tags and terms: only what differs is written.",
    "lineage": "Jobs at {name} with the tables and columns that they read and fill; written after the tables.",
}


def _stage(name: str, kind: str, part: Part, deps: Sequence[dg.AssetKey]) -> Stage:
    return Stage(
        key=keys.destination_key(name, part),
        run=_publisher(name, part),
        description=_DESCRIPTIONS[part].format(name=name),
        deps=deps,
        partitioned=part == "tables",
        kinds=frozenset({kind}),
        pool=name,
        group=name,
    )


def _publisher(name: str, part: Part) -> StageFunction:
    def _run(_: dg.AssetExecutionContext, deployment: Deployment, shards: Sequence[str], scope: Scope) -> StageReport:
        counts = publish(deployment, name, part, shards, scope)
        failing = deployment.store.published.failing(name)
        metadata = {}
        if failing:
            rows = [(s.subject, s.error, s.attempts) for s in failing]
            metadata["not_published"] = dg.MetadataValue.md(to_table(("subject", "error", "tries"), rows))
        return StageReport(counts, metadata)

    return _run
