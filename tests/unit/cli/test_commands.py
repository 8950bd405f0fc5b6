"""Commands: machine output that can be relied on, exit statuses, and messages that say what to do."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from metadata_assets.cli import main
from tests.lake import table
from tests.memory import World
from tests.unit.cli.conftest import SPECS, Invoke
from tests.unit.sources.test_trees import refuse


def lines(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code in (0, 1), result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize("name", sorted(main.commands))
def test_every_command_explains_itself(name: str, invoke: Invoke) -> None:
    result = invoke(name, "--help")
    assert result.exit_code == 0
    assert len(result.output.splitlines()) > 3


@pytest.mark.usefixtures("catalogued")
class TestAfterABackfill:
    def test_show(self, invoke: Invoke) -> None:
        (entry,) = lines(invoke("show", "RAW.Users", "--json"))
        assert (entry["table"], entry["owner"]) == ("raw.users", "growth")
        assert {c["name"]: c["docs"] for c in entry["columns"]} == {"id": None, "cpf": "Tax number."}
        assert [t["name"] for t in entry["columns"][1]["tags"]] == ["PII_CPF"]

    def test_show_for_people(self, invoke: Invoke) -> None:
        output = invoke("show", "clean.users").output
        assert "PII_CPF (from raw.users.cpf)" in output
        assert "build" in output

    def test_explain_names_the_path_and_the_place(self, invoke: Invoke) -> None:
        (answer,) = lines(invoke("explain", "clean.users.cpf", "--json"))
        assert answer["origin"] == "inherited"
        assert answer["path"] == "raw.users.cpf → clean.users.cpf"
        assert "all.yaml:13" in answer["evidence"]

    def test_explain_says_when_there_is_nothing(self, invoke: Invoke) -> None:
        assert "has no tags" in invoke("explain", "raw.users.id").output

    def test_impact_downstream_and_upstream(self, invoke: Invoke) -> None:
        (down,) = lines(invoke("impact", "raw.users", "--json"))
        assert (down["name"], down["kind"], down["jobs"]) == ("clean.users", "declared", ["build"])
        (up,) = lines(invoke("impact", "clean.users.cpf", "--upstream", "--json"))
        assert (up["name"], up["kind"]) == ("raw.users.cpf", "SIMPLE identity")

    def test_status(self, invoke: Invoke) -> None:
        (status,) = lines(invoke("status", "--json"))
        assert [t["name"] for t in status["tables"]] == ["clean.users", "raw.users"]
        assert status["tables"][0]["published"]["memory"]["error"] is None

    def test_history_tells_what_each_version_changed(self, invoke: Invoke) -> None:
        versions = lines(invoke("history", "raw.users", "--json"))
        assert [v["kind"] for v in versions] == ["schema", "documentation", "tags", "profile", "entry"]
        changes = {c["field"]: c["new"] for c in versions[-1]["changes"]}
        assert changes["description"] == "People who signed up."

    def test_rollback_is_a_line_a_file(self, invoke: Invoke, catalogued: World) -> None:
        catalogued.specs.files = {"all.yaml": SPECS.replace("growth", "people")}
        now = datetime.now(UTC).isoformat()
        (patch,) = lines(invoke("rollback", "raw.users", "--to", now, "--json"))
        assert patch["file"] == "all.yaml"
        assert "+    owner: growth" in patch["patch"]

    def test_plan_names_field_old_new_and_source_and_writes_nothing(
        self, invoke: Invoke, catalogued: World, tmp_path: Path
    ) -> None:
        catalogued.specs.files = {"all.yaml": SPECS.replace("growth", "people")}
        before = (tmp_path / "home" / "store.db").read_bytes()
        (line,) = lines(invoke("plan", "--destination", "memory", "--json"))
        assert line == {
            "destination": "memory",
            "entity": "table:raw.users",
            "field": "owner",
            "old": "growth",
            "new": "people",
            "source": "all.yaml:4",
            "action": "update",
        }
        assert (tmp_path / "home" / "store.db").read_bytes() == before

    def test_plan_shows_what_a_table_that_is_gone_would_do(self, invoke: Invoke, catalogued: World) -> None:
        catalogued.metastore.add(table("raw.fresh"))
        actions = {(x["entity"], x["action"]) for x in lines(invoke("plan", "--destination", "memory", "--json"))}
        assert actions == {("table:raw.fresh", "create")}

    def test_check_against_known_tables(self, invoke: Invoke, tmp_path: Path) -> None:
        spec = tmp_path / "orphan.yaml"
        spec.write_text("version: 1\nkind: documentation\ntables:\n  - {name: raw.user, description: x}\n")
        assert invoke("check", str(spec)).exit_code == 0
        (finding,) = lines(invoke("check", "--against", "--json", str(spec)))
        assert (finding["line"], finding["severity"]) == (4, "error")
        assert "raw.users" in finding["hint"]

    def test_prune(self, invoke: Invoke) -> None:
        assert all(line["removed"] == 0 for line in lines(invoke("prune", "--older-than", "1d", "--json")))


@pytest.mark.usefixtures("catalogued")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "raw.user"), "did you mean 'raw.users'?"),
        (("show", "users"), "not a table name of the form database.table"),
        (("explain", "raw.users.cpff"), "did you mean 'cpf'?"),
        (("explain", "raw.users.zzz"), "is no column of the catalog; its columns are id, cpf"),
        (("explain", "raw.users"), "is no column of the catalog; its columns are id, cpf"),
        (("impact", "raw.users.cfp[].x"), "did you mean 'cpf'?"),
        (("impact", "raw.users.nope"), "has no column 'nope'; its columns are id, cpf"),
        (("plan", "--destination", "atlas"), "no destination 'atlas'; there are: memory, workbook"),
        (("backfill", "--select", "a.b.c"), "is no selection"),
        (("backfill", "--select", "@missing.txt"), "cannot read the selection file missing.txt"),
        (("prune", "--older-than", "3"), "is not a duration"),
        (("prune", "--older-than", "99999999999d"), "is too long: write at most 36500d"),
        (("prune", "--older-than", "9" * 400 + "s"), "is too long: write at most 36500d"),
        (("rollback", "raw.users", "--to", "yesterday"), "is no ISO time"),
        (("rollback", "raw.users", "--to", "0001-01-01T00:00+14:00"), "is no ISO time"),
        (("history", "raw.nothing"), "nothing was ever known"),
        (("check", "no/such/folder"), "does not exist"),
    ],
)
def test_wrong_use_ends_with_2_and_says_what_to_do(arguments: tuple[str, ...], message: str, invoke: Invoke) -> None:
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())


def test_an_empty_catalog_says_how_to_fill_it(world: World, invoke: Invoke) -> None:
    assert "run `metadata-assets backfill` first" in invoke("show", "raw.users").output


def test_a_broken_platform_file_is_named_with_its_place(
    world: World, invoke: Invoke, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text("version: 1\nkind: platform\nmetastore: {type: hiv}\n")
    monkeypatch.setenv("METADATA_PLATFORM", str(path))
    for command in ("status", "backfill", "plan"):
        result = invoke(command)
        assert result.exit_code == 2
        assert "broken.yaml:3:19: type 'hiv' is not known (did you mean 'hive'?)" in result.output


def test_all_that_is_wrong_with_a_platform_file_is_said_at_once(
    world: World, invoke: Invoke, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text(
        "version: 1\nkind: platform\nmetastore: {type: hiv}\nsensor: running\ndestinations: [{type: workbok}]\n"
    )
    monkeypatch.setenv("METADATA_PLATFORM", str(path))
    result = invoke("status")
    assert result.exit_code == 2
    head, *told = result.stderr.splitlines()
    assert head == "PlatformError: 3 errors in the platform file"
    assert [line.partition("broken.yaml:")[2].partition(" ")[0] for line in told] == ["3:19:", "4:1:", "5:23:"]


def test_a_catalog_that_is_published_nowhere_is_told(
    catalogued: World, invoke: Invoke, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = Path(os.environ["METADATA_PLATFORM"])
    assert "published nowhere" not in invoke("plan").output
    path.write_text(path.read_text().partition("destinations:")[0])
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    for command in ("status", "plan", "backfill"):
        result = invoke(command, "--json")
        assert (result.exit_code, "published nowhere" in result.stderr) == (0, True)
    (finding,) = lines(invoke("check", str(path), "--json"))
    assert (finding["severity"], finding["line"]) == ("warning", 1)
    assert "published nowhere" in finding["message"]


def test_text_from_outside_cannot_steer_the_terminal(catalogued: World, invoke: Invoke) -> None:
    catalogued.metastore.add(table("raw.evil", "id bigint", comment="\x1b[2J[red]boo[/red]"))
    invoke("backfill")
    output = invoke("show", "raw.evil").output
    assert "\x1b[2J" not in output
    assert "[red]boo[/red]" in output


def test_a_backfill_says_how_statements_ended_and_in_which_files(catalogued: World, invoke: Invoke) -> None:
    catalogued.jobs.files = {
        "good.sql": "insert into clean.users select cpf from raw.users",
        "bad.sql": "select 1;\nfrobnicate;\n/* old\ninsert into clean.users select cpf from raw.users;",
    }
    output = " ".join(invoke("backfill").stdout.split())
    assert "SQL statements: 2 unparsed, 1 lineage, 1 no_lineage" in output
    assert "bad.sql: 2 with less than full lineage, first bad.sql:2: 'frobnicate' begins no statement" in output
    assert "good.sql" not in output


SQL = "INSERT INTO clean.copy SELECT * FROM raw.users;"


def columns_of(invoke: Invoke, folder: Path) -> tuple[int, str]:
    (folder / "job.sql").write_text(SQL)
    result = invoke("lineage", "--json", str(folder / "job.sql"))
    return len(json.loads(result.stdout)["columns"]), result.stderr


def test_lineage_asks_the_store_of_the_platform_file(
    catalogued: World, invoke: Invoke, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert columns_of(invoke, tmp_path) == (2, "")
    (tmp_path / "home/store.db").rename(tmp_path / "elsewhere.db")
    path = tmp_path / "platform.yaml"
    path.write_text(path.read_text() + "store: {url_env: OTHER}\n")
    number, told = columns_of(invoke, tmp_path)
    assert (number, "OTHER" in told) == (0, True), "an unset variable is said"
    monkeypatch.setenv("OTHER", f"sqlite:///{tmp_path / 'elsewhere.db'}")
    assert columns_of(invoke, tmp_path) == (2, "")


def test_lineage_without_a_store_says_that_no_schemas_are_known(world: World, invoke: Invoke, tmp_path: Path) -> None:
    number, told = columns_of(invoke, tmp_path)
    assert number == 0
    assert "no schemas are known" in told
    assert not (tmp_path / "home").exists()


def test_check_says_what_it_cannot_read(invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "specs/locked").mkdir(parents=True)
    os.mkfifo(tmp_path / "pipe.yaml")
    assert "not a regular file" in invoke("check", str(tmp_path / "pipe.yaml")).stderr
    refuse(monkeypatch, "locked", PermissionError(13, "Permission denied"))
    result = invoke("check", str(tmp_path / "specs"))
    assert (result.exit_code, "locked: the folder cannot be listed" in result.stderr) == (1, True)


def test_a_home_that_cannot_be_written_is_named(
    world: World, invoke: Invoke, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("METADATA_HOME", str(tmp_path / "file"))
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    result = invoke("backfill")
    assert result.exit_code == 2
    assert "set METADATA_HOME to a folder that can be written" in result.output


def test_check_warns_of_a_folder_without_specs_and_of_links_that_lead_nowhere(invoke: Invoke, tmp_path: Path) -> None:
    folder = tmp_path / "specs"
    folder.mkdir()
    (folder / "notes.txt").write_text("no spec")
    result = invoke("check", str(folder))
    assert result.exit_code == 0
    assert "warning: " in result.stdout
    assert "there is no spec in this folder, no file ends in .yaml or .yml (is it the right folder?)" in result.stdout
    (folder / "good.yaml").write_text(SPECS)
    (folder / "gone.yaml").symlink_to("nowhere.yaml")
    (folder / "loop").symlink_to("loop")
    (folder / "again").symlink_to(".")
    result = invoke("check", str(folder))
    assert result.exit_code == 0
    found = [line.partition("specs/")[2].partition(" (")[0] for line in result.stdout.splitlines()]
    assert found == [
        "again:1:1: a link to a folder, which is not gone into: it is left out",
        "gone.yaml:1:1: a link that leads nowhere or in a circle: it is left out",
        "loop:1:1: a link that leads nowhere or in a circle: it is left out",
    ]
    assert "0 errors, 3 warnings" in result.stderr
