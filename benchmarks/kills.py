"""What survives when processes are killed: daemon, run workers and broker end with SIGKILL at random moments, again and
again, while tables change.

    python -m benchmarks.kills [--times 50] [--seed 1]

The metastore is a folder of DDL files. Each change is written there, and told on a real topic as Apiary's listener
does; nobody looks for drift, so what an event lost would stay lost. `dagster dev` runs the sensors of the topic and of
what is due. Once the last victim is dead, the catalog has to become true by itself. Then: every table is as the folder
says, each message was taken in once, no version of a table was stored twice in a row, and the destination holds each
entry as it is wanted. Needs Java and Maven for the broker.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table as Grid
from sqlalchemy import func, select

from examples.services.apiary_messages import partition_of
from examples.services.kafka import Kafka
from examples.services.process import free_port
from metadata_assets.defs.home import prepare_home
from metadata_assets.model.table import Table
from metadata_assets.stages.deployment import Deployment, opened
from metadata_assets.stages.watching import plan_due
from metadata_assets.store.tables import events, facts
from tests.apiary import altered, created, dropped
from tests.daemon import Dagster, wait_until
from tests.integration.command import ROOT, backfill, environment
from tests.kafka import new_topic, send
from tests.lake import table

DATABASES, TABLES = 6, 8
PARTITIONS = 3
SETTLE_SECONDS = 900.0
PLATFORM = """\
version: 1
kind: platform
metastore: {{type: ddl, path: ddl}}
events:
  - {{type: kafka, name: apiary, topic: {topic}, config: {{bootstrap.servers: "{bootstrap}"}}}}
destinations:
  - {{type: local}}
policies: {{deletion: {{max_tables: 1000, max_share: 1.0}}}}
"""
_WORKER = b"multiprocessing.spawn"  # a code server executes each run in a process that it spawns
SENSORS = ("apiary_events_sensor", "pending_sensor")


@dataclass
class Lake:
    """Tables as DDL files, and the messages that tell of them. A change is in the folder before it is told."""

    folder: Path
    broker: Kafka
    topic: str
    chance: random.Random
    tables: dict[str, Table] = field(default_factory=dict)
    told: int = 0

    def change(self) -> None:
        """Create, alter or drop some table."""
        name = f"db_{self.chance.randrange(DATABASES)}.t_{self.chance.randrange(TABLES)}"
        before = self.tables.get(name)
        number = self.told + 1
        after = table(name, "id bigint", f"value_{number} string")
        if before is not None and self.chance.random() < 0.25:
            message = dropped(number, self.tables.pop(name), time.time())
            self._path(name).unlink()
        else:
            self.tables[name] = after
            self._write(name, f"value_{number}")
            told = created(number, after, time.time()) if before is None else None
            message = told or altered(number, before or after, after, time.time())
        self.told = number
        record = (partition_of(name, PARTITIONS), message.key, message.payload)
        send(self.broker.bootstrap, self.topic, [record])

    def seed(self) -> None:
        """One table in each database that stays, so that a backfill has something to read."""
        for number in range(DATABASES):
            self._write(f"db_{number}.stays", "value")

    def _write(self, name: str, column: str) -> None:
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".draft")
        draft.write_text(f"CREATE TABLE {name} (id bigint, {column} string);\n")
        draft.rename(path)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name.replace('.', '/')}.sql"


def kill_worker(dagster: Dagster, delay: float) -> bool:
    """A process that executes a run, so many seconds after it was seen; False where none can be had."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for pid in dagster.members():
            if _WORKER in _command(pid):
                time.sleep(delay)
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    return True
        time.sleep(0.05)
    return False


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    chance = random.Random(asked.seed)  # noqa: S311  # moments, not secrets
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="kills-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        broker = Kafka(folder / "kafka", free_port())
        broker.start()
        stack.callback(broker.stop)
        lake = Lake(folder / "ddl", broker, new_topic(broker.bootstrap, PARTITIONS), chance)
        lake.seed()
        environ = prepared(folder, lake)
        dagster = Dagster(environ, folder / "dagster.log")
        stack.callback(dagster.kill)
        dagster.start()
        victims = kill_again_and_again(asked.times, lake, dagster, chance)
        began = time.monotonic()
        with opened(environ) as deployment:
            settled = wait_until(lambda: is_settled(deployment, lake), SETTLE_SECONDS)
            found = findings(deployment, lake)
        report(victims, lake, found, time.monotonic() - began if settled else None)


