"""A process that is killed anywhere in an update leaves nothing undone: the sensors find by themselves what is left."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, select

from metadata_assets.destinations.local.destination import LocalCatalog
from metadata_assets.errors import Unreachable
from metadata_assets.model.event import ChangeEvent
from metadata_assets.model.publication import Changes, Receipt
from metadata_assets.model.table import TableName
from metadata_assets.sources.events.base import Decoded
from metadata_assets.stages import shards
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.events.expansion import expand
from metadata_assets.stages.events.intake import lake_of, store_messages
from metadata_assets.stages.scope import Scope
from metadata_assets.store import codec
from metadata_assets.store.facts import KINDS
from metadata_assets.store.tables import missing, pending, published, source_state
from tests.apiary import altered
from tests.lake import table, view
from tests.memory import WORLDS, MemoryDestination, World, open_deployment
from tests.sensing import Sensors
from tests.unit.stages.conftest import run_line

TAGS = """\
version: 1
kind: tags
tables:
  - name: raw.a
    columns: [{{name: {column}, tags: [PII_CPF]}}]
rules:
  - {{match: "{rule}", tags: [SEEN]}}
"""
DOCUMENTS = """\
version: 1
kind: documentation
tables:
  - {{name: raw.a, description: {text}}}
  - {{name: raw.d, description: Goes}}
  - {{name: clean.b, terms: [{term}]}}
  - {{name: raw.r, description: Moves, columns: [{{name: mail, description: Where}}]}}
"""
DECLARED = """\
version: 1
kind: lineage
jobs:
  - name: by hand
    columns:
      - {{to: mart.scores.key, from: [clean.b.{column}], transform: identity}}
"""
GLOSSARY = "version: 1\nkind: glossary\nterms:\n  - {{name: {term}}}\n"


RENAMED = table("raw.r", "id bigint", "mail string")
NEW_NAME = table("clean.r", "id bigint", "email string")


def lay(world: World) -> None:
    """The lake before the update."""
    world.metastore.add(
        table("raw.a", "id bigint", "cpf string", "email string"),
        table("raw.d"),
        table("raw.e", "id bigint"),
        RENAMED,
        table("old.x"),
        table("clean.b", "id bigint", "cpf string", "email string"),
        table("clean.c", "cpf string"),
        table("mart.scores", "key string"),
        view("mart.v", "select cpf from clean.b", "cpf string"),
    )
    world.jobs.files = {
        "b.sql": "insert into clean.b select id, cpf, email from raw.a",
        "c.sql": "insert into clean.c select cpf from clean.b",
        "gone.sql": "insert into raw.e select id from raw.d",
    }
    world.specs.files = {
        "t.yaml": TAGS.format(column="cpf", rule="raw.*.id"),
        "d.yaml": DOCUMENTS.format(text="Old", term="customer"),
        "l.yaml": DECLARED.format(column="cpf"),
        "g.yaml": GLOSSARY.format(term="customer"),
    }


def update(world: World) -> None:
    """Of everything that can change, one."""
    for gone in (TableName("raw", "d"), RENAMED.name, TableName("old", "x")):
        del world.metastore.tables[gone]
    del world.metastore.databases["old"]
    world.metastore.add(
        NEW_NAME,
        table("raw.a", "id bigint", "cpf string", "email string", "phone string"),
        table("raw.n", "id bigint"),
        table("fresh.f", "email string"),
        table("clean.c", "cpf string", "email string"),
        view("mart.v", "select email as cpf from clean.b", "cpf string"),
        view("mart.w", "select key from mart.scores", "key string"),
    )
    del world.jobs.files["gone.sql"]
    world.jobs.files["c.sql"] = "insert into clean.c select cpf, email from clean.b"
    world.jobs.files["f.sql"] = "insert into fresh.f select email from clean.c"
    world.specs.files = {
        "t.yaml": TAGS.format(column="email", rule="clean.*.id"),
        "d.yaml": DOCUMENTS.format(text="New", term="tenant"),
        "l.yaml": DECLARED.format(column="email"),
        "g.yaml": GLOSSARY.format(term="tenant"),
    }


def announce(deployment: Deployment) -> None:
    """At least once: whoever brings events brings them again when it was killed before it heard that they arrived."""
    changed = ("raw.a", "raw.n", "fresh.f", "clean.c", "mart.v", "mart.w")
    events = [ChangeEvent("table_changed", f"table:{n}", "t", n, i, 0.0) for i, n in enumerate(changed)]
    deployment.store.inbox.store([*events, ChangeEvent("table_dropped", "table:raw.d", "t", "raw.d", 99, 0.0)])
    store_messages(deployment, deployment.platform.events[0], [altered(1, RENAMED, NEW_NAME, 1_800_000_000.0)])
    cascade = ChangeEvent("database_dropped", "database:old", "t", "old", 100, 0.0)
    deployment.store.inbox.store(expand([Decoded((cascade,))], lake_of(deployment), "metastore", 0.0).events)


@contextmanager
def watched_commits(engine: Engine, monkeypatch: pytest.MonkeyPatch, before: Callable[[], None]) -> Iterator[None]:
    """Call `before` ahead of each transaction that is written, those of the destination among them."""
    commit = engine.dialect.do_commit

    def told(connection: Any) -> None:
        before()
        commit(connection)

    with monkeypatch.context() as patch:
        patch.setattr(engine.dialect, "do_commit", told)
        yield


@pytest.fixture(autouse=True)
def _small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "TABLES_PER_SHARD", 2)


class Replay:
    """The same update again and again, each time from a copy of the store as it was before."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self.world = world = WORLDS[name] = World()
        lay(world)
        with self.opened("before") as deployment:
            run_line(deployment, Scope("first"))
            Sensors(deployment).settle()
        update(world)

    @contextmanager
    def begun(self) -> Iterator[Deployment]:
        """A deployment that has not heard of the update yet."""
        shutil.rmtree(self._folder / "now", ignore_errors=True)
        shutil.copytree(self._folder / "before", self._folder / "now")
        with self.opened("now") as deployment:
            yield deployment

    @contextmanager
    def opened(self, name: str) -> Iterator[Deployment]:
        """What a process finds that starts on the store of this name."""
        folder = self._folder / name
        folder.mkdir(exist_ok=True)
        deployment = open_deployment(folder, self._name)
        try:
            yield deployment
        finally:
            deployment.store.close()
            self.world.destination = None  # it holds on to the store

    def keep(self, name: str) -> None:
        """Copy what is committed, as a process leaves it that is killed now."""
        folder = self._folder / name
        folder.mkdir()
        with (
            closing(sqlite3.connect(self._folder / "now" / "store.db")) as source,
            closing(sqlite3.connect(folder / "store.db")) as target,
        ):
            source.backup(target)


