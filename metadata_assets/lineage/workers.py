"""Scripts are read in processes of their own, several at once: none that hangs, swells or dies takes anything with it.

A process lives on for the next reading, since it takes a moment to load the parser. One that did not survive a
statement is replaced, and the next one reads the same script without parsing that statement.
"""

import atexit
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any

from metadata_assets.lineage.messages import Begins, GivenUp, Limits, ScriptText, Task, Wanted
from metadata_assets.model.lineage import Script, StatementLineage, StatementPlace
from metadata_assets.model.table import Table, TableName

_MOST = 8  # processes of one reading
_LOOK_SECONDS = 1.0
# Time is counted in the process's own CPU seconds; one that makes no use of so many times its share waits for nothing.
_PATIENCE = 20.0
_ASKED, _SPLITTING = -2, -1  # where a script is before its first statement
_TRIES = 3
_readings = itertools.count()
_idle: list["_Worker"] = []
_lock = threading.Lock()


class _Worker:
    """A process and what it is at."""

    def __init__(self) -> None:
        ours, theirs = Pipe()
        command = [sys.executable, "-P", "-m", "metadata_assets.lineage.worker", str(theirs.fileno())]
        environ = os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        nothing = subprocess.DEVNULL
        self._process = subprocess.Popen(  # noqa: S603 -- our own module, by the interpreter that runs us
            command, env=environ, pass_fds=[theirs.fileno()], stdin=nothing, stdout=nothing, stderr=nothing
        )
        theirs.close()
        self.connection: Connection = ours
        self.number = -1
        self.task: Task | None = None
        self.tries = 0
        self.statement = _ASKED
        self.deadline = 0.0

    def give(self, number: int, task: Task, tries: int = 0) -> None:
        self.number, self.task, self.tries = number, task, tries
        self.begin(_ASKED)
        self.tell(task)

    def tell(self, what: object) -> None:
        """A process that is gone is found out where its answer is waited for."""
        with suppress(OSError):
            self.connection.send(what)

    def begin(self, statement: int) -> None:
        self.statement = statement
        assert self.task is not None
        self.deadline = time.monotonic() + _PATIENCE * self.task.limits.seconds

    def end(self) -> int:
        """Kill it; its return code, negative where a signal had ended it before."""
        self.connection.close()
        code = self._process.poll()
        if code is None:
            self._process.kill()
        return self._process.wait() if code is None else code


class _Reading:
    """Scripts that are read together, in up to `most` processes."""

    def __init__(self, texts: Iterable[ScriptText], tables: Mapping[TableName, Table], limits: Limits, most: int):
        self._tables = tables
        self._most = most
        number = next(_readings)
        self._left = enumerate(Task(number, text, limits) for text in texts)
        self._workers: list[_Worker] = []
        self.done: dict[int, Script] = {}

    def run(self) -> Iterator[Script]:
        """The scripts in the order of their texts."""
        following = 0
        try:
            self._feed()
            while busy := [w for w in self._workers if w.task is not None]:
                heard = wait([w.connection for w in busy], timeout=_LOOK_SECONDS)
                for worker in busy:
                    if worker.connection in heard:
                        self._hear(worker)
                    elif time.monotonic() > worker.deadline:
                        self._replace(worker, late=True)
                while following in self.done:
                    yield self.done.pop(following)
                    following += 1
        finally:
            self._leave()

    def _feed(self) -> None:
        while len(self._workers) < self._most and (next_ := next(self._left, None)) is not None:
            worker = _take()
            self._workers.append(worker)
            worker.give(*next_)

    def _hear(self, worker: _Worker) -> None:
        try:
            told: Any = worker.connection.recv()
        except (EOFError, OSError):
            self._replace(worker, late=False)
            return
        if isinstance(told, Begins):
            worker.begin(told.index)
        elif isinstance(told, Wanted):
            worker.tell(self._tables.get(told.table))
        else:
            self._finish(worker, told)

    def _finish(self, worker: _Worker, script: Script) -> None:
        self.done[worker.number] = script
        worker.task = None
        if (next_ := next(self._left, None)) is not None:
            worker.give(*next_)

    def _replace(self, worker: _Worker, *, late: bool) -> None:
        """Read the script again in another process, without the statement that this one did not come through."""
        task, statement = worker.task, worker.statement
        assert task is not None
        code = worker.end()
        self._workers.remove(worker)
        fresh = _take()
        self._workers.append(fresh)
        fresh.number = worker.number
        found = _given_up(task.limits, code, late=late)
        if statement == _ASKED and worker.tries < _TRIES:  # it was not the script: somebody ended the process
            fresh.give(worker.number, task, worker.tries + 1)
        elif statement < 0 or statement in task.given_up:
            self._finish(fresh, _as_a_whole(task.text, found))
        else:
            fresh.give(worker.number, replace(task, given_up={**task.given_up, statement: found}))

    def _leave(self) -> None:
        """Processes that wait for work are kept for the next reading, those in the middle of something are not."""
        for worker in self._workers:
            if worker.task is None:
                with _lock:
                    _idle.append(worker)
            else:
                worker.end()


def read_scripts(
    texts: Iterable[ScriptText],
    tables: Mapping[TableName, Table],
    limits: Limits | None = None,
    most: int | None = None,
) -> Iterator[Script]:
    """The lineage of each script, in the order of the texts. Never raises for a script.

    Args:
        texts: read as they are needed, so that they need not be in memory together.
        tables: asked for what the scripts name, in this thread.
        limits: what one statement may take; a statement that takes more ends as `timeout`.
        most: processes at once; by default one a core.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return _Reading(texts, tables, limits or Limits(), most or min(_MOST, cores)).run()


@atexit.register
def end_idle() -> None:
    """End the processes that wait for a next reading."""
    with _lock:
        while _idle:
            _idle.pop().end()


def _take() -> _Worker:
    """A process that waits for work; a new one where there is none, or where it died meanwhile."""
    while True:
        with _lock:
            if not _idle:
                break
            worker = _idle.pop()
        if not worker.connection.poll():  # it has nothing to say unless it ended
            return worker
        worker.end()
    return _Worker()


def _given_up(limits: Limits, code: int, *, late: bool) -> GivenUp:
    if late or code == -signal.SIGXCPU:
        return GivenUp("timeout", f"not read within {limits.seconds:g} s of CPU time")
    why = signal.Signals(-code).name if code < 0 else f"status {code}"
    return GivenUp("unparsed", f"the process that read it died ({why})")


def _as_a_whole(text: ScriptText, found: GivenUp) -> Script:
    place = StatementPlace(text.name, 1, 0)
    return Script((StatementLineage(place, found.status, "?", reason=f"the script as a whole: {found.reason}"),))
