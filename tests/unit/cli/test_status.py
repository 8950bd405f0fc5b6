"""`status` and `show` say what stands in the way of a table, and where they looked when they know of none."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from metadata_assets.model.table import TableName
from metadata_assets.stages.deployment import opened
from metadata_assets.stages.scope import Scope
from tests.lake import table
from tests.memory import World
from tests.unit.cli.conftest import SPECS, Invoke
from tests.unit.stages.conftest import run_line


def run_again() -> None:
    with opened(os.environ) as deployment:
        run_line(deployment, Scope("again"))


def status_of(invoke: Invoke, name: str) -> dict[str, Any]:
    (found,) = json.loads(invoke("status", name, "--json").stdout)["tables"]
    assert isinstance(found, dict)
    return found


def test_a_table_in_its_grace(catalogued: World, invoke: Invoke) -> None:
    assert (status_of(invoke, "raw.users")["missing"], status_of(invoke, "raw.users")["failed"]) == (None, {})
    del catalogued.metastore.tables[TableName("raw", "users")]
    run_again()
    missing = status_of(invoke, "raw.users")["missing"]
    assert missing["state"] == "in_grace"
    assert missing["since"] < missing["until"]
    assert json.loads(invoke("show", "raw.users", "--json").stdout)["missing"] == missing
    for command in ("show", "status"):
        told = " ".join(invoke(command, "raw.users").stdout.split())
        assert f"missing from the metastore since {missing['since']}, kept until {missing['until']}" in told


def test_a_table_that_the_cap_holds_back(catalogued: World, invoke: Invoke) -> None:
    path = Path(os.environ["METADATA_PLATFORM"])
    path.write_text(path.read_text().replace("grace: 24h", "grace: 0s"))
    catalogued.metastore.tables.clear()
    run_again()
    assert status_of(invoke, "raw.users")["missing"]["state"] == "held_back"
    assert "kept by the cap on deletions: no table of the catalog is listed" in invoke("show", "raw.users").stdout


def test_a_table_that_failed_has_its_error_until_it_succeeds(catalogued: World, invoke: Invoke) -> None:
    catalogued.metastore.failing = {TableName("raw", "users"), TableName("raw", "new")}
    catalogued.metastore.add(table("raw.new"))
    run_again()
    for name in ("raw.users", "raw.new"):
        assert status_of(invoke, name)["failed"]["hive_schemas"]["error"] == "the server said no"
    assert "hive_schemas failed at it: the server said no" in invoke("show", "raw.new").output
    assert "raw.users: hive_schemas failed at" in invoke("status").stdout
    catalogued.metastore.failing = set()
    run_again()
    assert [status_of(invoke, name)["failed"] for name in ("raw.users", "raw.new")] == [{}, {}]


def test_a_table_whose_database_may_not_be_listed(catalogued: World, invoke: Invoke) -> None:
    catalogued.metastore.refusing = {"raw"}
    run_again()
    assert "access to raw denied" in status_of(invoke, "raw.users")["failed"]["hive_schemas"]["error"]
    assert status_of(invoke, "clean.users")["failed"] == {}


def test_a_table_that_people_write_of_and_nobody_has(catalogued: World, invoke: Invoke) -> None:
    catalogued.specs.files = {"all.yaml": SPECS.replace("raw.users", "raw.persons")}
    run_again()
    for command in ("status", "show"):
        output = " ".join(invoke(command, "raw.persons").output.split())
        assert "it is written of in all.yaml:4, but it is not in the metastore" in output


@pytest.mark.parametrize(
    "command",
    [
        ("status",),
        ("status", "raw.users"),
        ("show", "raw.users"),
        ("explain", "raw.users.cpf"),
        ("impact", "raw.users"),
        ("history", "raw.users"),
        ("profile", "--table", "raw.users"),
    ],
)
def test_an_empty_home_is_named_with_what_to_do(
    command: tuple[str, ...], world: World, invoke: Invoke, tmp_path: Path
) -> None:
    path = Path(os.environ["METADATA_PLATFORM"])
    path.write_text(path.read_text() + "samples: {type: files}\n")
    output = "".join(invoke(*command).output.split())
    assert f"METADATA_HOMEis{tmp_path / 'home'}" in output
    assert "setMETADATA_HOMEtothefolderofthecatalogthatyoumean" in output


def test_what_is_held_back_is_told_by_the_backfill_and_explained_by_status(catalogued: World, invoke: Invoke) -> None:
    head = "version: 1\nkind: documentation\ntables:\n"
    entries = "".join(f"  - {{name: raw.t{i}, description: x}}\n" for i in range(12))
    catalogued.specs.files["more.yaml"] = head + entries
    run_again()
    del catalogued.specs.files["more.yaml"]
    result = invoke("backfill")
    assert "withdrawal_held_back: 12" in " ".join(result.stdout.split())
    assert "`metadata-assets status` says why" in result.stderr
    told = "12 documented tables no longer written: 12 tables would change, at most 10 may at once"
    assert told in invoke("status").stdout
    assert json.loads(invoke("status", "--json").stdout)["withdrawals"] == {"documentation": told}


def test_a_backfill_that_found_no_table_fails_and_status_says_why(world: World, invoke: Invoke) -> None:
    world.metastore.tables.clear()
    done = invoke("backfill")
    assert done.exit_code == 1
    assert "hive_databases: metastore: no table was found" in done.stderr
    told = " ".join(invoke("status").output.split())
    assert "the last look at the metastore failed: no table was found" in told
    assert "run `metadata-assets backfill` first" not in told
