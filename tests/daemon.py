"""`dagster dev` over a home, with its daemon and sensors, for tests and benchmarks."""

import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from examples.services.process import free_port, started_at
from tests.integration.command import ROOT

_START_SECONDS = 120.0


def wait_until(condition: Callable[[], bool], seconds: float, interval: float = 1.0) -> bool:
    """Whether it came true in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(interval)
    return False


def _dagster_dev(port: int) -> Sequence[str]:
    command = [sys.executable, "-W", "ignore", "-m", "dagster", "dev", "-w", "workspace.yaml"]
    return [*command, "-h", "127.0.0.1", "-p", str(port), "--log-level", "warning"]


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@dataclass
class Dagster:
    """`dagster dev` in a session of its own: everything that it starts is found by that, and by nothing else."""

    environ: dict[str, str]
    log: Path
    port: int = 0
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, command: Callable[[int], Sequence[str]] = _dagster_dev, *, behind: bool = False) -> None:
        """Returns once the UI answers.

        Args:
            command: what is run to serve a port.
            behind: start it as a shell starts what runs in its background, without Ctrl-C.
        """
        self.port = free_port()
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(
                command(self.port), env={**self.environ, "DAGSTER_DISABLE_TELEMETRY": "1"}, cwd=ROOT, stdout=out,
                stderr=out, start_new_session=True, preexec_fn=_ignore_interrupts if behind else None,
            )  # fmt: skip
        assert wait_until(self._answers, _START_SECONDS), f"Dagster does not answer; its log is {self.log}"

    def stop(self) -> None:
        """Ask it to end; what does not is killed: its children outlive it when they are busy."""
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(20)
        self.kill()

    def kill(self) -> None:
        """Daemon, UI and code servers at once, and the run workers with them."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            for pid in self.members():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self.process.wait()

    def members(self) -> Iterator[int]:
        """The processes of its session."""
        assert self.process is not None
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(FileNotFoundError, ProcessLookupError):
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                if int(fields[3]) == self.process.pid and started_at(int(folder.name)) is not None:
                    yield int(folder.name)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/server_info", timeout=5):
                return True
        except OSError:
            return False