def prepared(folder: Path, lake: Lake) -> dict[str, str]:
    """A catalogued lake, and a home of Dagster in which only the sensors of events are on."""
    (folder / "platform.yaml").write_text(PLATFORM.format(topic=lake.topic, bootstrap=lake.broker.bootstrap))
    environ = environment(folder / "home", METADATA_PLATFORM=str(folder / "platform.yaml"))
    environ = prepare_home(environ)
    backfill(environ)
    for sensor in SENSORS:
        command = [sys.executable, "-W", "ignore", "-m", "dagster", "sensor", "start", sensor]
        where = ["-w", "workspace.yaml", "-l", "metadata_assets"]
        subprocess.run([*command, *where], env=environ, cwd=ROOT, check=True, capture_output=True)
    return environ


def kill_again_and_again(times: int, lake: Lake, dagster: Dagster, chance: random.Random) -> Counter[str]:
    """Victims by kind. Tables change before each, so that there is something to lose."""
    victims: Counter[str] = Counter()
    for number in range(times):
        for _ in range(chance.randint(1, 6)):
            lake.change()
        victim = chance.choice(("daemon", "run worker", "broker"))
        if victim == "run worker" and not kill_worker(dagster, chance.uniform(0, 4)):
            victim = "none: no run was under way"
        elif victim == "daemon":
            time.sleep(chance.uniform(0, 12))
            dagster.kill()
            lake.change()
            dagster.start()
        elif victim == "broker":
            time.sleep(chance.uniform(0, 8))
            lake.broker.kill9()
            time.sleep(chance.uniform(0, 3))
            lake.broker.start()
        victims[victim] += 1
        sys.stderr.write(f"{number + 1}/{times} {victim}; {lake.told} changes\n")
    return victims


def is_settled(deployment: Deployment, lake: Lake) -> bool:
    """Whether each message was taken in and nothing is due, not even a later try."""
    store = deployment.store
    due = plan_due(store, deployment.destination_names, time.time() + 86_400)
    return _taken(deployment) >= lake.told and not due.shards and not due.first


def _taken(deployment: Deployment) -> int:
    """Events that are a message of ours each; others were derived from them."""
    query = select(func.count(func.distinct(events.c.order_key))).where(events.c.source == "apiary")
    with deployment.store.engine.connect() as connection:
        return connection.scalar(query) or 0


def findings(deployment: Deployment, lake: Lake) -> dict[str, int]:
    """What is not as it should be → how often; all are to be 0."""
    store = deployment.store
    truth = {f"table:{name}": [c.name for c in t.columns] for name, t in lake.tables.items()}
    truth |= {f"table:db_{n}.stays": ["id", "value"] for n in range(DATABASES)}
    known = {s: [c.name for c in t.columns] for s, t in store.facts.contents("schema").items()}
    wanted = store.facts.hashes("entry")
    held = {s: p.content_hash for s, p in store.published.held("local").items() if p.content_hash and "table:" in s}
    return {
        "messages lost": lake.told - _taken(deployment),
        "messages taken in twice": _doubled_events(deployment),
        "tables that are missing or differ": sum(known.get(s) != columns for s, columns in truth.items()),
        "tables that should be gone": len(known.keys() - truth.keys()),
        "versions of a table stored twice in a row": _doubled_versions(deployment),
        "entries that the destination holds otherwise": sum(held.get(s) != h for s, h in wanted.items())
        + len(held.keys() - wanted.keys()),
        "dead letters": store.dead_letters.count(),
    }


def _doubled_events(deployment: Deployment) -> int:
    keys = (events.c.order_key, events.c.kind, events.c.subject)
    query = select(func.count()).where(events.c.source == "apiary").group_by(*keys).having(func.count() > 1)
    with deployment.store.engine.connect() as connection:
        return len(connection.execute(query).all())


def _doubled_versions(deployment: Deployment) -> int:
    query = select(facts.c.subject, facts.c.content_hash).where(facts.c.kind == "schema").order_by(facts.c.id)
    last: dict[str, str | None] = {}
    doubled = 0
    with deployment.store.engine.connect() as connection:
        for subject, digest in connection.execute(query):
            doubled += subject in last and last[subject] == digest
            last[subject] = digest
    return doubled


def report(victims: Mapping[str, int], lake: Lake, found: Mapping[str, int], settled: float | None) -> None:
    grid = Grid("what", "how often")
    for victim, number in sorted(victims.items()):
        grid.add_row(f"killed: {victim}" if not victim.startswith("none") else victim, str(number))
    grid.add_row("changes", str(lake.told))
    for what, number in found.items():
        grid.add_row(what, str(number))
    grid.add_row("at rest, s after the last kill", f"{settled:.0f}" if settled is not None else "NEVER")
    Console(width=100).print(grid)
    sys.exit(0 if settled is not None and not any(found.values()) else 1)


if __name__ == "__main__":
    main()
