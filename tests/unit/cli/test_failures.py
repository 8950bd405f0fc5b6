"""A stage that fails as a whole says why, in the summary of a backfill and in `status`, until it succeeds."""

import json
import os
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from click.testing import Result

from metadata_assets.defs import specs, stage
from tests.lake import table
from tests.memory import World
from tests.unit.cli.conftest import Invoke

CAUSE = "Unreachable: no metastore answers"


@pytest.fixture(autouse=True)
def retry_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage, "RETRIES", dg.RetryPolicy(max_retries=1, delay=0))
    monkeypatch.setattr(specs, "RETRIES", dg.RetryPolicy(max_retries=1, delay=0))
    monkeypatch.delenv("DAGSTER_HOME", raising=False)


def stages_of(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)["stages"]
    for name, counts in found.items():
        parts = counts["written"] + counts["unchanged"] + sum(counts["skipped"].values()) + counts["failed"]
        assert counts["listed"] == parts, name
    return found


def failed_stages(invoke: Invoke) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(invoke("status", "--json").stdout)["failed_stages"]
    return found


def test_a_metastore_that_does_not_answer(catalogued: World, invoke: Invoke) -> None:
    assert invoke("backfill").exit_code == 0
    catalogued.metastore.down = True
    result = invoke("backfill", "--json")
    assert result.exit_code == 1
    stages = stages_of(result)
    assert list(stages)[:2] == ["hive_databases", "hive_schemas"]
    assert [stages[name]["failed"] for name in ("hive_databases", "hive_schemas")] == [1, 1]
    assert f"hive_databases: {CAUSE} (run " in result.stderr
    assert "max_retries" not in result.output
    assert [(f["stages"], f["shards"], f["error"]) for f in failed_stages(invoke)] == [
        (["hive_databases", "hive_schemas"], ["clean", "raw"], CAUSE)
    ]
    told = invoke("status").stdout
    assert told.count(CAUSE) == 1, "not for each table again"
    table = json.loads(invoke("status", "raw.users", "--json").stdout)["tables"][0]
    assert table["failed"]["hive_schemas"]["error"] == CAUSE
    assert (
        f"raw.users: hive_schemas failed at {table['failed']['hive_schemas']['at']}: {CAUSE}"
        in invoke("status", "raw.users").stdout
    )
    catalogued.metastore.down = False
    assert invoke("backfill").exit_code == 0
    assert failed_stages(invoke) == []


def test_a_line_for_people_says_it_once(world: World, invoke: Invoke) -> None:
    world.metastore.down = True
    result = invoke("backfill")
    assert result.output.count(CAUSE) == 1


def test_files_that_are_gone_all_at_once(catalogued: World, invoke: Invoke) -> None:
    catalogued.jobs.files = {f"{n}.sql": "select 1" for n in range(20)}
    assert invoke("backfill").exit_code == 0
    catalogued.jobs.files.clear()
    result = invoke("backfill", "--json")
    assert stages_of(result)["sql_lineage"]["failed"] == 1
    assert "sql_lineage: Transient: the folder of the jobs holds no file, it had 20: is it mounted" in result.stderr


def test_one_step_that_makes_several_assets(catalogued: World, invoke: Invoke) -> None:
    catalogued.specs.files = {f"{n}.yaml": "version: 1\nkind: tags\n" for n in range(20)}
    assert invoke("backfill").exit_code == 0
    catalogued.specs.files.clear()
    result = invoke("backfill", "--json")
    stages = stages_of(result)
    names = ["declared_lineage", "documentation", "glossary", "tags"]
    assert [stages[name]["failed"] for name in names] == [1, 1, 1, 1]
    (failed,) = failed_stages(invoke)
    assert failed["stages"] == names
    assert "the folder of the specs holds no file" in failed["error"]


def test_a_destination_that_was_taken_out_is_told_of_no_more(catalogued: World, invoke: Invoke) -> None:
    assert catalogued.destination is not None
    catalogued.destination.down = True
    catalogued.metastore.add(table("raw.users", "id bigint", "new int"))
    assert "memory_tables: Unreachable: the destination does not answer (run " in invoke("backfill").stderr
    (failed,) = failed_stages(invoke)
    assert (failed["stages"], failed["shards"]) == (["memory_tables"], ["clean", "raw"])
    path = Path(os.environ["METADATA_PLATFORM"])
    path.write_text("".join(x for x in path.read_text().splitlines(keepends=True) if "MemoryDestination" not in x))
    assert invoke("backfill").exit_code == 0
    assert failed_stages(invoke) == []
