"""The assets of a destination follow from its parts."""

from typing import get_args

import dagster as dg
import pytest

from metadata_assets.defs.publish import DestinationKeys, destination_assets
from metadata_assets.destinations.base import PARTS, Grain
from metadata_assets.model.subject import SubjectKind

PUBLISHED = frozenset(get_args(SubjectKind)) - {"script", "job", "file", "object", "pattern", "pipeline", "shard"}


@pytest.mark.parametrize("grain", get_args(Grain))
def test_every_kind_of_entry_is_in_exactly_one_part(grain: Grain) -> None:
    assert sorted(kind for part in PARTS[grain] for kind in part.kinds) == sorted(PUBLISHED)


@pytest.mark.parametrize(
    ("grain", "deps", "by_shard"),
    [
        (
            "shard",
            {
                "atlas_glossary": {"hive_databases", "glossary"},
                "atlas_tables": {"catalog_entities", "atlas_glossary"},
                "atlas_lineage": {"atlas_tables"},
            },
            {"atlas_tables"},
        ),
        ("catalog", {"atlas_catalog": {"hive_databases", "glossary", "catalog_entities"}}, set()),
    ],
)
def test_each_part_waits_for_what_it_writes_and_for_the_part_before(
    grain: Grain, deps: dict[str, set[str]], by_shard: set[str]
) -> None:
    destination = DestinationKeys("atlas", PARTS[grain])
    specs = {s.key.to_user_string(): s for a in destination_assets(destination, "atlas") for s in a.specs}
    assert {name: {d.asset_key.to_user_string() for d in spec.deps} for name, spec in specs.items()} == deps
    assert {name for name, spec in specs.items() if spec.partitions_def is not None} == by_shard
    assert [k.to_user_string() for k in destination.in_order] == list(deps)


def test_what_no_shard_brings_is_published_whole() -> None:
    shard, catalog = (DestinationKeys("d", PARTS[grain]) for grain in ("shard", "catalog"))
    assert shard.whole_kinds == PUBLISHED - {"table"}
    assert catalog.whole_kinds == PUBLISHED
    assert catalog.whole == (dg.AssetKey("d_catalog"),)
    assert catalog.by_shard == ()
