"""A plan says what a backfill would do, and does nothing."""

import pytest

from metadata_assets.destinations.base import CATALOG
from metadata_assets.errors import SelectionError, Unreachable
from metadata_assets.model.publication import FieldChange
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.planning import NO_FIELD, PlannedField, plan_everything
from metadata_assets.stages.publishing import publish
from tests.lake import table
from tests.memory import World
from tests.unit.stages.conftest import EVERYTHING, Line


def planned(deployment: Deployment, *select: str, destination: str = "memory") -> list[PlannedField]:
    return list(plan_everything(deployment, [destination], select))


def entities(found: list[PlannedField]) -> set[tuple[str, str]]:
    return {(p.subject, p.action) for p in found}


@pytest.fixture
def lake(world: World) -> World:
    world.metastore.add(table("raw.a", "id bigint"), table("mart.b", "id bigint"))
    world.specs.files = {
        "docs.yaml": "version: 1\nkind: documentation\ntables:\n  - {name: raw.a, description: Old.}\n"
    }
    return world


def test_from_nothing_everything_is_created_at_every_destination(deployment: Deployment, lake: World) -> None:
    found = list(plan_everything(deployment, [], ()))
    assert {p.destination for p in found} == {"memory", "workbook"}
    assert entities(planned(deployment)) == {
        ("database:raw", "create"),
        ("database:mart", "create"),
        ("table:raw.a", "create"),
        ("table:mart.b", "create"),
    }


def test_once_all_is_published_nothing_is_left_to_do(deployment: Deployment, lake: World, line: Line) -> None:
    line()
    assert planned(deployment) == []


def test_a_field_is_shown_old_and_new_with_the_source_that_wins(
    deployment: Deployment, lake: World, line: Line
) -> None:
    line()
    lake.specs.files["docs.yaml"] = lake.specs.files["docs.yaml"].replace("Old.", "New.")
    change = FieldChange("description", "Old.", "New.", "docs.yaml:4")
    assert planned(deployment) == [PlannedField("memory", "table:raw.a", "update", change)]


def test_what_a_plan_shows_is_not_done(deployment: Deployment, lake: World, line: Line) -> None:
    line()
    lake.metastore.add(table("raw.fresh"))
    before = deployment.store.facts.hashes("entry"), deployment.store.published.standings()
    first = planned(deployment)
    assert entities(first) == {("table:raw.fresh", "create")}
    assert planned(deployment) == first
    assert (deployment.store.facts.hashes("entry"), deployment.store.published.standings()) == before
    assert lake.destination is not None
    assert "table:raw.fresh" not in lake.destination.applied


def test_a_selection_narrows_the_plan_to_its_tables(deployment: Deployment, lake: World) -> None:
    found = entities(planned(deployment, "raw"))
    assert {subject for subject, _ in found if subject.startswith("table:")} == {"table:raw.a"}


def test_what_cannot_be_written_is_told_with_the_reason(deployment: Deployment, lake: World) -> None:
    lake.metastore.add(table("raw.wide", f"{'x' * 40_000} bigint"))
    (found,) = [p for p in planned(deployment, destination="workbook") if p.action == "refused"]
    assert found.subject.startswith("Columns:raw.wide.xxx")
    assert found.change.source == "the name is too long: a cell holds 32,767 characters"


def test_what_differs_in_no_field_is_told_too(deployment: Deployment, lake: World, line: Line) -> None:
    line()
    lake.specs.files["docs.yaml"] += "---\nversion: 1\nkind: glossary\ncategories: [{name: person}]\n"
    assert PlannedField("memory", "category:person", "create", NO_FIELD) in planned(deployment)


def test_trouble_is_raised(deployment: Deployment, lake: World) -> None:
    with pytest.raises(SelectionError, match="no destination 'atlas'; there are: memory, workbook"):
        planned(deployment, destination="atlas")
    lake.metastore.down = True
    with pytest.raises(Unreachable):
        planned(deployment)


def test_a_plan_of_some_tables_says_of_them_what_the_whole_plan_says(
    deployment: Deployment, lake: World, line: Line
) -> None:
    """Tags come from tables that are not selected; of the entries only those selected are looked at."""
    lake.jobs.files["b.sql"] = "insert into mart.b select id from raw.a"
    line()
    lake.specs.files["t.yaml"] = (
        "version: 1\nkind: tags\ntables:\n  - {name: raw.a, columns: [{name: id, tags: [KEY]}]}\n"
    )
    lake.metastore.add(table("raw.a", "id bigint", "more string"), table("mart.c"))
    whole = planned(deployment)
    assert {p.subject for p in whole} == {"table:raw.a", "table:mart.b", "table:mart.c"}
    assert planned(deployment, "mart.*") == [p for p in whole if p.subject != "table:raw.a"]


def test_a_plan_of_some_tables_looks_at_all_of_what_is_written_whole(
    deployment: Deployment, lake: World, line: Line
) -> None:
    line()
    publish(deployment, "workbook", CATALOG, [], EVERYTHING)
    assert planned(deployment, "mart.*", destination="workbook") == []
