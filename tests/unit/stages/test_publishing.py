"""What a refusal means: its entry is not taken for published, and counts still add up."""

import time
from collections.abc import Mapping

import pytest

from metadata_assets.destinations.base import CATALOG, LINEAGE, TABLES
from metadata_assets.destinations.workbook import sheet
from metadata_assets.model.publication import Changes, Published, Wanted
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.entities import merge_entries
from metadata_assets.stages.lineage import infer_lineage
from metadata_assets.stages.publishing import publish
from metadata_assets.stages.scope import Scope
from metadata_assets.store.facts import Reading
from tests.lake import table
from tests.memory import MemoryDestination, World
from tests.unit.stages.conftest import EVERYTHING, Line


def test_an_entry_with_a_refused_row_is_tried_again(
    world: World, deployment: Deployment, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.metastore.add(table("raw.a", "id bigint", "name string"), table("raw.b", "id bigint"))
    line()
    with monkeypatch.context() as patch:
        patch.setattr(sheet, "MAX_ROWS", 3)
        counts = publish(deployment, "workbook", CATALOG, [], EVERYTHING)
    assert set(counts.errors) == {"Columns:raw.b.id"}
    assert counts.listed == counts.written + counts.unchanged + len(counts.errors)
    assert [s.subject for s in deployment.store.published.failing("workbook")] == ["table:raw.b"]
    again = publish(deployment, "workbook", CATALOG, [], EVERYTHING)
    assert (again.written, dict(again.errors)) == (1, {})
    assert not deployment.store.published.failing("workbook")


CHANGED = Scope("run", everything=False)


def rename_owner(deployment: Deployment, name: str, owner: str | None) -> None:
    """The table as the next reading of the metastore finds it, merged."""
    changed = table(name, owner=owner)
    deployment.store.facts.put("schema", [Reading(f"table:{name}", changed, time.time_ns(), "t")], "r")
    deployment.store.work.mark_pending([f"table:{name}"], "schema")
    merge_entries(deployment, ["raw"], CHANGED)


def failing(deployment: Deployment) -> list[str]:
    return [s.subject for s in deployment.store.published.failing("memory")]


@pytest.fixture
def destination(world: World, line: Line) -> MemoryDestination:
    world.metastore.add(table("raw.a"), table("raw.b"))
    line()
    assert world.destination is not None
    return world.destination


def test_a_run_for_changes_shows_the_destination_only_what_differs(
    deployment: Deployment, destination: MemoryDestination, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []

    def diff(wanted: Wanted, published: Mapping[str, Published]) -> Changes:
        shown.extend(e.subject for e in wanted.entries)
        return destination.held.diff(wanted, published)

    monkeypatch.setattr(destination, "diff", diff)
    rename_owner(deployment, "raw.a", "ana")
    counts = publish(deployment, "memory", TABLES, ["raw"], CHANGED)
    assert (counts.listed, counts.written, counts.unchanged, shown) == (2, 1, 1, ["table:raw.a"])
    counts = publish(deployment, "memory", TABLES, ["raw"], EVERYTHING)
    assert (counts.listed, counts.unchanged, shown) == (2, 2, ["table:raw.a", "table:raw.a", "table:raw.b"])


def test_a_failure_is_over_once_what_failed_is_wanted_no_more(
    deployment: Deployment, destination: MemoryDestination
) -> None:
    destination.failing = {"table:raw.a"}
    rename_owner(deployment, "raw.a", "ana")
    publish(deployment, "memory", TABLES, ["raw"], CHANGED)
    assert failing(deployment) == ["table:raw.a"]
    rename_owner(deployment, "raw.a", None)
    publish(deployment, "memory", TABLES, ["raw"], CHANGED)
    assert failing(deployment) == []


def test_a_table_that_was_never_published_and_is_gone_is_not_tried_for_ever(
    deployment: Deployment, destination: MemoryDestination
) -> None:
    destination.failing = {"table:raw.c"}
    rename_owner(deployment, "raw.c", None)
    publish(deployment, "memory", TABLES, ["raw"], CHANGED)
    assert failing(deployment) == ["table:raw.c"]
    deployment.store.facts.put("schema", [Reading("table:raw.c", None, time.time_ns(), "t")], "r")
    deployment.store.work.mark_pending(["table:raw.c"], "schema")
    merge_entries(deployment, ["raw"], CHANGED)
    publish(deployment, "memory", TABLES, ["raw"], CHANGED)
    assert failing(deployment) == []


def test_lineage_is_worked_out_again_when_a_script_or_the_set_of_tables_changed(
    deployment: Deployment, world: World, line: Line
) -> None:
    world.metastore.add(table("raw.a"), table("raw.b"))
    world.jobs.files = {"j.sql": "insert into raw.b select id from raw.a"}
    line()
    counts = publish(deployment, "memory", LINEAGE, [], CHANGED)
    assert (counts.listed, counts.unchanged) == (1, 1)
    world.jobs.files["k.sql"] = "insert into raw.a select id from raw.b"
    infer_lineage(deployment, CHANGED)
    counts = publish(deployment, "memory", LINEAGE, [], CHANGED)
    assert (counts.listed, counts.written) == (2, 1)
