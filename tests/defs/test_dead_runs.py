"""A killed backfill holds nothing for ever, a living one is left in peace."""

import fcntl
import json
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

import dagster as dg
import pytest

from metadata_assets.defs import dead_runs
from metadata_assets.defs.dead_runs import PROCESS_TAG, backfill_under_way, end_dead_runs, sign_of_life

HOLD = """
import sys, time
from pathlib import Path
from metadata_assets.defs.dead_runs import sign_of_life
with sign_of_life(Path(sys.argv[1])) as tags:
    print(next(iter(tags.values())), flush=True)
    time.sleep(60)
"""


@dg.job
def nothing() -> None:
    pass


def started(instance: dg.DagsterInstance, tags: dict[str, str]) -> str:
    run = instance.create_run_for_job(nothing, tags=tags, status=dg.DagsterRunStatus.STARTED)
    return str(run.run_id)


def test_a_run_of_a_living_process_goes_on(instance: dg.DagsterInstance, tmp_path: Path) -> None:
    with sign_of_life(tmp_path) as tags:
        started(instance, tags)
        assert backfill_under_way(tmp_path)
        assert end_dead_runs(instance, tmp_path) == []
    assert not backfill_under_way(tmp_path)


def test_a_run_of_a_killed_process_is_ended(instance: dg.DagsterInstance, tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        name = process.stdout.readline().strip()
        run_id = started(instance, {PROCESS_TAG: name})
        assert end_dead_runs(instance, tmp_path) == []
        process.kill()
    assert end_dead_runs(instance, tmp_path) == [run_id]
    run = instance.get_run_by_id(run_id)
    assert run is not None
    assert run.status == dg.DagsterRunStatus.FAILURE
    assert not list((tmp_path / "processes").iterdir())


def test_a_run_that_is_not_ours_is_left_alone(instance: dg.DagsterInstance, tmp_path: Path) -> None:
    started(instance, {})
    started(instance, {PROCESS_TAG: "of-another-machine"})
    assert end_dead_runs(instance, tmp_path) == []


def test_a_sweep_before_the_lock_is_taken_takes_nothing_away(
    instance: dg.DagsterInstance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flock = fcntl.flock

    def sweep_first(file: IO[str], how: int) -> None:
        if how & fcntl.LOCK_EX:
            assert end_dead_runs(instance, tmp_path) == []
            assert not backfill_under_way(tmp_path)
        flock(file, how)

    monkeypatch.setattr(fcntl, "flock", sweep_first)
    with sign_of_life(tmp_path) as tags:
        assert (tmp_path / "processes" / tags[PROCESS_TAG]).is_file()
        started(instance, tags)
        assert backfill_under_way(tmp_path)
        assert end_dead_runs(instance, tmp_path) == []


LAUNCHED = """
import sys, time
from types import SimpleNamespace
from metadata_assets.defs.dead_runs import show_life
instance = SimpleNamespace(root_directory=sys.argv[1], get_run_by_id=lambda _: None)
show_life(instance, SimpleNamespace(run_id=sys.argv[2], tags={}))
print("alive", flush=True)
time.sleep(60)
"""


def launched(instance: dg.DagsterInstance, place: Path, *, host: str = "localhost") -> str:
    """A run that a code server on this socket launched."""
    return started(instance, {".dagster/grpc_info": json.dumps({"host": host, "socket": str(place)})})


@pytest.mark.parametrize("server_lives", [True, False])
def test_a_launched_run_whose_process_died_with_its_server_is_ended(
    instance: dg.DagsterInstance, tmp_path: Path, server_lives: bool
) -> None:
    place = tmp_path / "s"
    run_id = launched(instance, place)
    command = [sys.executable, "-c", LAUNCHED, str(tmp_path), run_id]
    with ExitStack() as stack:
        if server_lives:
            server = stack.enter_context(socket.socket(socket.AF_UNIX))
            server.bind(str(place))
            server.listen()
        process = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        assert process.stdout is not None
        assert process.stdout.readline() == "alive\n"
        assert end_dead_runs(instance, tmp_path) == [], "an orphan of a server that died goes on"
        process.kill()
        process.wait()
        assert end_dead_runs(instance, tmp_path) == ([] if server_lives else [run_id]), "a living server tells itself"
    if server_lives:
        assert end_dead_runs(instance, tmp_path) == [run_id]
    assert not list((tmp_path / "runs").iterdir())


def test_a_launched_run_that_never_showed_life_is_ended_after_a_while(
    instance: dg.DagsterInstance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = launched(instance, tmp_path / "gone")
    elsewhere = launched(instance, tmp_path / "gone", host="other-machine")
    later = time.time() + 600
    monkeypatch.setattr(
        dg.DagsterInstance, "get_run_records", _started_at(time.time(), dg.DagsterInstance.get_run_records)
    )
    assert end_dead_runs(instance, tmp_path) == []
    monkeypatch.setattr(time, "time", lambda: later)
    assert end_dead_runs(instance, tmp_path) == [run_id]
    assert instance.get_run_by_id(elsewhere).status == dg.DagsterRunStatus.STARTED  # type: ignore[union-attr]  # it exists


def _started_at(moment: float, records: Any) -> Any:
    """Records of runs as if they had started then: runs of tests are made, not started."""

    def _found(*arguments: Any, **more: Any) -> list[Any]:
        return [record._replace(start_time=moment) for record in records(*arguments, **more)]

    return _found


def test_looking_hinders_nobody_who_looks(tmp_path: Path) -> None:
    with sign_of_life(tmp_path) as tags:
        path = tmp_path / "processes" / tags[PROCESS_TAG]
        with path.open() as file, pytest.raises(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    path.write_text("")  # as a killed process leaves it
    with path.open() as file:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        assert not backfill_under_way(tmp_path), "somebody else's look is no life"


def test_a_process_that_dies_during_a_sweep_is_for_the_next_one(
    instance: dg.DagsterInstance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "processes"
    folder.mkdir()
    (folder / "dead").write_text("")
    (folder / "dying").write_text("")
    runs = [started(instance, {PROCESS_TAG: name}) for name in ("dead", "dying")]
    monkeypatch.setattr(dead_runs, "_is_held", lambda path: path.name == "dying")
    assert end_dead_runs(instance, tmp_path) == runs[:1]
    assert [p.name for p in folder.iterdir()] == ["dying"]
    monkeypatch.undo()
    assert end_dead_runs(instance, tmp_path) == runs[1:]
