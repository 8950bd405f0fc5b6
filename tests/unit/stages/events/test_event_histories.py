"""However the events of a history arrive, doubled and in any order, and whatever is done in between: the catalog ends
as the metastore does."""

import itertools
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metadata_assets.model.table import Column, Table, TableName
from metadata_assets.sources.events.base import Hydrate, Message
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.events.intake import store_messages
from metadata_assets.stages.schemas import read_schemas
from metadata_assets.stages.scope import Scope
from tests.apiary import altered, created, dropped, inserted, renamed, statistics
from tests.lake import table
from tests.memory import World, open_deployment

# Databases of each example are its own, so that one store serves them all.
_EXAMPLES = itertools.count()
TABLES = ("a.x", "a.y", "b.x")


class History:
    """A metastore that is changed step by step, and the messages that its listener sends of it."""

    def __init__(self, prefix: str, began: float) -> None:
        self.tables: dict[str, Table] = {}
        self.messages: list[Message] = []
        self._prefix = prefix
        self._began = began
        self.renames: list[tuple[str, str]] = []

    def apply(self, step: tuple[str, str, str, int]) -> None:
        what, name, other, value = step
        name, other = f"{self._prefix}{name}", f"{self._prefix}{other}"
        number = len(self.messages) + 1
        at = self._began + number * 0.2  # several in a second, as in life
        before = self.tables.get(name)
        if before is None:
            self._create(number, name, value, at)
        elif what == "drop":
            del self.tables[name]
            self.messages.append(dropped(number, before, at))
        elif what == "rename" and other not in self.tables:
            self.tables[other] = renamed(self.tables.pop(name), other)
            self.messages.append(altered(number, before, self.tables[other], at))
        elif what in ("insert", "statistics"):
            self.messages.append((inserted if what == "insert" else statistics)(number, before, at))
        else:
            self._alter(number, name, value, at)

    def _create(self, number: int, name: str, value: int, at: float) -> None:
        self.tables[name] = table(name, "id bigint", f"c{value} string")
        self.messages.append(created(number, self.tables[name], at))

    def _alter(self, number: int, name: str, value: int, at: float) -> None:
        before = self.tables[name]
        columns = (*before.columns, Column(f"n{value}", "int")) if value % 2 else before.columns[:1]
        after = Table(before.name, before.kind, columns, comment=f"comment {value}")
        self.tables[name] = after
        self.messages.append(altered(number, before, after, at))


step = st.tuples(
    st.sampled_from(["alter", "drop", "rename", "insert", "statistics"]),
    st.sampled_from(TABLES),
    st.sampled_from(TABLES),
    st.integers(0, 5),
)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Hydrate], Deployment]:
    made: dict[Hydrate, Deployment] = {}

    def _open(hydrate: Hydrate) -> Deployment:
        from tests.memory import WORLDS

        if hydrate not in made:
            WORLDS[f"histories_{hydrate}"] = World()
            folder: Path = tmp_path_factory.mktemp(hydrate)
            made[hydrate] = open_deployment(folder, f"histories_{hydrate}", hydrate=hydrate)
        return made[hydrate]

    return _open


@pytest.mark.parametrize("hydrate", ["event", "metastore"])
@settings(max_examples=130, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=st.lists(step, min_size=1, max_size=14), seed=st.integers(0, 2**32))
def test_any_arrival_ends_in_the_state_of_the_metastore(
    opened: Callable[[Hydrate], Deployment], hydrate: Hydrate, steps: list[tuple[str, str, str, int]], seed: int
) -> None:
    deployment = opened(hydrate)
    ends = []
    for random in (None, Random(seed)):
        history = History(f"e{next(_EXAMPLES)}", time.time() - 5)
        for one in steps:
            history.apply(one)
        _arrive(deployment, history, random)
        assert _catalog(deployment, history) == {str(t.name): t for t in history.tables.values()}
        ends.append(_former_names(deployment, history))
    assert ends[0] == ends[1]


def _arrive(deployment: Deployment, history: History, random: Random | None) -> None:
    """Messages arrive in parts; after some of them a run for one of the shards takes what is there."""
    from tests.memory import WORLDS

    metastore = WORLDS[deployment.platform.metastore.world].metastore  # type: ignore[union-attr]  # the one of tests
    metastore.databases.clear()
    metastore.tables.clear()
    metastore.add(*history.tables.values())
    settings_ = deployment.platform.events[0]
    arriving = list(history.messages)
    if random is not None:
        arriving += random.choices(arriving, k=len(arriving) // 2)
        random.shuffle(arriving)
    while arriving:
        count = len(arriving) if random is None else random.randint(1, 4)
        part, arriving = arriving[:count], arriving[count:]
        store_messages(deployment, settings_, part)
        if random is not None and random.random() < 0.5:
            _run(deployment, [random.choice(_shards(history))])
    _run(deployment, _shards(history))
    assert [w.event.subject for w in deployment.store.inbox.waiting() if w.event.subject.startswith("table:")] == []


def _shards(history: History) -> list[str]:
    return [f"{history._prefix}{database}" for database in ("a", "b")]


def _run(deployment: Deployment, shards: list[str]) -> None:
    read_schemas(deployment, shards, Scope("run", everything=False))


def _catalog(deployment: Deployment, history: History) -> dict[str, Table]:
    found = deployment.store.facts.contents("schema")
    return {str(t.name): t for t in found.values() if t.name.database in _shards(history)}


def _former_names(deployment: Deployment, history: History) -> dict[str, list[str]]:
    cut = len(history._prefix)
    return {
        str(name)[cut:]: [(m.previous or "").removeprefix("table:")[cut:] for m in moves]
        for name in map(TableName.parse, sorted(history.tables))
        if (moves := deployment.store.moves.former_names(name.subject))
    }
