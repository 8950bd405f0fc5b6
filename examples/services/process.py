"""One child process that outlives its starter, with its pid and its output in files of its folder."""

import os
import random
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path


class ServiceUnavailable(Exception):
    """A service cannot run on this machine; the message says why and what to install."""


class ServiceFailed(Exception):
    """A service was started and did not become ready; the message ends with the end of its log."""


def free_port() -> int:
    """A port that nobody listens on, on any address.

    Below the range from which the system hands out ports for outgoing connections, so that it stays free until used.
    """
    for port in random.SystemRandom().sample(range(20_000, 32_000), 200):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("", port))
            except OSError:
                continue
            return port
    raise ServiceUnavailable("no free port among 200 tried between 20000 and 32000: stop what listens there")


def require_tool(name: str, install: str, environ: Mapping[str, str] | None = None) -> str:
    """Path of a program: from the variable of the same name in capitals (JAVA=…), else from the search path.

    Raises:
        ServiceUnavailable: it is not there.
    """
    wanted = (os.environ if environ is None else environ).get(name.upper(), name)
    found = shutil.which(wanted)
    if found is None:
        raise ServiceUnavailable(f"program {wanted!r} is missing: {install}")
    return found


def run_tool(argv: Sequence[str], cwd: Path, timeout: float = 120) -> str:
    """Run a program to its end and give back what it printed.

    Raises:
        ServiceFailed: it ended with another status than 0, or not in time.
    """
    try:
        done = subprocess.run(
            argv, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            text=True, errors="replace", timeout=timeout, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise ServiceFailed(f"{argv[0]} did not end within {timeout:g} s") from error
    if done.returncode:
        raise ServiceFailed(f"{argv[0]} ended with status {done.returncode}:\n{done.stdout[-3000:]}")
    return done.stdout


def started_at(pid: int) -> str | None:
    """When a live process was started, in the kernel's ticks; None when it is gone or a zombie.

    The pid alone could by now be somebody else's.
    """
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] == "Z" else fields[19]


@dataclass
class ChildService:
    """A service that is one child process of its folder: how each of them ends."""

    folder: Path

    @cached_property
    def child(self) -> "Child":
        return Child(self.folder)

    def stop(self) -> None:
        self.child.stop()

    def kill9(self) -> None:
        self.child.kill9()


def require_java() -> str:
    """Path of the Java that the services of the lake run on.

    Raises:
        ServiceUnavailable: it is not there.
    """
    return require_tool("java", "apt-get install openjdk-17-jdk-headless")


class Child:
    """A process described by `<folder>/pid` and `<folder>/log`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.log = self.folder / "log"
        self._pid_file = self.folder / "pid"
        self._popen: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The pid while the process lives."""
        try:
            pid, start = self._pid_file.read_text().split()
        except (FileNotFoundError, ValueError):
            return None
        return int(pid) if started_at(int(pid)) == start else None

    @property
    def memory_mb(self) -> float:
        pid = self.pid
        if pid is None:
            return 0.0
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def spawn(self, argv: Sequence[str], env: Mapping[str, str] | None = None) -> None:
        """Start the process in a session of its own.

        Raises:
            ServiceFailed: it is already running.
        """
        if self.pid is not None:
            raise ServiceFailed(f"{self.folder} is already served by process {self.pid}: stop that first")
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as out:
            self._popen = subprocess.Popen(
                argv, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                env=None if env is None else dict(env), start_new_session=True,
            )  # fmt: skip
        self._pid_file.write_text(f"{self._popen.pid} {started_at(self._popen.pid)}")

    def wait_until(self, ready: Callable[[], bool], timeout: float) -> float:
        """Seconds until `ready` says yes.

        Raises:
            ServiceFailed: the process died or took too long.
        """
        begin = time.monotonic()
        while (waited := time.monotonic() - begin) < timeout:
            if self.pid is None:
                raise ServiceFailed(f"died while starting; end of {self.log}:\n{self._log_end()}")
            if ready():
                return time.monotonic() - begin
            time.sleep(0.05 if waited < 2 else 0.2)
        raise ServiceFailed(f"not ready after {timeout:g} s; end of {self.log}:\n{self._log_end()}")

    def stop(self, timeout: float = 20) -> None:
        """Ask it to end; after `timeout` seconds it is killed."""
        self._end(signal.SIGTERM, timeout)

    def kill9(self) -> None:
        """End it as a power cut would."""
        self._end(signal.SIGKILL, 10)

    def _end(self, how: signal.Signals, timeout: float) -> None:
        pid = self.pid
        if pid is not None:
            os.kill(pid, how)
            if not self._gone_within(timeout) and how is not signal.SIGKILL:
                os.kill(pid, signal.SIGKILL)
                self._gone_within(10)
        elif self._popen is not None:
            self._popen.wait()
        self._pid_file.unlink(missing_ok=True)

    def _gone_within(self, timeout: float) -> bool:
        deadline = time.monotonic() + timeout
        while self.pid is not None:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        if self._popen is not None:
            self._popen.wait()
            self._popen = None
        return True

    def _log_end(self) -> str:
        return self.log.read_text(errors="replace")[-3000:] if self.log.exists() else "(no log)"
