"""The state depends on what is true, not on which messages arrived when, how often, or which runs came first."""

import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from metadata_assets.model.event import ChangeEvent
from metadata_assets.model.table import TableName
from metadata_assets.stages import shards
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.scope import Scope
from metadata_assets.store.facts import KINDS
from tests.lake import table
from tests.memory import WORLDS, World, open_deployment
from tests.sensing import Requests, Sensors
from tests.unit.stages.conftest import run_line

# Cut into parts of two tables, `raw` and `clean` are two shards each.
NAMES = ("raw.a", "raw.b", "raw.c", "clean.d", "clean.e", "mart.f")
COLUMNS = ("key string", "value string", "since date")
TEXTS = ("one", "two")
_WORLD = "order"


@dataclass(frozen=True)
class Create:
    """A table that is new, comes back, or has other columns than before."""

    name: str
    columns: tuple[str, ...]

    def happen(self, world: World) -> None:
        world.metastore.add(table(self.name, *self.columns))


@dataclass(frozen=True)
class Drop:
    name: str

    def happen(self, world: World) -> None:
        world.metastore.tables.pop(TableName.parse(self.name), None)


@dataclass(frozen=True)
class Document:
    """A file of its own for each table; without a text it is deleted."""

    name: str
    text: str | None

    def happen(self, world: World) -> None:
        body = f"kind: documentation\ntables:\n  - {{name: {self.name}, description: {self.text}}}\n"
        _put(world.specs.files, f"documentation/{self.name}.yaml", self.text and "version: 1\n" + body)


@dataclass(frozen=True)
class Tag:
    name: str
    propagate: str | None

    def happen(self, world: World) -> None:
        tag = f"{{name: T_{self.name.replace('.', '_').upper()}, propagate: {self.propagate}}}"
        body = f"kind: tags\ntables:\n  - name: {self.name}\n    columns: [{{name: key, tags: [{tag}]}}]\n"
        _put(world.specs.files, f"tags/{self.name}.yaml", self.propagate and "version: 1\n" + body)


@dataclass(frozen=True)
class Fill:
    """A job that fills one table from another, in SQL or declared; without a source it is deleted."""

    target: str
    source: str | None
    declared: bool
    column: str = "key"

    def happen(self, world: World) -> None:
        if self.declared:
            edge = f"{{to: {self.target}.key, from: [{self.source}.{self.column}], transform: identity}}"
            body = f"kind: lineage\njobs:\n  - name: fill {self.target}\n    columns: [{edge}]\n"
            _put(world.specs.files, f"lineage/{self.target}.yaml", self.source and "version: 1\n" + body)
        else:
            text = f"insert overwrite table {self.target} select {self.column} as key, * from {self.source}"
            _put(world.jobs.files, f"{self.target}.sql", self.source and text)


Step = Create | Drop | Document | Tag | Fill


def _put(files: dict[str, str], path: str, text: str | None) -> None:
    files.pop(path, None)
    if text:
        files[path] = text


def events_of(history: Sequence[Step]) -> list[ChangeEvent]:
    """What the metastore tells of the history; files are watched."""
    events = []
    for number, step in enumerate(history):
        if isinstance(step, Create | Drop):
            kind = "table_changed" if isinstance(step, Create) else "table_dropped"
            events.append(ChangeEvent(kind, f"table:{step.name}", "t", f"{number}", number, 0.0))  # type: ignore[arg-type]  # mypy does not narrow a conditional of two literals
    return events


names = st.sampled_from(NAMES)
columns = st.lists(st.sampled_from(COLUMNS), min_size=1, unique=True).map(tuple)
steps = st.one_of(
    st.builds(Create, names, columns),
    st.builds(Drop, names),
    st.builds(Document, names, st.sampled_from((*TEXTS, None))),
    st.builds(Tag, names, st.sampled_from(("always", "until_masked", None))),
    st.builds(Fill, names, st.sampled_from((*NAMES, None)), st.booleans(), st.sampled_from(("key", "value"))),
)


@contextmanager
def lake() -> Iterator[tuple[World, Deployment]]:
    """A tagged chain from `raw` over `clean` to `mart`, already in the catalog."""
    WORLDS[_WORLD] = world = World()
    world.metastore.add(*(table(n, *COLUMNS) for n in NAMES))
    for source, target in (("raw.a", "clean.d"), ("clean.d", "mart.f")):
        Fill(target, source, declared=False).happen(world)
    Tag("raw.a", "always").happen(world)
    with tempfile.TemporaryDirectory() as folder:
        deployment = open_deployment(Path(folder), _WORLD)
        try:
            run_line(deployment, Scope("first"))
            yield world, deployment
        finally:
            deployment.store.close()
            del WORLDS[_WORLD]


def state(deployment: Deployment) -> dict[str, Any]:
    """What is true and what is published. That something once was, is history: tombstones are left out."""
    store = deployment.store
    found: dict[str, Any] = {f"{kind} {s}": h for kind in KINDS for s, h in store.facts.hashes(kind).items()}
    found |= {f"held {s}": p.entry for s, p in store.published.held("memory").items() if p.entry is not None}
    return found | {"missing": store.work.missing(), "pending": store.work.pending()}


def in_order(history: Sequence[Step]) -> dict[str, Any]:
    """Each event arrives when it happens, and everything that follows from it is done before the next."""
    with lake() as (world, deployment):
        arriving = {int(e.dedupe_id): e for e in events_of(history)}
        for number, step in enumerate(history):
            step.happen(world)
            deployment.store.inbox.store([arriving[number]] if number in arriving else [])
            Sensors(deployment).settle()
        return state(deployment)


def disturbed(history: Sequence[Step], chance: random.Random) -> dict[str, Any]:
    """Events arrive in any order, late and repeatedly; of the runs that are asked for only some are done in between."""
    arriving = {int(e.dedupe_id): e for e in events_of(history)}
    on_the_way: list[ChangeEvent] = []

    def some(requests: Requests) -> Requests:
        return chance.sample(requests, min(1, len(requests)))

    with lake() as (world, deployment):
        for number, step in enumerate(history):
            step.happen(world)
            if number in arriving:
                event = arriving[number]
                on_the_way += [event, event, replace(event, dedupe_id=f"{event.dedupe_id} again")]
            chance.shuffle(on_the_way)
            arrived = [on_the_way.pop() for _ in range(chance.randint(0, len(on_the_way)))]
            deployment.store.inbox.store(arrived)
            for _ in range(chance.randint(0, 2)):
                Sensors(deployment, take=some).look()
        deployment.store.inbox.store(on_the_way)
        Sensors(deployment).settle()
        return state(deployment)


@pytest.fixture(autouse=True)
def _small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "TABLES_PER_SHARD", 2)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example([Drop("clean.d"), Tag("raw.a", None), Create("clean.d", ("key string",)), Document("clean.d", "one")], 1)
@example([Drop("clean.d"), Drop("raw.b")], 0)  # no process is left, and then the set of tables is another one
@example([Drop("raw.a"), Tag("raw.b", "always"), Fill("raw.a", "raw.b", declared=False)], 0)  # through what is gone
@given(st.lists(steps, min_size=4, max_size=8), st.integers(0, 1000))
def test_any_arrival_and_any_runs_end_in_the_state_of_the_ordered_history(history: list[Step], seed: int) -> None:
    assert disturbed(history, random.Random(seed)) == in_order(history)
