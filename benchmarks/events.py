"""What it costs to catch up: 100,000 messages wait on a real topic, on 2,000 tables, and people wait for the catalog.

    python -m benchmarks.events [--messages 100000] [--tables 2000] [--hydrate event]

The messages are as Apiary's listener sends them: each table is created, then changed, filled and committed to until its
share of the messages is used up. The sensor function itself is ticked, as the daemon does it, and the pending sensor
after each tick; of the runs that it asks for one a tick ends, the others stay under way. Bars: no tick takes 10 s, no
shard has two runs at a time, memory does not grow with what was drained, and the catalog ends as the history does. The
metastore is in memory. Needs Java and Maven for the broker.
"""

import argparse
import gc
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

import dagster as dg
from rich.console import Console
from rich.table import Table as Grid

from benchmarks.synthetic import make_table
from examples.services.kafka import Kafka
from examples.services.process import free_port
from metadata_assets.defs import jobs
from metadata_assets.defs.assembly import build_definitions
from metadata_assets.defs.partitions import sync_partitions
from metadata_assets.defs.resources import Deployments
from metadata_assets.model.table import Column, Table
from metadata_assets.sources.events.base import Message
from metadata_assets.stages.databases import read_databases
from metadata_assets.stages.deployment import Deployment, opened
from metadata_assets.stages.shards import shard_keys
from tests.apiary import altered, created, inserted, statistics
from tests.kafka import Record, new_topic, send
from tests.memory import WORLDS, World
from tests.sensing import CHANGED, execute

T = TypeVar("T")
TICK_BAR, GROWTH_BAR = 10.0, 64.0
PARTITIONS = 5
PLATFORM = """\
version: 1
kind: platform
metastore: {{type: "tests.memory:MemoryMetastoreConfig", world: benchmark}}
events:
  - {{type: kafka, name: apiary, topic: {topic}, hydrate: {hydrate}, config: {{bootstrap.servers: "{bootstrap}"}}}}
destinations:
  - {{type: "tests.memory:MemoryDestinationConfig", world: benchmark}}
"""


def history(tables: int, messages: int, began: float) -> Iterator[tuple[int, Message, Table]]:
    """(number of the table, message, the table after it), in the order in which they were sent."""
    now = [replace(make_table(n), provider=None) for n in range(tables)]  # a message of tests tells no format
    for number in range(messages):
        which, turn = number % tables, number // tables
        table, at = now[which], began + number * 0.001
        if turn == 0:
            yield which, created(number + 1, table, at), table
        elif turn % 4 == 1:
            column = Column(f"added_{turn}", "string", f"the {turn}. change")
            now[which] = replace(table, columns=(*make_table(which).columns, column))
            yield which, altered(number + 1, table, now[which], at), now[which]
        else:
            yield which, (inserted if turn % 4 == 2 else statistics)(number + 1, table, at), table


@dataclass
class Ticks:
    """Evaluates the two sensors as the daemon does; runs that were asked for stay under way until they are ended."""

    definitions: dg.Definitions
    instance: dg.DagsterInstance
    environ: dict[str, str]
    cursor: str | None = None
    under_way: list[tuple[dg.DagsterRun, dg.RunRequest]] = field(default_factory=list)
    twice: int = 0
    runs: int = 0

    def take_in(self) -> bool:
        """One tick of the sensor of the topic; False where it found nothing new."""
        result = self._tick("apiary_events_sensor")
        if isinstance(result, dg.SkipReason):
            raise SystemExit(f"the topic cannot be read: {result.skip_message}")
        before, self.cursor = self.cursor, result.cursor
        return self.cursor != before

    def request(self) -> int:
        """Ask for runs as the pending sensor does; those that it asks for are under way from now on."""
        result = self._tick("pending_sensor")
        if isinstance(result, dg.SkipReason):
            return 0
        for added in result.dynamic_partitions_requests or ():
            self.instance.add_dynamic_partitions(str(added.partitions_def_name), list(added.partition_keys))
        requests = list(result.run_requests or ())
        active = [r.partition_key for _, r in self.under_way if r.partition_key]
        asked = [r.partition_key for r in requests if r.partition_key]
        self.twice += len(asked) + len(active) - len({*asked, *active})
        for request in requests:
            tags = {"dagster/partition": request.partition_key} if request.partition_key else {}
            run = dg.DagsterRun(job_name=request.job_name or "", tags=tags, status=dg.DagsterRunStatus.STARTED)
            self.under_way.append((self.instance.add_run(run), request))
        return len(requests)

    def end_one(self, deployment: Deployment) -> None:
        """The oldest run under way does its work and is over."""
        if not self.under_way:
            return
        run, request = self.under_way.pop(0)
        if request.job_name == jobs.DATABASES_UPDATE:
            read_databases(deployment, CHANGED)
            sync_partitions(self.instance, shard_keys(deployment.store.work.shards()))
        else:
            self._execute(request)
        self.instance.delete_run(run.run_id)
        self.runs += 1

    def _execute(self, request: dg.RunRequest) -> None:
        """In a process of its own, as runs are: what it takes is not the sensor's."""
        child = os.fork()
        if child == 0:
            with opened(self.environ) as deployment:
                execute(deployment, request)
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            raise SystemExit(f"the run of {request.partition_key} failed")

    def _tick(self, name: str) -> dg.SensorResult | dg.SkipReason:
        resources = {"deployments": Deployments(self.environ)}
        context = dg.build_sensor_context(instance=self.instance, cursor=self.cursor, resources=resources)
        result = self.definitions.resolve_sensor_def(name)(context)
        if not isinstance(result, dg.SensorResult | dg.SkipReason):
            raise TypeError(f"{name} gave {type(result).__name__}")
        return result


