"""Assets of a destination, generated from its configuration: three for one by shard, one for one written whole."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import dagster as dg

from metadata_assets.defs import keys
from metadata_assets.defs.report import StageReport, to_table
from metadata_assets.defs.stage import Stage, StageFunction, stage_asset
from metadata_assets.destinations.base import Part
from metadata_assets.model.subject import SubjectKind
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.publishing import publish
from metadata_assets.stages.scope import Scope

# Which asset knows the entries of a kind. Processes wait for the tables of their destination, and need no more.
_KNOWN_FROM: Mapping[SubjectKind, dg.AssetKey] = {
    "database": keys.DATABASES,
    "category": keys.GLOSSARY,
    "term": keys.GLOSSARY,
    "table": keys.ENTITIES,
}


@dataclass(frozen=True, slots=True)
class DestinationKeys:
    """The assets of one destination: one for each of its parts."""

    name: str
    parts: tuple[Part, ...]

    def key_of(self, part: Part) -> dg.AssetKey:
        return keys.destination_key(self.name, part.name)

    @property
    def in_order(self) -> tuple[dg.AssetKey, ...]:
        return tuple(self.key_of(p) for p in self.parts)

    @property
    def by_shard(self) -> tuple[dg.AssetKey, ...]:
        return tuple(self.key_of(p) for p in self.parts if p.by_shard)

    @property
    def whole(self) -> tuple[dg.AssetKey, ...]:
        """Those that no shard belongs to."""
        return tuple(self.key_of(p) for p in self.parts if not p.by_shard)

    @property
    def whole_kinds(self) -> frozenset[SubjectKind]:
        """The kinds of entries that come with those."""
        return frozenset(kind for p in self.parts if not p.by_shard for kind in p.kinds)


def destination_assets(destination: DestinationKeys, system: str) -> list[dg.AssetsDefinition]:
    """The assets that publish to one destination. They share a pool: a destination has one writer at a time.

    Args:
        destination: its name and its parts.
        system: the type of the destination, which the UI shows beside each asset.
    """
    before = (None, *destination.parts)
    return [
        stage_asset(_stage(destination, part, previous, system))
        for previous, part in zip(before, destination.parts, strict=False)
    ]


def _stage(destination: DestinationKeys, part: Part, previous: Part | None, system: str) -> Stage:
    deps = {_KNOWN_FROM[kind] for kind in part.kinds if kind in _KNOWN_FROM}
    if previous is not None:
        deps.add(destination.key_of(previous))
    return Stage(
        key=destination.key_of(part),
        run=_publisher(destination.name, part),
        description=part.description.format(name=destination.name),
        deps=sorted(deps, key=dg.AssetKey.to_user_string),
        partitioned=part.by_shard,
        kinds=frozenset({system}),
        pool=destination.name,
        group=destination.name,
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
