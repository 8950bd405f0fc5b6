"""What each stage of the pipeline costs, and what keeping the catalog true costs against rewriting all of it.

    python -m benchmarks.pipeline [--tables 1000 10000] [--store URL]

- first: from an empty store; no change: the same again; one changed: one table got a column, as a sensor's run does it
- rewrite all: the plain loop without a memory: read every table, infer every job, merge, and write every entry to the
  same local catalog. It is what each change costs where nothing is remembered, and it knows no history, no order of
  readings, no retries and no counts.

Every stage runs in a process of its own, on sources in memory: the time of a real metastore or Atlas is not in it. A
lake of N tables × 20 columns has N/5 SQL jobs and N/5 documented tables. `pii_profiles` judges the names of columns; no
data is read.

SQLite, 2 cores, load 1; CPU s, in parentheses the peak of memory in MB beyond what the process began with:

    10,000 tables × 20 columns     first    no change  one changed
    hive_databases              0.05 (0)     0.09 (1)
    hive_schemas                0.91 (5)     0.64 (7)     0.07 (2)
    specs                      0.50 (17)    0.42 (17)
    sql_lineage                6.29 (65)    0.38 (38)    0.07 (10)
    pii_profiles               2.08 (41)    0.53 (33)     0.06 (7)
    catalog_entities          4.53 (112)   3.67 (110)    0.05 (11)
    local_glossary              0.02 (1)     0.03 (2)
    local_tables              4.48 (214)   2.47 (156)     0.14 (6)
    local_lineage              0.85 (36)    0.71 (32)     0.05 (3)
    all stages                     19.72         8.95         0.45
    rewrite all 6.78 ÷               0.3          0.8         15.2

To find that nothing changed costs more CPU than rewriting everything here, where a write is a row of a local table;
what it saves are the 10,000 writes at a destination. README.md has 1,000 tables, sensors and loading.
"""

import argparse
import gc
import os
import pickle
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.table import Table as Grid

from benchmarks.synthetic import changed, make_world, table_name
from metadata_assets.catalog.graph import LineageGraph
from metadata_assets.catalog.merge import TableFacts, merge_table
from metadata_assets.catalog.propagation import plan_inherited
from metadata_assets.catalog.tagging import by_reference, column_paths, direct_tags
from metadata_assets.destinations.base import GLOSSARY, LINEAGE, TABLES
from metadata_assets.destinations.local.destination import LocalCatalog
from metadata_assets.lineage.script import infer_script
from metadata_assets.model.claims import TagRules
from metadata_assets.model.event import ChangeEvent
from metadata_assets.model.lineage import ColumnRef
from metadata_assets.model.publication import Change, Changes
from metadata_assets.stages.databases import read_databases
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.entities import merge_entries
from metadata_assets.stages.lineage import infer_lineage
from metadata_assets.stages.planning import plan_everything
from metadata_assets.stages.profiling import profile_tables
from metadata_assets.stages.publishing import publish
from metadata_assets.stages.schemas import read_schemas
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.shards import shard_keys, shard_of
from metadata_assets.stages.specs import ingest_specs
from metadata_assets.stages.watching import plan_due, watch_metastore, watch_specs
from metadata_assets.store.queries import find_entry, impact_of, table_statuses
from metadata_assets.store.store import Store
from tests.memory import WORLDS, World, open_deployment

TICK_BAR, LOAD_BAR = 10.0, 5.0
WAITING_EVENTS = 10_000
_WORLD = "benchmark"
_CHANGED = table_name(0)
Stage = Callable[[Deployment, list[str], Scope], object]

