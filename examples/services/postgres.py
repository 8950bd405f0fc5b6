"""A PostgreSQL cluster of its own in a folder, from the Debian package.

    python -m examples.services.postgres start --dir DATA [--port 5432]
    python -m examples.services.postgres stop|kill --dir DATA

PostgreSQL refuses to run as root, so root hands it to the package's user `postgres`, who must be able to enter the
folders above DATA.
"""

import os
import shutil
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from examples.services.command import run_action, service_parser
from examples.services.process import ServiceFailed, ServiceUnavailable, run_tool, started_at

_PACKAGES = Path("/usr/lib/postgresql")


@dataclass
class Postgres:
    """A cluster whose superuser `app` needs no password, on loopback only."""

    folder: Path
    port: int = 5432
    user: str = "app"

    @property
    def url(self) -> str:
        return f"postgresql://{self.user}@127.0.0.1:{self.port}/postgres"

    @property
    def pid(self) -> int | None:
        """The pid of the server while it lives."""
        try:
            pid = int((self._data / "postmaster.pid").read_text().split()[0])
        except (FileNotFoundError, IndexError, ValueError):
            return None
        try:
            return pid if Path(f"/proc/{pid}/cwd").readlink() == self._data else None
        except OSError:  # gone, a zombie, or by now somebody else's pid
            return None

    def start(self, timeout: float = 30) -> float:
        """Seconds until it answers; making the cluster at the first start is counted.

        Raises:
            ServiceUnavailable: the package is missing, or its user cannot enter the folder.
            ServiceFailed: it does not come up.
        """
        programs, begin = find_programs(), time.monotonic()
        if self.pid is not None:
            raise ServiceFailed(f"{self.folder} is already served by process {self.pid}: stop that first")
        self._hand_over()
        # PostgreSQL takes a killed server that nobody has reaped yet for a live one.
        (self._data / "postmaster.pid").unlink(missing_ok=True)
        if not (self._data / "PG_VERSION").exists():
            self._run(
                programs / "initdb", "-D", self._data, "-U", self.user,
                "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync",
            )  # fmt: skip
        # Without fsync a power cut may lose data, kill -9 does not: the system still writes its cache.
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
        self._run(
            programs / "pg_ctl", "start", "-D", self._data, "-w", "-t", f"{timeout:.0f}",
            "-l", self.folder.resolve() / "log", "-o", options,
        )  # fmt: skip
        return time.monotonic() - begin

    def stop(self) -> None:
        if self.pid is not None:
            self._run(find_programs() / "pg_ctl", "stop", "-D", self._data, "-m", "fast", "-w")

    def kill9(self) -> None:
        """End server and back ends as a power cut would."""
        pid = self.pid
        if pid is None:
            return
        children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        for victim in (pid, *children):
            if started_at(victim):
                os.kill(victim, signal.SIGKILL)
        deadline = time.monotonic() + 10
        while any(started_at(victim) for victim in (pid, *children)) and time.monotonic() < deadline:
            time.sleep(0.02)

    @property
    def _data(self) -> Path:
        return self.folder.resolve() / "data"

    def _hand_over(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if os.geteuid() != 0:
            return
        shutil.chown(self.folder, "postgres")
        closed = [above for above in self.folder.resolve().parents if not above.stat().st_mode & 0o001]
        if closed:
            raise ServiceUnavailable(f"user postgres cannot enter {closed[-1]}: choose another folder, as under /tmp")

    def _run(self, program: Path, *arguments: str | Path) -> None:
        other_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        # pg_ctl hands its output to the server it starts, which would keep a pipe open for ever: hence the shell.
        quiet = ["sh", "-c", 'exec "$@" >"$0" 2>&1 </dev/null', str(self.folder.resolve() / "command.log")]
        try:
            run_tool([*other_user, *quiet, str(program), *map(str, arguments)], Path("/"), timeout=60)
        except ServiceFailed as error:
            said = (self.folder / "command.log").read_text(errors="replace")[-2000:]
            raise ServiceFailed(f"{program.name} for {self.folder}: {error}{said}") from error


def find_programs() -> Path:
    """Folder of the newest PostgreSQL server programs.

    Raises:
        ServiceUnavailable: there are none.
    """
    found = [folder for folder in _PACKAGES.glob("*/bin") if (folder / "initdb").exists()]
    if not found:
        raise ServiceUnavailable(f"no PostgreSQL server under {_PACKAGES}: apt-get install postgresql")
    return max(found, key=lambda folder: int(folder.parent.name))


def main() -> None:
    asked = service_parser(__doc__, 5432).parse_args()
    service = Postgres(asked.dir, asked.port)
    run_action(asked.action, service, lambda: f"PostgreSQL at {service.url}, process {service.pid}")


if __name__ == "__main__":
    main()
