"""Two roads, one state: whether changes are read from Kafka, from the metastore's own log or by a full read, the
catalog ends the same."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from examples.services.apiary_relay import ApiaryRelay
from examples.services.kafka import Kafka
from examples.services.metastore import Metastore
from examples.services.process import free_port
from metadata_assets.model.publication import Published
from metadata_assets.sources.events.base import Limit
from metadata_assets.sources.hive.client import HiveClient
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.events.full_look import settle_full_look, wanted_full_look
from metadata_assets.store.facts import KINDS
from tests.conftest import start_or_skip
from tests.integration.history import STEPS, Writer
from tests.integration.warehouse import LAKE
from tests.kafka import new_topic
from tests.memory import WORLDS, World, open_deployment
from tests.sensing import Sensors, take_once
from tests.unit.stages.conftest import EVERYTHING, run_line

pytestmark = [pytest.mark.hive, pytest.mark.kafka]

PLATFORM = """\
version: 1
kind: platform
metastore: {{type: hive, uris: ["{uri}"], databases: {{exclude: [default]}}}}
specs: {{type: "tests.memory:MemorySpecsConfig", world: {world}}}
jobs: {{type: "tests.memory:MemoryJobsConfig", world: {world}}}
destinations:
  - {{type: "tests.memory:MemoryDestinationConfig", world: {world}}}
events: [{events}]
"""
_KAFKA = 'type: kafka, name: told, topic: {topic}, config: {{bootstrap.servers: "{bootstrap}"}}, hydrate: '
_LOG = 'type: hive_log, name: told, uris: ["{uri}"], hydrate: '
ROADS = {
    f"{road}, {hydrate}": f"{{{{{source}{hydrate}}}}}"
    for road, source in (("kafka", _KAFKA), ("log", _LOG))
    for hydrate in ("metastore", "event")
}
DOCUMENTS = """\
version: 1
kind: documentation
tables:
  - name: stays.guests
    description: Everybody who ever stayed.
    columns: [{name: email_address, description: Where to write to.}]
  - {name: stays.orders, description: What was ordered.}
  - {name: archive.moved, description: Kept for the auditors.}
  - {name: closed.a, description: Nobody will read this.}
---
version: 1
kind: tags
tables:
  - name: stays.guests
    columns: [{name: email_address, tags: [{name: PII_EMAIL, propagate: until_masked}]}]