STAGES: dict[str, Stage] = {
    "hive_databases": lambda d, shards, scope: read_databases(d, scope),
    "hive_schemas": read_schemas,
    "specs": lambda d, shards, scope: ingest_specs(d, scope),
    "sql_lineage": lambda d, shards, scope: infer_lineage(d, scope),
    "pii_profiles": profile_tables,
    "catalog_entities": merge_entries,
    "local_glossary": lambda d, shards, scope: publish(d, "memory", GLOSSARY, shards, scope),
    "local_tables": lambda d, shards, scope: publish(d, "memory", TABLES, shards, scope),
    "local_lineage": lambda d, shards, scope: publish(d, "memory", LINEAGE, shards, scope),
}
ONE_CHANGED = ("hive_schemas", "sql_lineage", "pii_profiles", "catalog_entities", "local_tables", "local_lineage")


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU seconds and the peak of memory above what the process had before, in MB."""

    cpu: float
    memory: float


@dataclass(frozen=True, slots=True)
class Bench:
    """A lake on disk (its store) and in memory (its sources), and how to open it in a fresh process."""

    folder: Path
    world: World
    store_url: str | None = None

    def open(self) -> Deployment:
        deployment = open_deployment(self.folder, _WORLD)
        return replace(deployment, store=Store.open(self.store_url)) if self.store_url else deployment

    def measure(self, work: Callable[[Deployment], object]) -> Cost:
        """Run in a fork: no cache and no garbage of the stage before is left, and memory is counted from here."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            try:
                os.write(writing, pickle.dumps(self._measured(work)))
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as answer:
            data = answer.read()
        os.waitpid(child, 0)
        if not data:
            raise SystemExit("a stage failed, see above")
        cost: Cost = pickle.loads(data)  # noqa: S301 - written by our own fork
        return cost

    def _measured(self, work: Callable[[Deployment], object]) -> Cost:
        gc.freeze()
        deployment = self.open()
        Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
        before, begin = _peak_mb(), time.process_time()
        work(deployment)
        return Cost(time.process_time() - begin, _peak_mb() - before)


def _peak_mb() -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024


def run_line(bench: Bench, scope: Scope) -> dict[str, Cost]:
    """The stages in order: all of them over all shards, or for one changed table as a sensor's run does."""

    def stage(name: str) -> Callable[[Deployment], object]:
        def run(deployment: Deployment) -> object:
            counts = deployment.store.work.shards()
            shards = shard_keys(counts) if scope.everything else [shard_of(_CHANGED, counts)]
            return STAGES[name](deployment, shards, scope)

        return run

    return {name: bench.measure(stage(name)) for name in (STAGES if scope.everything else ONE_CHANGED)}


def change_one(bench: Bench) -> None:
    tables = bench.world.metastore.tables
    tables[_CHANGED] = changed(tables[_CHANGED])
    deployment = bench.open()
    deployment.store.inbox.store([ChangeEvent("table_changed", f"table:{_CHANGED}", "bench", "one", 1, 0.0)])
    deployment.store.close()


def rewrite_all(deployment: Deployment) -> None:
    """The alternative: everything anew at each change."""
    world = WORLDS[_WORLD]
    tables = dict(world.metastore.tables)
    scripts = [infer_script(p, text, "spark", tables) for p, text in sorted(world.jobs.files.items())]
    graph = LineageGraph.of(scripts, ())
    facts = deployment.store.facts
    rules = facts.contents("tag_rules").get("rules", TagRules())
    claims, documents = facts.contents("tags"), facts.contents("documentation")
    direct = {t.name: direct_tags(t, claims.get(f"table:{t.name}"), rules, None) for t in tables.values()}
    inherited = plan_inherited({c: t for n, own in direct.items() for c, t in by_reference(n, own).items()}, graph)
    changes = []
    for name, table in sorted(tables.items()):
        paths = column_paths(table)
        found = {p: inherited[ColumnRef(name, p)] for p in paths if ColumnRef(name, p) in inherited}
        upstream, edges = graph.upstream_of(name), graph.into_columns_of(name, paths)
        document = documents.get(f"table:{name}")
        entry = merge_table(TableFacts(table, "metastore", document, direct[name], found, upstream, edges)).entry
        changes.append(Change(entry.subject, "update", entry))
    LocalCatalog("rewritten", deployment.store.engine).apply(Changes(len(changes), tuple(changes)))


def ticks(bench: Bench) -> Iterator[tuple[str, Cost, float | None]]:
    """What sensors and people wait for, each with its bar where there is one."""
    names = sorted(bench.world.metastore.tables)

    def store_events(deployment: Deployment) -> None:
        events = (
            ChangeEvent("table_changed", f"table:{names[i % len(names)]}", "bench", f"event {i}", i, 0.0)
            for i in range(WAITING_EVENTS)
        )
        deployment.store.inbox.store(events)

    yield "specs_sensor", bench.measure(watch_specs), TICK_BAR
    yield "drift_sensor (5 s at most)", bench.measure(lambda d: watch_metastore(d, 5.0)), TICK_BAR
    yield f"{WAITING_EVENTS:,} events arrive", bench.measure(store_events), TICK_BAR
    yield "pending_sensor, all waiting", bench.measure(lambda d: plan_due(d.store, ["memory"], time.time())), TICK_BAR
    yield "show", bench.measure(lambda d: find_entry(d.store, str(_CHANGED))), None
    yield "status", bench.measure(lambda d: table_statuses(d.store, ())), None
    yield "impact", bench.measure(lambda d: impact_of(d.store, str(_CHANGED), upstream=False)), None
    yield "plan", bench.measure(lambda d: list(plan_everything(d, ["memory"], ()))), None
    yield (
        "plan --select one table",
        bench.measure(lambda d: list(plan_everything(d, ["memory"], (str(_CHANGED),)))),
        None,
    )
    yield "load definitions", bench.measure(lambda d: _load(bench, "pipeline")), LOAD_BAR
    yield "load hive_catalog (≤ 5,000)", bench.measure(lambda d: _load(bench, "lake")), LOAD_BAR


