"""Whatever a lake is called like, Dagster takes it, and no two tables become one."""

import dagster as dg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metadata_assets.config import RESERVED_NAMES
from metadata_assets.defs import keys
from metadata_assets.destinations.base import PARTS
from metadata_assets.model.table import TableName

PART_NAMES = sorted({part.name for parts in PARTS.values() for part in parts})


@pytest.mark.parametrize(
    ("owner", "known_as"),
    [
        (None, []),
        ("", []),
        (" ", []),
        ("///", []),
        ("ana@example.com", ["ana@example.com"]),
        ("growth-data", ["team:growth-data"]),
        ("team:growth", ["team:growth"]),
        ("hive/h1@EXAMPLE.COM", ["team:hive_h1@EXAMPLE.COM"]),
        ("joão@x.com", ["team:joão@x.com"]),
        ("o'neil@x.com", ["team:o_neil@x.com"]),
        ("a@b", ["team:a@b"]),
        ("x" * 500, ["team:" + "x" * 100]),
    ],
)
def test_owners(owner: str | None, known_as: list[str]) -> None:
    assert keys.owner_of(owner) == known_as
    dg.AssetSpec("a", owners=keys.owner_of(owner))


@given(st.text() | st.emails() | st.from_regex(r"[\w./' -]+@[\w.-]+"))
def test_dagster_takes_every_owner(owner: str) -> None:
    dg.AssetSpec("a", owners=keys.owner_of(owner))


@given(st.text(min_size=1), st.text(min_size=1))
def test_dagster_takes_every_name(database: str, name: str) -> None:
    key = keys.table_key(TableName(database, name))
    spec = dg.AssetSpec(key, group_name=keys.table_group(database), tags={f"metadata/{keys.tag_key(name)}": ""})
    assert dg.AssetKey.from_user_string(key.to_user_string()) == spec.key
    assert max(map(len, key.path)) <= 128
    assert keys.table_key(TableName(database, name)) == key


@pytest.mark.parametrize("others", [("a-b", "a_b", "a b", "a.b"), ("x" * 200, "x" * 201), ("日本", "中国")])
def test_names_that_differ_stay_different(others: tuple[str, ...]) -> None:
    assert len({keys.table_key(TableName("d", name)) for name in others}) == len(others)
    assert len({keys.table_group(name) for name in others}) == len(others)
    assert len({keys.tag_key(name) for name in others}) == len(others)


def test_a_good_name_stays_as_it_is() -> None:
    assert keys.table_key(TableName("raw", "users_1")) == dg.AssetKey(["hive", "raw", "users_1"])
    assert keys.tag_key("tier-1.a") == "tier-1.a"


def test_every_destination_name_that_collides_is_reserved() -> None:
    ours = [keys.DATABASES, keys.SCHEMAS, keys.LINEAGE, keys.PROFILES, keys.ENTITIES, *keys.SPECS]
    taken = {k.to_user_string() for k in ours} | {keys.PIPELINE_GROUP, "metastore", "hive_catalog", "specs"}
    colliding = {t.removesuffix(f"_{p}") for t in taken for p in PART_NAMES if t.endswith(f"_{p}")}
    plain = {t for t in taken if "_" not in t}
    assert colliding | plain <= RESERVED_NAMES
