"""How we read a Hive metastore against the usual loop, interleaved in one run on one metastore.

    python -m benchmarks.hive_read [--rounds 3] [--databases 7]

- ours: `HiveMetastore`, bulk calls, conversion to the model included
- get_table: one call a table, converted by the same code, accelerated protocol
- get_table + get_fields: two calls a table, the pattern of DataHub's hive-metastore connector
- get_table, plain protocol: the same loop with Thrift's Python decoder, which most clients use by default

The calls that list databases and tables are counted for all alike. Wall time is the server's (Derby), mostly: a bulk
call saves its round trips and half of its work beside `get_fields`, not the reading of the rows.

Hive 2.3.10 on Derby, 2 cores, load 1.9; 2,002 tables × 20 columns + 1 key, best of 3:

    reader                      calls  a table  client CPU ms a table  CPU ×  wall s  wall ×
    ours                           24    0.012                  0.143    1.0    5.61     1.0
    get_table                    2010    1.004                  0.261    1.8    6.65     1.2
    get_table + get_fields       4012    2.004                  0.420    2.9   13.70     2.4
    get_table, plain protocol    2010    1.004                  0.455    3.2    8.03     1.4
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pymetastore.hive_metastore import ThriftHiveMetastore
from rich.console import Console
from rich.table import Table as Grid
from thrift.protocol.TBinaryProtocol import TBinaryProtocol

from examples.services.process import free_port
from metadata_assets.model.table import Table, TableName
from metadata_assets.sources.hive.config import HiveConfig
from metadata_assets.sources.hive.connection import Connection, Connector
from metadata_assets.sources.patterns import NamePatterns
from metadata_assets.sources.structures import to_table
from tests.integration.warehouse import BULK_DATABASES, open_warehouse
from tests.surroundings import around

CPU_BAR_MS, CALLS_BAR = 2.0, 0.02

Reader = Callable[[str, Sequence[str]], tuple[int, int]]  # address, databases → tables read, calls


@dataclass(frozen=True, slots=True)
class Round:
    tables: int
    calls: int
    cpu: float
    wall: float


def read_ours(uri: str, databases: Sequence[str]) -> tuple[int, int]:
    patterns = NamePatterns(include=tuple(databases))
    with HiveConfig(type="hive", uris=(uri,), databases=patterns).connect(around()) as source:
        names = [name for database in source.read_databases() for name in source.read_table_names(database.name)]
        tables = [read for read in source.read_tables(names) if isinstance(read, Table)]
        return len(tables), source.calls


def read_one_by_one(
    uri: str, databases: Sequence[str], *, fields: bool = False, plain: bool = False
) -> tuple[int, int]:
    with closing(Connector(600).open(uri)) as connection:
        if plain:
            connection.stub = ThriftHiveMetastore.Client(TBinaryProtocol(connection.transport))
        names = list_names(connection, databases)
        for name in names:
            thrift: Any = connection.stub.get_table(name.database, name.table)
            to_table(thrift)
            if fields:
                connection.stub.get_fields(name.database, name.table)
        return len(names), 1 + len(databases) + len(names) * (2 if fields else 1)


def list_names(connection: Connection, databases: Sequence[str]) -> Sequence[TableName]:
    listed = [name for name in connection.stub.get_all_databases() if name in databases]
    return [TableName(name, table) for name in listed for table in connection.stub.get_all_tables(name)]


READERS: dict[str, Reader] = {
    "ours": read_ours,
    "get_table": read_one_by_one,
    "get_table + get_fields": lambda uri, databases: read_one_by_one(uri, databases, fields=True),
    "get_table, plain protocol": lambda uri, databases: read_one_by_one(uri, databases, plain=True),
}


def measure(reader: Reader, uri: str, databases: Sequence[str]) -> Round:
    cpu, wall = time.process_time(), time.monotonic()
    tables, calls = reader(uri, databases)
    return Round(tables, calls, time.process_time() - cpu, time.monotonic() - wall)


def run(uri: str, rounds: int, databases: Sequence[str]) -> dict[str, list[Round]]:
    results: dict[str, list[Round]] = {name: [] for name in READERS}
    for reader in READERS.values():
        reader(uri, databases[:1])  # warm up both sides
    for _ in range(rounds):
        for name, reader in READERS.items():
            results[name].append(measure(reader, uri, databases))
    if len({r.tables for done in results.values() for r in done}) != 1:
        raise SystemExit("the readers did not read the same number of tables: the comparison says nothing")
    return results


def show(results: dict[str, list[Round]]) -> bool:
    """Print the best round of each; whether ours keeps to its bars."""
    ours = min(results["ours"], key=lambda r: r.cpu)
    quickest = min(r.wall for r in results["ours"])
    title = f"{ours.tables} tables × 20 columns + 1 key, best of {len(results['ours'])}, load {os.getloadavg()[0]:.1f}"
    grid = Grid(title=title)
    for heading in ("reader", "calls", "calls a table", "client CPU ms a table", "CPU ×", "wall s", "wall ×"):
        grid.add_column(heading, justify="left" if heading == "reader" else "right")
    for name, rounds in results.items():
        cpu, wall = min(r.cpu for r in rounds), min(r.wall for r in rounds)
        grid.add_row(
            name, str(rounds[0].calls), f"{rounds[0].calls / ours.tables:.3f}", f"{cpu * 1000 / ours.tables:.3f}",
            f"{cpu / ours.cpu:.1f}", f"{wall:.2f}", f"{wall / quickest:.1f}",
        )  # fmt: skip
    Console(file=sys.stdout, width=120).print(grid)
    return ours.cpu * 1000 / ours.tables < CPU_BAR_MS and ours.calls / ours.tables <= CALLS_BAR


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--databases", type=int, default=len(BULK_DATABASES), help="of 286 tables each")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        service = open_warehouse(Path(folder) / "hive", free_port())
        service.start()
        try:
            kept = show(run(service.uri, asked.rounds, BULK_DATABASES[: asked.databases]))
        finally:
            service.stop()
    if not kept:
        raise SystemExit(f"over the bar: {CALLS_BAR} calls and {CPU_BAR_MS} ms client CPU a table")


if __name__ == "__main__":
    main()
