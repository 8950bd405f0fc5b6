"""The whole line: what reaches a destination, and that order, repetition and trouble make no difference to it."""

import pytest

from metadata_assets.destinations.base import TABLES
from metadata_assets.errors import Transient
from metadata_assets.model.entity import Entry, TableEntry
from metadata_assets.model.event import ChangeEvent
from metadata_assets.model.table import Table, TableName
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.entities import merge_entries
from metadata_assets.stages.publishing import publish
from metadata_assets.stages.schemas import read_schemas
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.shards import shard_keys
from metadata_assets.stages.watching import plan_due
from tests.lake import table, view
from tests.memory import World
from tests.unit.stages.conftest import Line

CHANGED = Scope("run", everything=False)


def held(deployment: Deployment) -> dict[str, Entry | None]:
    return {s: p.entry for s, p in deployment.store.published.held("memory").items()}


def update(deployment: Deployment) -> None:
    """What the sensors' runs do: read what events name, merge what is marked, publish what differs."""
    shards = shard_keys(deployment.store.work.shards())
    read_schemas(deployment, shards, CHANGED)
    merge_entries(deployment, shards, CHANGED)
    publish(deployment, "memory", TABLES, shards, CHANGED)


def test_every_count_adds_up_and_a_second_run_writes_nothing(world: World, line: Line) -> None:
    world.metastore.add(table("raw.a", "id bigint", "x string"), view("raw.v", "select id from raw.a", "id bigint"))
    world.specs.files = {
        "d.yaml": "version: 1\nkind: documentation\ntables:\n  - {name: raw.a, description: A}\n",
        "g.yaml": "version: 1\nkind: glossary\nterms:\n  - {name: customer}\n",
    }
    world.jobs.files = {"j.sql": "insert into raw.a select 1, 'x'"}
    first = line()
    assert all(c.missing == 0 for c in first.values())
    assert first["memory_tables"].written == 2
    second = line()
    assert {k: c.written for k, c in second.items() if c.written} == {}


def test_a_dropped_column_and_a_dropped_table_reach_the_destination(
    deployment: Deployment, world: World, line: Line
) -> None:
    world.metastore.add(table("raw.a", "id bigint", "x string"), table("raw.b"))
    line()
    world.metastore.add(table("raw.a", "id bigint"))
    del world.metastore.tables[TableName("raw", "b")]
    deployment.store.inbox.store(
        [
            ChangeEvent("table_changed", "table:raw.a", "t", "1", 1, 0.0),
            ChangeEvent("table_dropped", "table:raw.b", "t", "2", 2, 0.0),
        ]
    )
    update(deployment)
    found = held(deployment)
    entry = found["table:raw.a"]
    assert isinstance(entry, TableEntry)
    assert [c.name for c in entry.columns] == ["id"]
    assert found["table:raw.b"] is None


def test_a_table_that_comes_back_has_its_documentation_again(deployment: Deployment, world: World, line: Line) -> None:
    world.metastore.add(table("raw.a"))
    world.specs.files = {"d.yaml": "version: 1\nkind: documentation\ntables:\n  - {name: raw.a, description: A}\n"}
    line()
    gone = world.metastore.tables.pop(TableName("raw", "a"))
    deployment.store.inbox.store([ChangeEvent("table_dropped", "table:raw.a", "t", "1", 1, 0.0)])
    update(deployment)
    assert held(deployment)["table:raw.a"] is None
    world.metastore.add(gone)
    line()
    entry = held(deployment)["table:raw.a"]
    assert isinstance(entry, TableEntry)
    assert entry.description == "A"


def test_one_failed_entry_is_named_and_tried_again(deployment: Deployment, world: World, line: Line) -> None:
    world.metastore.add(table("raw.a"), table("raw.b"))
    line()
    assert world.destination is not None
    world.destination.failing = {"table:raw.a"}
    world.metastore.add(table("raw.a", "new int"), table("raw.b", "new int"))
    counts = line()["memory_tables"]
    assert (counts.written, dict(counts.errors)) == (1, {"table:raw.a": "refused by the server"})
    failing = deployment.store.published.failing("memory")
    assert [(s.subject, s.attempts) for s in failing] == [("table:raw.a", 1)]
    due = plan_due(deployment.store, ["memory"], failing[0].retry_at + 1)
    assert due.shards["raw"].destinations == {"memory"}
    world.destination.failing = set()
    assert line()["memory_tables"].written == 1
    assert deployment.store.published.failing("memory") == []


def test_a_destination_that_is_down_is_remembered_and_tried_later(
    deployment: Deployment, world: World, line: Line
) -> None:
    world.metastore.add(table("raw.a"))
    line()
    assert world.destination is not None
    world.destination.down = True
    world.metastore.add(table("raw.a", "new int"))
    with pytest.raises(Transient):
        line()
    failing = deployment.store.published.failing("memory")
    assert [s.subject for s in failing] == ["table:raw.a"]
    assert plan_due(deployment.store, ["memory"], failing[0].retry_at - 1).shards == {}


def test_a_tag_reaches_derived_columns_and_leaves_them_with_its_source(
    deployment: Deployment, world: World, line: Line
) -> None:
    world.metastore.add(
        table("raw.a", "cpf string"), table("clean.b", "cpf string"), table("mart.c", "cpf_hash string")
    )
    world.specs.files = {
        "l.yaml": "version: 1\nkind: lineage\njobs:\n  - name: j\n    columns:\n"
        "      - {to: clean.b.cpf, from: [raw.a.cpf], transform: identity}\n"
        "      - {to: mart.c.cpf_hash, from: [clean.b.cpf], transform: masking}\n",
        "t.yaml": "version: 1\nkind: tags\ntables:\n  - name: raw.a\n    columns: [{name: cpf, tags: [PII_CPF]}]\n",
    }
    line()
    tags = {s: [(t.name, t.inherited_from) for c in e.columns for t in c.tags] for s, e in _tables(deployment).items()}
    assert tags == {
        "table:raw.a": [("PII_CPF", None)],
        "table:clean.b": [("PII_CPF", "raw.a.cpf")],
        "table:mart.c": [],
    }
    del world.specs.files["t.yaml"]
    line()
    assert not any(t.verdict == "confirmed" for e in _tables(deployment).values() for c in e.columns for t in c.tags)


def _tables(deployment: Deployment) -> dict[str, TableEntry]:
    return {s: e for s, e in held(deployment).items() if isinstance(e, TableEntry)}


def test_a_dot_in_the_name_of_a_table_harms_nobody(deployment: Deployment, world: World, line: Line) -> None:
    odd = Table(TableName("raw", "a.b"), "managed", table("raw.a").columns)
    world.metastore.add(odd, table("raw.c"))
    assert line()["memory_tables"].written == 2
    world.metastore.tables.pop(odd.name)
    assert dict(line()["hive_schemas"].skipped) == {"missing_in_grace": 1}


def test_an_expected_skip_is_counted_in_each_run(world: World, line: Line) -> None:
    world.metastore.add(table("raw.a"))
    world.specs.files = {
        "d.yaml": "version: 1\nkind: documentation\ntables:\n  - {name: raw.nowhere, description: x}\n"
    }
    for _ in range(3):
        counts = line()["catalog_entities"]
        assert (counts.listed, dict(counts.skipped), counts.missing) == (2, {"not_in_metastore": 1}, 0)
