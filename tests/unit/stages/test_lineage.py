"""Lineage is read again where it may be another one, and only there."""

from collections.abc import Iterable, Iterator, Sequence

import pytest

from metadata_assets.lineage.messages import ScriptText
from metadata_assets.lineage.workers import read_scripts
from metadata_assets.model.event import ChangeEvent
from metadata_assets.model.lineage import Script
from metadata_assets.model.table import Table
from metadata_assets.stages import lineage, stamps
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.lineage import infer_lineage
from metadata_assets.stages.schemas import read_schemas
from metadata_assets.stages.statements import tally_statements
from metadata_assets.store.facts import Reading
from tests.lake import table, view
from tests.memory import World
from tests.sensing import CHANGED
from tests.unit.stages.conftest import EVERYTHING, Line

FILES = {
    "ab.sql": "insert into clean.b select * from raw.a",
    "cd.sql": "insert into clean.d select * from raw.c; insert into clean.e select * from raw.c",
}


@pytest.fixture
def known(world: World, line: Line) -> World:
    """Two jobs and a view that have nothing in common, in the catalog."""
    world.metastore.add(*(table(n, "id bigint") for n in ("raw.a", "raw.c", "clean.b", "clean.d", "clean.e")))
    world.metastore.add(view("mart.v", "select id from clean.d", "id bigint"))
    world.jobs.files = dict(FILES)
    line()
    world.jobs.reads.clear()
    return world


@pytest.fixture
def inferred(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the scripts that were parsed."""
    names: list[str] = []

    def noted(texts: Iterable[ScriptText], *rest: object) -> Iterator[Script]:
        asked = list(texts)
        names.extend(text.name for text in asked)
        return read_scripts(asked, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(lineage, "read_scripts", noted)
    return names


def meet(deployment: Deployment, world: World, *tables: Table) -> None:
    """The tables, new or changed, as a sensor's run meets them."""
    world.metastore.add(*tables)
    events = [ChangeEvent("table_changed", f"table:{t.name}", "t", str(t), 1, 0.0) for t in tables]
    deployment.store.inbox.store(events)
    read_schemas(deployment, sorted({t.name.database for t in tables}), CHANGED)


def scripts(deployment: Deployment) -> Sequence[str]:
    return sorted(deployment.store.facts.hashes("script"))


def test_a_changed_table_has_only_those_scripts_read_that_name_it(
    deployment: Deployment, known: World, inferred: list[str]
) -> None:
    meet(deployment, known, table("raw.a", "id bigint", "more string"), table("clean.b", "id bigint", "more string"))
    counts = infer_lineage(deployment, CHANGED)
    assert (known.jobs.reads, inferred) == (["ab.sql"], ["ab.sql"])
    assert (counts.listed, counts.written, counts.unchanged) == (4, 1, 3), "the other statements count as unchanged"
    known.jobs.reads.clear()
    assert infer_lineage(deployment, CHANGED).written == 0
    assert (known.jobs.reads, inferred) == ([], ["ab.sql"])


def test_a_table_that_was_not_there_when_a_script_named_it(
    deployment: Deployment, known: World, inferred: list[str]
) -> None:
    known.jobs.files["n.sql"] = "insert into clean.b select * from raw.n"
    infer_lineage(deployment, CHANGED)
    meet(deployment, known, table("raw.n", "id bigint"))
    infer_lineage(deployment, CHANGED)
    assert inferred == ["n.sql", "n.sql"]
    script = deployment.store.facts.contents("script")["script:n.sql"]
    assert [str(e.source) for e in script.statements[0].columns] == ["raw.n.id"]


def test_files_are_read_when_they_are_new_or_others_and_retired_when_they_are_gone(
    deployment: Deployment, known: World, inferred: list[str]
) -> None:
    known.jobs.files = {"ab.sql": FILES["ab.sql"] + " where id > 1", "new.sql": "insert into clean.d select 1"}
    counts = infer_lineage(deployment, CHANGED)
    assert inferred == ["ab.sql", "new.sql"]
    assert scripts(deployment) == ["script:ab.sql", "script:new.sql", "script:view:mart.v"]
    assert counts.missing == 0


def test_views_come_change_and_end_with_their_tables(deployment: Deployment, known: World, inferred: list[str]) -> None:
    meet(
        deployment,
        known,
        table("mart.v", "id bigint"),  # a view no more
        view("mart.w", "select id from clean.e", "id bigint"),
    )
    assert infer_lineage(deployment, CHANGED).missing == 0
    assert (scripts(deployment), inferred) == (
        ["script:ab.sql", "script:cd.sql", "script:view:mart.w"],
        ["view:mart.w"],
    )
    gone: list[Reading[Table]] = [Reading("table:mart.w", None, 2**60, "t")]
    deployment.store.facts.put("schema", gone, "run")
    infer_lineage(deployment, CHANGED)
    assert scripts(deployment) == ["script:ab.sql", "script:cd.sql"]


def test_a_file_that_cannot_be_read_fails_where_it_is_read_and_keeps_what_it_said(
    deployment: Deployment, known: World
) -> None:
    known.jobs.files["ab.sql"] = "select '\udcff'"
    assert list(infer_lineage(deployment, CHANGED).errors) == ["script:ab.sql"]
    assert list(infer_lineage(deployment, EVERYTHING).errors) == ["script:ab.sql"]
    assert "script:ab.sql" in scripts(deployment)


def test_a_file_that_the_source_could_not_read_fails_and_keeps_what_it_said(
    deployment: Deployment, known: World
) -> None:
    known.jobs.unreadable = {"ab.sql": "larger than 16 MiB"}
    counts = infer_lineage(deployment, EVERYTHING)
    assert dict(counts.errors) == {"script:ab.sql": "larger than 16 MiB"}
    assert counts.missing == 0
    assert "script:ab.sql" in scripts(deployment)


def test_another_engine_reads_everything_again(
    deployment: Deployment, known: World, inferred: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stamps, "ENGINE_VERSION", "another")
    infer_lineage(deployment, CHANGED)
    assert sorted(inferred) == ["ab.sql", "cd.sql", "view:mart.v"]


def test_a_script_of_an_earlier_version_is_read_again(
    deployment: Deployment, known: World, inferred: list[str]
) -> None:
    old = deployment.store.facts.contents("script", ["script:ab.sql"])["script:ab.sql"]
    deployment.store.facts.put("script", [Reading("script:ab.sql", old, 2**60, "a digest")], "run")
    infer_lineage(deployment, EVERYTHING)
    assert inferred == ["ab.sql"]


def test_what_is_resolved_is_told_of_all_scripts(deployment: Deployment, known: World) -> None:
    known.jobs.files["odd.sql"] = "insert into clean.b select nowhere.x from raw.a; insert into"
    infer_lineage(deployment, CHANGED)
    found = tally_statements(deployment.store.facts)
    statements = [s for script in deployment.store.facts.contents("script").values() for s in script.statements]
    assert found.by_status.total() == len(statements) == 6
    assert found.column_edges == sum(len(s.columns) for s in statements)
    assert {s.place.file for s in found.open_ones} == {"odd.sql"}