@dataclass
class Figures:
    """Seconds of each tick, and resident memory in MB: before the first, after it, and after the last."""

    intake: list[float] = field(default_factory=list)
    pending: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)


def drain(ticks: Ticks, figures: Figures) -> None:
    """Tick until nothing waits, neither on the topic nor for a run."""
    figures.memory.append(resident())
    with opened(ticks.environ) as deployment:
        quiet = 0
        while quiet < 2 or ticks.under_way:
            moved = timed(ticks.take_in, figures.intake if quiet == 0 else [])
            asked = timed(ticks.request, figures.pending)
            figures.memory.append(resident())
            quiet = 0 if moved or asked else quiet + 1
            ticks.end_one(deployment)


def timed(work: Callable[[], T], seconds: list[float]) -> T:
    began = time.monotonic()
    result = work()
    seconds.append(time.monotonic() - began)
    return result


def resident() -> float:
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--tables", type=int, default=2_000)
    parser.add_argument("--hydrate", choices=["event", "metastore"], default="event")
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        broker = Kafka(folder / "kafka", free_port())
        broker.start()
        stack.callback(broker.stop)
        topic = new_topic(broker.bootstrap, PARTITIONS)
        truth: dict[str, Table] = {}
        send(broker.bootstrap, topic, records(asked.tables, asked.messages, truth), linger_ms=50)
        (folder / "platform.yaml").write_text(
            PLATFORM.format(topic=topic, hydrate=asked.hydrate, bootstrap=broker.bootstrap)
        )
        environ = {"METADATA_PLATFORM": str(folder / "platform.yaml"), "METADATA_HOME": str(folder / "home")}
        WORLDS["benchmark"] = world_of(truth)
        (folder / "dagster").mkdir()
        instance = stack.enter_context(dg.DagsterInstance.local_temp(str(folder / "dagster")))
        ticks = Ticks(build_definitions(environ), instance, environ)
        figures = Figures()
        drain(ticks, figures)
        with opened(environ) as deployment:
            right = deployment.store.facts.contents("schema") == truth
        report(asked, ticks, figures, right=right)


def records(tables: int, messages: int, truth: dict[str, Table]) -> Iterator[Record]:
    """Messages for the broker; `truth` is filled with the tables as the history leaves them."""
    for which, message, table in history(tables, messages, time.time() - messages * 0.001):
        truth[table.subject] = table
        yield which % PARTITIONS, message.key, message.payload


def world_of(truth: dict[str, Table]) -> World:
    world = World()
    world.metastore.add(*truth.values())
    return world


def report(asked: argparse.Namespace, ticks: Ticks, figures: Figures, *, right: bool) -> None:
    growth = figures.memory[-1] - figures.memory[1]
    rows = {
        "messages, tables": f"{asked.messages:,}, {asked.tables:,}",
        "ticks that took messages in": f"{len(figures.intake)}",
        "longest of them, s": f"{max(figures.intake):.2f}",
        "messages a second": f"{asked.messages / sum(figures.intake):,.0f}",
        "longest tick of the pending sensor, s": f"{max(figures.pending):.2f}",
        "runs": f"{ticks.runs}",
        "shards with two runs at a time": f"{ticks.twice}",
        "memory before, after the first tick, at the end, MB": (
            f"{figures.memory[0]:.0f}, {figures.memory[1]:.0f}, {figures.memory[-1]:.0f}"
        ),
        "the catalog ends as the history": "yes" if right else "NO",
    }
    grid = Grid("what", asked.hydrate)
    for what, figure in rows.items():
        grid.add_row(what, figure)
    Console(width=100).print(grid)
    longest = max(*figures.intake, *figures.pending)
    sys.exit(0 if right and not ticks.twice and longest < TICK_BAR and growth < GROWTH_BAR else 1)


if __name__ == "__main__":
    main()
