"""Runs whose process died without a word: they are ended, so that they hold no pool and hide no failure.

A code server watches the processes of the runs that it launched, but nobody does where it dies with them, and nobody
watches a backfill, which runs in the process that asked for it. So each leaves a sign of life of its own: a lock on a
file, which the operating system lets go of however the process ends.
"""

import fcntl
import json
import os
import socket
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg

from metadata_assets.errors import Permanent

PROCESS_TAG = "metadata/process"
_FOLDER = "processes"
_RUNS = "runs"  # signs of runs that a daemon launched, by their ids
_SERVER_TAG = ".dagster/grpc_info"  # by which Dagster finds the code server that launched a run
_LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
# So long after its start a run has begun its first step, and shows that it lives.
_FIRST_STEP_SECONDS = 120.0
_UNBORN = ".new"  # of a file that is not locked yet: it says nothing


@contextmanager
def sign_of_life(home: Path) -> Iterator[dict[str, str]]:
    """Hold a lock while the block runs; the result are the tags by which its runs are known to be alive."""
    name = uuid.uuid4().hex
    path = home / _FOLDER / name
    file = _lock(path)
    try:
        yield {PROCESS_TAG: name}
    finally:
        path.unlink(missing_ok=True)
        os.close(file)


_own_signs: dict[str, int] = {}  # run → the open file, held until this process ends


def show_life(instance: dg.DagsterInstance, run: dg.DagsterRun) -> None:
    """From now on the run is seen to be alive until this process ends.

    Raises:
        Permanent: it took so long to begin that it was found dead, and another may do its work by now.
    """
    if run.run_id in _own_signs or PROCESS_TAG in run.tags:
        return
    if (now := instance.get_run_by_id(run.run_id)) is not None and now.is_finished:
        raise Permanent(f"run {run.run_id} was ended before its first step began; another one does its work")
    _own_signs[run.run_id] = _lock(Path(instance.root_directory) / _RUNS / run.run_id)


def _lock(path: Path) -> int:
    """Make a sign: the file under this path, and the descriptor that holds its lock for as long as it is open."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unborn = path.with_name(f"{path.name}{_UNBORN}")
    file = os.open(unborn, os.O_CREAT | os.O_RDWR, 0o600)
    # Under its own name the file is never without its lock: whoever finds it so knows that its process is gone.
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    unborn.rename(path)
    return file


def backfill_under_way(home: Path) -> bool:
    """Whether a process on this machine runs the phases now: it takes all that is pending, so nothing need be asked."""
    return any(_is_held(path) for path in _signs(home / _FOLDER))


def end_dead_runs(instance: dg.DagsterInstance, home: Path) -> list[str]:
    """Fail the runs under way whose process is gone, free the pools they held, and return their ids.

    A run without our tag, or of a process on another machine, is left alone: nothing is known of it here. One that a
    code server launched is dead where that server is gone and no process shows life for it.
    """
    return [*_end_those_of_processes(instance, home), *_end_those_of_servers(instance, home)]


def _end_those_of_processes(instance: dg.DagsterInstance, home: Path) -> list[str]:
    # First the dead, then their runs: a process that dies in between is for the next look, with its file in place.
    dead = {path.name: path for path in _signs(home / _FOLDER) if not _is_held(path)}
    under_way = [dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.NOT_STARTED]
    ended = []
    for run in instance.get_runs(dg.RunsFilter(statuses=under_way)) if dead else ():
        if run.tags.get(PROCESS_TAG) in dead:
            _end(instance, run)
            ended.append(run.run_id)
    for path in dead.values():
        path.unlink(missing_ok=True)
    return ended


def _end_those_of_servers(instance: dg.DagsterInstance, home: Path) -> list[str]:
    ended, folder = [], home / _RUNS
    under_way = instance.get_run_records(dg.RunsFilter(statuses=[dg.DagsterRunStatus.STARTED]))
    for record in under_way:
        run, sign = record.dagster_run, folder / record.dagster_run.run_id
        server = run.tags.get(_SERVER_TAG)
        if server is None or _is_held(sign) or _answers(server):
            continue
        if sign.exists() or time.time() - (record.start_time or time.time()) > _FIRST_STEP_SECONDS:
            _end(instance, run)
            ended.append(run.run_id)
    alive = {record.dagster_run.run_id for record in under_way} - set(ended)
    for path in _signs(folder):
        if path.name not in alive and not _is_held(path):
            path.unlink(missing_ok=True)
    return ended


def _end(instance: dg.DagsterInstance, run: dg.DagsterRun) -> None:
    instance.report_run_failed(run, "its process ended without a word (killed, or the machine went down)")
    instance.event_log_storage.free_concurrency_slots_for_run(run.run_id)


def _answers(server: str) -> bool:
    """Whether the code server is there; one on another machine is taken to be."""
    place = json.loads(server)
    if place.get("host") not in _LOCAL_HOSTS:
        return True
    try:
        if place.get("socket"):
            with socket.socket(socket.AF_UNIX) as link:
                link.settimeout(1)
                link.connect(place["socket"])
        elif place.get("port"):
            socket.create_connection((place["host"], place["port"]), timeout=1).close()
    except OSError:
        return False
    return True


def _signs(folder: Path) -> list[Path]:
    return [path for path in folder.glob("*") if path.suffix != _UNBORN]


def _is_held(path: Path) -> bool:
    """Whether a process has the lock. Looking takes a shared one, which hinders nobody else who looks."""
    try:
        with path.open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except FileNotFoundError:
        return False
    return False
