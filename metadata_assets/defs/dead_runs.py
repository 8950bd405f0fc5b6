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


@contextmanager
def sign_of_life(home: Path) -> Iterator[dict[str, str]]:
    """Hold a lock while the block runs; the result are the tags by which its runs are known to be alive."""
    folder = home / _FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    name = uuid.uuid4().hex
    path = folder / name
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            yield {PROCESS_TAG: name}
        finally:
            path.unlink(missing_ok=True)


def backfill_under_way(home: Path) -> bool:
    """Whether a process on this machine runs the phases now: it takes all that is pending, so nothing need be asked."""
    return any(_is_held(path) for path in (home / _FOLDER).glob("*"))


def end_dead_runs(instance: dg.DagsterInstance, home: Path) -> list[str]:
    """Fail the runs under way whose process is gone, free the pools they held, and return their ids.

    A run without our tag, or of a process on another machine, is left alone: nothing is known of it here.
    """
    under_way = [dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.NOT_STARTED]
    ended = []
    for run in instance.get_runs(dg.RunsFilter(statuses=under_way)):
        path = home / _FOLDER / run.tags.get(PROCESS_TAG, "")
        if PROCESS_TAG in run.tags and path.is_file() and not _is_held(path):
            instance.report_run_failed(run, "its process ended without a word (killed, or the machine went down)")
            instance.event_log_storage.free_concurrency_slots_for_run(run.run_id)
            ended.append(run.run_id)
    for path in (home / _FOLDER).glob("*"):
        if not _is_held(path):
            path.unlink(missing_ok=True)
    return ended


def _is_held(path: Path) -> bool:
    try:
        with path.open("r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except FileNotFoundError:
        return False
    return False