def _load(bench: Bench, which: str) -> object:
    """Imports of Dagster included: a code location starts in a process of its own."""
    environ = {"METADATA_PLATFORM": str(bench.folder / "platform.yaml"), "METADATA_HOME": str(bench.folder)}
    if which == "pipeline":
        from metadata_assets.defs.assembly import build_definitions

        return build_definitions(environ).get_repository_def()
    from metadata_assets.defs.lake import build_lake

    return build_lake(environ).get_repository_def()


def run(tables: int, folder: Path, store_url: str | None) -> bool:
    world = WORLDS[_WORLD] = make_world(tables)
    bench = Bench(folder, world, store_url)
    columns = {"first": run_line(bench, Scope("first")), "no change": run_line(bench, Scope("again"))}
    change_one(bench)
    columns["one changed"] = run_line(bench, Scope("one", everything=False))
    show_stages(tables, columns, bench.measure(rewrite_all))
    return show_ticks(tables, list(ticks(bench)))


def show_stages(tables: int, columns: dict[str, dict[str, Cost]], naive: Cost) -> None:
    grid = Grid(title=f"{tables:,} tables × 20 columns, CPU s (peak MB), load {os.getloadavg()[0]:.1f}")
    for heading in ("stage", *columns):
        grid.add_column(heading, justify="left" if heading == "stage" else "right")
    for name in STAGES:
        grid.add_row(name, *(_cell(costs.get(name)) for costs in columns.values()))
    sums = [sum(c.cpu for c in costs.values()) for costs in columns.values()]
    grid.add_row("all stages", *(f"{s:.2f}" for s in sums), end_section=True)
    grid.add_row("ms a table", *(f"{s * 1000 / tables:.2f}" for s in sums))
    grid.add_row(f"rewrite all {_cell(naive)} ÷", *(f"{naive.cpu / s:.1f} ×" for s in sums))
    Console(file=sys.stdout, width=120).print(grid)


def _cell(cost: Cost | None) -> str:
    return "" if cost is None else f"{cost.cpu:.2f} ({cost.memory:.0f})"


def show_ticks(tables: int, found: list[tuple[str, Cost, float | None]]) -> bool:
    grid = Grid(title=f"{tables:,} tables known")
    for heading in ("what", "CPU s (peak MB)", "bar"):
        grid.add_column(heading, justify="left" if heading == "what" else "right")
    for what, cost, bar in found:
        grid.add_row(what, _cell(cost), f"< {bar:g} s" if bar else "")
    Console(file=sys.stdout, width=120).print(grid)
    return all(bar is None or cost.cpu < bar for _, cost, bar in found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--store", metavar="URL", help="an empty PostgreSQL database; without it SQLite")
    asked = parser.parse_args()
    if asked.store and len(asked.tables) > 1:
        parser.error("one store holds one lake: give one number of --tables with --store")
    with tempfile.TemporaryDirectory() as folder:  # warm up: imports and compiled types are not what is measured
        WORLDS[_WORLD] = make_world(20)
        deployment = open_deployment(Path(folder), _WORLD)
        for stage in STAGES.values():
            stage(deployment, shard_keys(deployment.store.work.shards()), Scope("warm"))
        deployment.store.close()
    kept = True
    for tables in asked.tables:
        with tempfile.TemporaryDirectory() as folder:
            kept = run(tables, Path(folder), asked.store) and kept
    if not kept:
        raise SystemExit(f"over a bar: {TICK_BAR:g} s a tick, {LOAD_BAR:g} s to load")


if __name__ == "__main__":
    main()
