"""Runs whose process died without a word: they are ended, so that they hold no pool and hide no failure.

Dagster watches the processes that its daemon launched. A backfill runs in the process that asked for it, so it leaves a
sign of life of its own: a lock on a file, which the operating system lets go of however the process ends.
"""

import fcntl
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg

PROCESS_TAG = "metadata/process"
_FOLDER = "processes"
_UNBORN = ".new"  # of a file that is not locked yet: it says nothing


@contextmanager
def sign_of_life(home: Path) -> Iterator[dict[str, str]]:
    """Hold a lock while the block runs; the result are the tags by which its runs are known to be alive."""
    folder = home / _FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    name = uuid.uuid4().hex
    path = folder / name
    unborn = folder / f"{name}{_UNBORN}"
    with unborn.open("w") as file:
        # Under its own name the file is never without its lock: whoever finds it so knows that its process is gone.
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        unborn.rename(path)
        try:
            yield {PROCESS_TAG: name}
        finally:
            path.unlink(missing_ok=True)


def backfill_under_way(home: Path) -> bool:
    """Whether a process on this machine runs the phases now: it takes all that is pending, so nothing need be asked."""
    return any(_is_held(path) for path in _signs(home))


def end_dead_runs(instance: dg.DagsterInstance, home: Path) -> list[str]:
    """Fail the runs under way whose process is gone, free the pools they held, and return their ids.

    A run without our tag, or of a process on another machine, is left alone: nothing is known of it here.
    """
    # First the dead, then their runs: a process that dies in between is for the next look, with its file in place.
    dead = {path.name: path for path in _signs(home) if not _is_held(path)}
    under_way = [dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.NOT_STARTED]
    ended = []
    for run in instance.get_runs(dg.RunsFilter(statuses=under_way)) if dead else ():
        if run.tags.get(PROCESS_TAG) in dead:
            instance.report_run_failed(run, "its process ended without a word (killed, or the machine went down)")
            instance.event_log_storage.free_concurrency_slots_for_run(run.run_id)
            ended.append(run.run_id)
    for path in dead.values():
        path.unlink(missing_ok=True)
    return ended


def _signs(home: Path) -> list[Path]:
    return [path for path in (home / _FOLDER).glob("*") if path.suffix != _UNBORN]


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