"""
JOB = "insert overwrite table mart.daily select guest_id, email_address as email, '2026-01-01' as ds from stays.guests"


@dataclass
class Road:
    """A deployment that learns of changes in its own way. `asked` are the tables that it read from the metastore."""

    deployment: Deployment
    cursor: str = ""
    asked: set[str] = field(default_factory=set)

    def follow(self) -> None:
        """Take in what the source has, and run what is due, as the sensors do; nobody looks for drift."""
        (settings,) = self.deployment.platform.events
        with self._noting_what_is_read():
            self.cursor = take_once(self.deployment, settings, self.cursor, Limit(seconds=20)).cursor
            if wanted_full_look(self.deployment.store) is not None:
                began = time.time()
                run_line(self.deployment, EVERYTHING)
                settle_full_look(self.deployment.store, began)
            Sensors(self.deployment, drift=False).settle()

    @contextmanager
    def _noting_what_is_read(self) -> Iterator[None]:
        read = HiveClient.read_tables

        def _read_tables(client: HiveClient, database: str, tables: Sequence[str]) -> list[Any]:
            self.asked |= {f"{database}.{table}" for table in tables}
            return read(client, database, tables)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(HiveClient, "read_tables", _read_tables)
            yield


@dataclass
class Told:
    """The same history as each road tells it, and as a full read at its end sees it."""

    roads: Mapping[str, Road]
    read: Deployment


@pytest.fixture(scope="module", params=["2.3.10", "3.1.3"])
def told(
    request: pytest.FixtureRequest, service_folder: Path, kafka_broker: Kafka, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Told]:
    # Hive forbids by default what engines that keep schemas themselves do every day: to drop or move a column.
    free = {f"{p}metastore.disallow.incompatible.col.type.changes": "false" for p in ("", "hive.")}
    place = service_folder / f"roads-{request.param}"
    service = Metastore(place, free_port(), version=request.param, lake=LAKE, durable=False, settings=free)
    start_or_skip(service)
    topic = new_topic(kafka_broker.bootstrap, 5)
    relay = ApiaryRelay(
        service.uri, kafka_broker.bootstrap, topic, tmp_path_factory.mktemp("relay"), request.param, from_start=True
    )
    places = {"uri": service.uri, "topic": topic, "bootstrap": kafka_broker.bootstrap}
    roads = {name: Road(_open(tmp_path_factory, events, places)) for name, events in ROADS.items()}
    try:
        _drive(service, request.param, relay, roads)
        read = _open(tmp_path_factory, "", places)
        run_line(read, EVERYTHING)
        yield Told(roads, read)
    finally:
        for road in roads.values():
            road.deployment.store.close()
        service.stop()


def _drive(service: Metastore, version: str, relay: ApiaryRelay, roads: Mapping[str, Road]) -> None:
    """Looks at several changes at once, at one, and at none: what a run finds is not what an event told of."""
    for road in roads.values():
        road.follow()
    with closing(Writer(service.uri, version)) as lake:
        for number in range(len(STEPS)):
            lake.take(number)
            relay.relay()
            for behind, road in enumerate(roads.values(), start=1):
                if number % behind == 0:
                    road.follow()
    for road in roads.values():
        road.follow()


def _open(factory: pytest.TempPathFactory, events: str, places: Mapping[str, str]) -> Deployment:
    folder = factory.mktemp("road")
    world = World()
    world.specs.files = {"documents.yaml": DOCUMENTS}
    world.jobs.files = {"daily.sql": JOB}
    WORLDS[folder.name] = world
    text = PLATFORM.format(world=folder.name, uri=places["uri"], events=events.format(**places))
    return open_deployment(folder, folder.name, text=text)


@pytest.fixture(params=ROADS)
def road(request: pytest.FixtureRequest, told: Told) -> Road:
    return told.roads[request.param]


def test_tables_columns_and_comments_are_the_same(told: Told, road: Road) -> None:
    assert _contents(road.deployment, "schema") == _contents(told.read, "schema")
    assert len(_contents(told.read, "schema")) == 7


@pytest.mark.parametrize("kind", [k for k in KINDS if k not in ("database", "schema")])
def test_documentation_lineage_and_entries_are_the_same(told: Told, road: Road, kind: str) -> None:
    assert _contents(road.deployment, kind) == _contents(told.read, kind)


def test_destinations_hold_the_same(told: Told, road: Road) -> None:
    held = [
        {s: p.content_hash for s, p in _held(deployment) if p.content_hash and not s.startswith("database:")}
        for deployment in (road.deployment, told.read)
    ]
    assert held[0] == held[1]
    assert "table:stays.guests" in held[0]


def test_nothing_is_left_to_do(road: Road) -> None:
    store = road.deployment.store
    assert ([w.event for w in store.inbox.waiting()], store.work.missing(), store.dead_letters.count()) == ([], {}, 0)


def test_names_of_before_are_known_by_events_alone(told: Told, road: Road) -> None:
    former = {"stays.orders": ["table:stays.draft"], "archive.moved": ["table:stays.upper_t"]}
    for name, names in former.items():
        moves = road.deployment.store.moves.former_names(f"table:{name}")
        assert [m.previous for m in moves] == names
        assert told.read.store.moves.former_names(f"table:{name}") == []


def test_databases_own_attributes_come_with_the_next_full_look(told: Told, road: Road) -> None:
    """Kafka tells nothing of databases: one whose tables are gone is missed then, and stays as long as its grace."""
    run_line(road.deployment, EVERYTHING)
    there, gone = _contents(told.read, "database"), {"database:closed"} & road.deployment.store.work.missing().keys()
    assert {s: d for s, d in _contents(road.deployment, "database").items() if s not in gone} == there


@pytest.mark.parametrize("name", [n for n in ROADS if n.endswith("event")])
def test_the_metastore_is_asked_only_about_drops_where_events_are_believed(told: Told, name: str) -> None:
    assert told.roads[name].asked <= {
        "stays.upper_t", "stays.draft", "stays.again", "stays.to_drop", "archive.v_old", "closed.a", "closed.b",
    }  # fmt: skip
    assert "closed.a" in told.roads[name].asked


def test_what_data_was_written_to_is_known(road: Road) -> None:
    assert {"table:stays.guests", "table:mart.daily"} <= set(road.deployment.store.data_changes.times())


def _held(deployment: Deployment) -> Iterable[tuple[str, Published]]:
    return deployment.store.published.held("memory").items()


def _contents(deployment: Deployment, kind: str) -> dict[str, Any]:
    found: dict[str, Any] = deployment.store.facts.contents(kind)
    return found
