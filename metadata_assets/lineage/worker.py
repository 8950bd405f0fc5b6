"""The process that reads scripts. It is bounded, and may end at any statement: another one goes on behind it.

Started by `workers`, which it asks for the tables that a script names.
"""

import math
import resource
import sys
from collections.abc import Iterator, Mapping
from multiprocessing.connection import Connection

from metadata_assets.lineage.messages import Begins, Task, Wanted
from metadata_assets.lineage.script import infer_text
from metadata_assets.model.table import Table, TableName

_MAX_KEPT = 5_000  # tables


class _Known(Mapping[TableName, Table]):
    """Tables by name, asked for when a statement names them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._kept: dict[TableName, Table | None] = {}
        self._reading = -1

    def begin(self, reading: int) -> None:
        """Another reading may know other tables."""
        if reading != self._reading or len(self._kept) > _MAX_KEPT:
            self._kept.clear()
        self._reading = reading

    def __getitem__(self, name: TableName) -> Table:
        if name not in self._kept:
            self._connection.send(Wanted(name))
            self._kept[name] = self._connection.recv()
        table = self._kept[name]
        if table is None:
            raise KeyError(name)
        return table

    def __iter__(self) -> Iterator[TableName]:
        raise TypeError("tables are known by name only")

    def __len__(self) -> int:
        raise TypeError("tables are known by name only")


def serve(connection: Connection) -> None:
    """Read one script after the other until nobody asks any more."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # one whose time is over leaves no image of its memory
    known = _Known(connection)
    while True:
        try:
            task: Task = connection.recv()
        except EOFError:
            return
        known.begin(task.reading)
        _bound_memory(task.limits.megabytes)

        def _begins(index: int, seconds: float = task.limits.seconds) -> None:
            _bound_time(seconds)
            connection.send(Begins(index))

        _begins(-1)
        connection.send(infer_text(task.text, known, task.given_up, _begins))


def _bound_memory(megabytes: int) -> None:
    """What needs more fails with a MemoryError, which is an outcome like others."""
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    wanted = megabytes << 20
    resource.setrlimit(resource.RLIMIT_AS, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))


def _bound_time(seconds: float) -> None:
    """From now on so much CPU time, however busy the machine is; then the kernel ends this process with SIGXCPU."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    wanted = math.ceil(used.ru_utime + used.ru_stime + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))
