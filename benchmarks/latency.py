"""From an ALTER TABLE in a real metastore to the catalog, through `dagster dev` with its daemon.

    python -m benchmarks.latency [--changes 20] [--tables 50] [--pause 12]

One change after the other, each of another table, at a pause that is no multiple of the sensors' interval. The time
ends when the destination `local` and the workbook have the new column, by the store's record. The sensor of the source
and the pending sensor look every 5 seconds, a run starts in a process of its own.

Hive 2.3.10 on Derby, 2 cores, load 3: 12 changes of 50 tables: median 19.5 s, p95 26.8 s.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from pymetastore.hive_metastore.ttypes import FieldSchema, GetTableRequest

from examples.services.metastore import Metastore
from examples.services.process import free_port
from metadata_assets.sources.hive.connection import Connector
from metadata_assets.stages.deployment import opened
from tests.daemon import Dagster
from tests.integration.command import backfill, environment
from tests.integration.warehouse import make_database, make_table

_LONGEST = 180.0
_PLATFORM = """\
version: 1
kind: platform
sensors: running
metastore: {{type: hive, uris: ["{uri}"]}}
events:
  - {{type: hive_log, name: hms, uris: ["{uri}"]}}
destinations:
  - {{type: local}}
  - {{type: workbook}}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--changes", type=int, default=20)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--pause", type=float, default=12.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="latency-") as folder:
        home = Path(folder)
        service = Metastore(home / "hms", free_port(), lake="s3://lake")
        service.start()
        try:
            seconds = _measure(home, service, asked.changes, asked.tables, asked.pause)
        finally:
            service.stop()
    seconds.sort()
    p95 = seconds[min(len(seconds) - 1, int(len(seconds) * 0.95))]
    sys.stdout.write(
        f"{len(seconds)} changes of {asked.tables} tables: median {statistics.median(seconds):.1f} s, p95 {p95:.1f} s, "
        f"longest {seconds[-1]:.1f} s\n"
    )


def _measure(home: Path, service: Metastore, changes: int, tables: int, pause: float) -> list[float]:
    (home / "platform.yaml").write_text(_PLATFORM.format(uri=service.uri))
    with closing(Connector(60).open(service.uri)) as connection:
        connection.stub.create_database(make_database("bench"))
        for n in range(tables):
            connection.stub.create_table(make_table("bench", f"t{n}", [("id", "bigint", None)]))
    env = environment(
        home / "state",
        METADATA_PLATFORM=str(home / "platform.yaml"),
        DAGSTER_HOME=str(home / "state" / "dagster"),
    )
    backfill(env)
    dagster = Dagster(env, home / "dagster.log")
    try:
        dagster.start()
        _await(lambda: _has_read(env))
        time.sleep(30)  # the full look of the first start
        return [_one(env, service, n, tables, pause) for n in range(changes)]
    finally:
        dagster.stop()


def _one(env: dict[str, str], service: Metastore, number: int, tables: int, pause: float) -> float:
    name, column = f"t{number % tables}", f"added_{number}"
    with closing(Connector(30).open(service.uri)) as connection:
        table = connection.stub.get_table_req(GetTableRequest(dbName="bench", tblName=name)).table
        table.sd.cols.append(FieldSchema(column, "string", None))
        began = time.time()
        connection.stub.alter_table("bench", name, table)
    written = _await(lambda: _written_at(env, f"table:bench.{name}", column))
    time.sleep(pause)
    return written - began


def _written_at(env: dict[str, str], subject: str, column: str) -> float:
    """When the last destination was given the column; 0 where one was not yet."""
    with opened(env) as deployment:
        held = [(deployment.store.published.held(d, [subject]).get(subject), d) for d in deployment.destination_names]
        for published, _ in held:
            if published is None or not any(c.name == column for c in getattr(published.entry, "columns", ())):
                return 0.0
        return max(s.written_at or 0.0 for s in deployment.store.published.standings([subject]))


def _has_read(env: dict[str, str]) -> float:
    with opened(env) as deployment:
        return float(bool(deployment.store.work.state("events: hms")))


def _await(ready: Callable[[], float]) -> float:
    deadline = time.monotonic() + _LONGEST
    while time.monotonic() < deadline:
        if found := ready():
            return found
        time.sleep(0.25)
    raise SystemExit(f"nothing arrived within {_LONGEST:.0f} s")


if __name__ == "__main__":
    main()