@pytest.fixture
def replay(tmp_path: Path, world_name: str) -> Iterator[Replay]:
    yield Replay(tmp_path, world_name)
    del WORLDS[world_name]


def everything(deployment: Deployment) -> dict[str, Any]:
    """All that is true in the store and at the destination, without times and numbers."""
    store = deployment.store
    found: dict[str, Any] = {
        f"fact {kind} {f.subject}": None if f.content is None else codec.to_json(f.content)
        for kind in KINDS
        for f in store.facts.latest(kind)
    }
    with store.engine.connect() as connection:
        for row in connection.execute(select(published)):
            found[f"published {row.subject}"] = (row.content_hash, row.content, row.error)
        found["pending"] = connection.execute(select(pending.c.subject)).all()
        found["missing"] = connection.execute(select(missing.c.subject)).all()
        states = connection.execute(select(source_state.c.name, source_state.c.content)).all()
    # How often files were taken in is not what was taken in.
    found |= {f"state {name}": text for name, text in states if not name.startswith("ingested")}
    found["waiting"] = store.inbox.waiting()
    found["shards"] = store.work.shards()
    return found | {f"held {s}": entry for s, entry in LocalCatalog("memory", store.engine).read().items()}


@pytest.fixture
def calm(replay: Replay) -> dict[str, Any]:
    """What the update ends in when nothing disturbs it."""
    with replay.begun() as deployment:
        return updated(deployment)


def updated(deployment: Deployment) -> dict[str, Any]:
    announce(deployment)
    Sensors(deployment).settle()
    return everything(deployment)


def differences(found: dict[str, Any], right: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    return {k: (found.get(k), right.get(k)) for k in found | right if found.get(k) != right.get(k)}


def test_an_update_ends_in_what_a_backfill_makes(replay: Replay, calm: dict[str, Any]) -> None:
    with replay.begun() as deployment:
        announce(deployment)
        run_line(deployment, Scope("backfill"))
        assert differences(updated(deployment), calm) == {}


def test_killed_before_any_transaction_it_ends_like_an_undisturbed_one(
    replay: Replay, calm: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After any as well: to die right after one leaves behind what dying before the next one does."""
    kept: list[str] = []

    def keep() -> None:
        kept.append(f"{len(kept) + 1}")
        replay.keep(kept[-1])

    with replay.begun() as deployment, watched_commits(deployment.store.engine, monkeypatch, keep):
        updated(deployment)
    assert len(kept) > 60, "or the update does not do what it is to do"
    lost = {}
    for name in kept:
        with replay.opened(name) as deployment:
            if different := differences(updated(deployment), calm):
                lost[name] = different
    assert lost == {}, f"by the number of the transaction, of {len(kept)}: what it ended in, and what is right"


@dataclass
class Unsteady(MemoryDestination):
    """A destination that fails at one of its writes: before it, or once it was done and nobody heard of it."""

    fail_at: int = 0
    after: bool = False
    writes: int = 0

    def apply(self, changes: Changes) -> Receipt:
        self.writes += 1
        if self.writes == self.fail_at and not self.after:
            raise Unreachable("no answer")
        receipt = super().apply(changes)
        if self.writes == self.fail_at:
            raise Unreachable("no answer")
        return receipt


@pytest.mark.parametrize("after", [False, True], ids=["before it is written", "after it was written"])
def test_a_destination_that_fails_at_any_write_gets_it_by_the_next_run(
    replay: Replay, calm: dict[str, Any], after: bool
) -> None:
    for number in range(1, 100):
        with replay.begun() as deployment:
            unsteady = Unsteady(LocalCatalog("memory", deployment.store.engine), fail_at=number, after=after)
            replay.world.destination = unsteady
            with suppress(Unreachable):
                updated(deployment)
            assert differences(updated(deployment), calm) == {}, f"failed at write {number}"
        if unsteady.writes < number:
            break
    assert number > 6, "or the update does not write what it is to write"
