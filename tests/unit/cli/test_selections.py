"""A selection that matches nothing ends every command before it works, with what may have been meant."""

import json

import pytest

from tests.lake import table
from tests.memory import World
from tests.unit.cli.conftest import Invoke

COMMANDS = ("status", "plan", "backfill")


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DAGSTER_HOME", raising=False)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("patterns", "told"),
    [
        (("nope",), "--select nope matches no table"),
        (("rww",), "--select rww matches no table (did you mean 'raw'?)"),
        (("rww.*",), "--select rww.* matches no table (did you mean 'raw.*'?)"),
        (("raw.usr",), "--select raw.usr matches no table (did you mean 'raw.users'?)"),
        (("nope", "other"), "--select nope matches no table; --select other matches no table"),
        (("!*",), "--select !* leaves no table"),
        (("raw", "!raw.users"), "--select raw !raw.users leaves no table"),
    ],
)
def test_nothing_is_done(command: str, patterns: tuple[str, ...], told: str, catalogued: World, invoke: Invoke) -> None:
    catalogued.metastore.reads.clear()
    result = invoke(command, "--json", *(word for p in patterns for word in ("--select", p)))
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"Error: {told}\n" in result.stderr
    assert catalogued.metastore.reads == []


@pytest.mark.parametrize("command", COMMANDS)
def test_one_that_matches_is_served_and_the_other_told(command: str, catalogued: World, invoke: Invoke) -> None:
    result = invoke(command, "--json", "--select", "raw", "--select", "claen.*")
    assert result.exit_code == 0
    assert "--select claen.* matches no table (did you mean 'clean.*'?)" in result.stderr


def test_a_table_that_is_new_in_the_metastore_can_be_selected(world: World, invoke: Invoke) -> None:
    world.metastore.add(table("fresh.one"))
    found = json.loads(invoke("backfill", "--json", "--select", "fresh.one").stdout)
    assert found["stages"]["hive_schemas"]["written"] == 1
    assert "--select fresh.two matches no table" in invoke("backfill", "--select", "fresh.two").stderr


def test_a_metastore_that_is_down_is_what_is_told(catalogued: World, invoke: Invoke) -> None:
    catalogued.metastore.down = True
    assert "Unreachable: no metastore answers" in invoke("plan", "--select", "nope").stderr
