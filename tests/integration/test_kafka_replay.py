"""The real messages of Apiary's listener, byte for byte, on a real broker: what they do to a catalog."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from examples.services.kafka import Kafka
from metadata_assets.sources.events.base import Limit, Message
from metadata_assets.sources.kafka.config import KafkaConfig
from metadata_assets.stages.deployment import Deployment
from tests.kafka import Record, new_topic, poll, send, settings_of
from tests.memory import World, open_deployment
from tests.sensing import take_once

pytestmark = pytest.mark.kafka

SAMPLES = Path(__file__).parents[1] / "golden/events"
VERSIONS = ("2.3.10", "4.0.1")
PARTITIONS = 5
PLATFORM = """\
version: 1
kind: platform
metastore: {{type: "tests.memory:MemoryMetastoreConfig", world: {world}}}
events:
  - {{type: kafka, topic: {topic}, config: {{bootstrap.servers: "{bootstrap}"}}, hydrate: event}}
"""
# Names that the history takes away, by a drop or a rename.
DROPPED = {"archive.upper_t", "stays.guest_profile", "stays.guest_profile_v2", "stays.in_cascade", "stays.to_drop"} | {
    "stays.upper_t", "stays.v_guest",
}  # fmt: skip


@dataclass(frozen=True)
class Recorded:
    """A message as the broker had it. It lay in this partition, in this place among its neighbours."""

    partition: int
    offset: int
    key: bytes
    value: bytes


def recorded(version: str) -> list[Recorded]:
    samples = map(json.loads, (SAMPLES / f"apiary-{version}.jsonl").read_text().splitlines())
    return [Recorded(s["partition"], s["offset"], bytes.fromhex(s["key"]), s["value"].encode()) for s in samples]


def records(version: str) -> list[Record]:
    return [(r.partition, r.key, r.value) for r in recorded(version)]


@pytest.mark.parametrize("version", VERSIONS)
def test_they_arrive_as_they_were_sent(kafka_broker: Kafka, version: str) -> None:
    topic = new_topic(kafka_broker.bootstrap, PARTITIONS)
    send(kafka_broker.bootstrap, topic, records(version))
    found = poll(settings_of(kafka_broker.bootstrap, topic)).messages
    expected = {(r.partition, r.offset, r.key, r.value) for r in recorded(version)}
    assert {(*place(m), m.key, m.payload) for m in found} == expected


def place(message: Message) -> tuple[int, int]:
    partition, offset = message.position.partition("@")[0].split("/")[1:]
    return int(partition), int(offset)


@pytest.fixture
def opened(kafka_broker: Kafka, tmp_path: Path, world_name: str, world: World) -> Deployment:
    topic = new_topic(kafka_broker.bootstrap, PARTITIONS)
    text = PLATFORM.format(world=world_name, topic=topic, bootstrap=kafka_broker.bootstrap)
    return open_deployment(tmp_path, world_name, text=text)


@pytest.mark.parametrize("version", VERSIONS)
def test_they_mean_the_same_for_each_release_with_garbage_between_and_again(
    kafka_broker: Kafka, opened: Deployment, version: str
) -> None:
    (settings,) = opened.platform.events
    assert isinstance(settings, KafkaConfig)
    garbage: list[Record] = [
        (n, None, bad) for n, bad in enumerate((b"\xff\xfe", b"", None, b"[]", b'{"eventType": 7}'))
    ]
    for _ in range(2):  # a listener that sends everything again, as after a restore of its topic
        send(kafka_broker.bootstrap, settings.topic, [*garbage, *records(version)])
    cursor = ""
    outcomes: dict[str, int] = {}
    while (taken := take_once(opened, settings, cursor, Limit(messages=7, seconds=20))).outcomes:
        cursor = taken.cursor
        for outcome, number in taken.outcomes.items():
            outcomes[outcome] = outcomes.get(outcome, 0) + number
    events = [w.event for w in opened.store.inbox.waiting()]
    assert {str(e.subject).removeprefix("table:") for e in events if e.kind == "table_dropped"} == DROPPED
    renames = {(e.previous, e.subject) for e in events if e.kind == "table_renamed"}
    assert renames == {
        ("table:stays.guest_profile", "table:stays.guest_profile_v2"), ("table:stays.upper_t", "table:archive.upper_t"),
    }  # fmt: skip
    showing = [w for w in opened.store.inbox.waiting() if w.event.subject == "table:stays.guest_profile" and w.shows]
    last = max(showing, key=lambda w: w.event.order_key).id
    shown = opened.store.inbox.shown([last])[last]
    assert [c.name for c in shown.columns] == ["guest_id", "email_address", "address", "tags", "price"]
    assert shown.owner == "someone_else"
    assert {e.dedupe_id for e in events if e.tentative} >= {
        e.dedupe_id for e in events if e.subject == "table:stays.in_cascade" and e.kind == "table_dropped"
    }
    assert opened.store.dead_letters.count() == outcomes["dead letter"] == 2 * len(garbage)
    assert outcomes["seen before"] * 2 >= len(events)
    assert set(opened.store.data_changes.times()) == {"table:stays.guest_profile", "table:stays.upper_t"}
