"""`make ui` ends with all that it started, however it was started and asked."""

import signal
import sys
from pathlib import Path

from tests.daemon import Dagster, wait_until
from tests.integration.command import environment


def make_ui(port: int) -> list[str]:
    # What is installed is there already: these tests run in it.
    return ["make", "-o", "install", "ui", f"PORT={port}", f"VENV={sys.prefix}"]


def test_it_ends_with_all_its_children_when_it_was_started_in_the_background(tmp_path: Path) -> None:
    platform = tmp_path / "platform.yaml"
    (tmp_path / "ddl").mkdir()
    platform.write_text(
        "version: 1\nkind: platform\nmetastore: {type: ddl, path: ddl}\ndestinations: [{type: local}]\n"
    )
    dagster = Dagster(environment(tmp_path / "home", METADATA_PLATFORM=str(platform)), tmp_path / "log")
    try:
        dagster.start(make_ui, behind=True)
        process = dagster.process
        assert process is not None
        process.send_signal(signal.SIGTERM)
        assert wait_until(lambda: process.poll() is not None and not list(dagster.members()), 120), (
            f"these are left: {list(dagster.members())}"
        )
    finally:
        dagster.kill()
