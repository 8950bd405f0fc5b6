"""Dagster's home is made once, and what people change in it stays."""

import os
from pathlib import Path

import dagster as dg
import pytest
import yaml

from metadata_assets.defs.home import dagster_home, enter_home, opened_instance, prepare_home


def test_where_it_is(tmp_path: Path) -> None:
    assert dagster_home({"METADATA_HOME": str(tmp_path)}) == tmp_path / "dagster"
    assert dagster_home({"METADATA_HOME": "x", "DAGSTER_HOME": str(tmp_path / "d")}) == tmp_path / "d"
    assert dagster_home({"METADATA_HOME": str(tmp_path), "DAGSTER_HOME": ""}) == tmp_path / "dagster"


def test_settings_are_written_once(tmp_path: Path) -> None:
    environ = {"METADATA_HOME": str(tmp_path), "OTHER": "kept"}
    prepared = prepare_home(environ)
    file = tmp_path / "dagster/dagster.yaml"
    settings = yaml.safe_load(file.read_text())
    assert settings["telemetry"] == {"enabled": False}
    assert settings["concurrency"]["pools"]["default_limit"] == 1
    assert prepared == {
        **environ,
        "DAGSTER_HOME": str(tmp_path / "dagster"),
        "DAGSTER_DISABLE_TELEMETRY": "1",
    }
    file.write_text("# mine\n")
    prepare_home(environ)
    assert file.read_text() == "# mine\n"


def test_entering_sets_the_variables_of_this_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("METADATA_HOME", "DAGSTER_HOME", "DAGSTER_DISABLE_TELEMETRY"):
        monkeypatch.setenv(name, "before")
    enter_home({"METADATA_HOME": str(tmp_path)})
    assert os.environ["DAGSTER_HOME"] == str(tmp_path / "dagster")
    assert os.environ["DAGSTER_DISABLE_TELEMETRY"] == "1"


def test_runs_print_no_lines_for_debugging_and_keep_their_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in ("METADATA_HOME", "DAGSTER_HOME", "DAGSTER_DISABLE_TELEMETRY"):
        monkeypatch.delenv(name, raising=False)
    environ = enter_home({"METADATA_HOME": str(tmp_path)})

    @dg.asset
    def one(context: dg.AssetExecutionContext) -> None:
        context.log.info("told to people")

    with opened_instance(environ) as instance:
        run = dg.materialize([one], instance=instance)
        printed = capfd.readouterr()
        assert "told to people" in printed.err + printed.out
        assert "DEBUG" not in printed.err + printed.out
        assert instance.all_logs(run.run_id, of_type=dg.DagsterEventType.STEP_START)
