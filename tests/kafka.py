"""Topics of a real broker for tests: filled with what a test wants, and read as the product reads them."""

import itertools
import os
from collections.abc import Iterable
from typing import Any

from confluent_kafka import KafkaError, Producer

from examples.services.topics import make_topic
from metadata_assets.sources.events.base import Limit, Message, Polled
from metadata_assets.sources.kafka.config import KafkaConfig
from tests.surroundings import around

Record = tuple[int, bytes | None, bytes | None]  # partition, key, value
_NUMBERS = itertools.count()


def new_topic(bootstrap: str, partitions: int = 1, **settings: str) -> str:
    """A topic of its own for a test. Dots in the names of settings are written as underscores."""
    name = f"events-{os.getpid()}-{next(_NUMBERS)}"
    make_topic(bootstrap, name, partitions, {k.replace("_", "."): v for k, v in settings.items()})
    return name


def send(bootstrap: str, topic: str, records: Iterable[Record], **settings: Any) -> None:
    """Send records and wait until the broker has them. Dots in the names of properties are written as underscores."""
    properties = {k.replace("_", "."): v for k, v in settings.items()}
    producer = Producer({"bootstrap.servers": bootstrap, "acks": "all", "linger.ms": 5, "log_level": 0} | properties)
    failed: list[KafkaError] = []
    for partition, key, value in records:
        producer.produce(topic, value, key, partition, lambda error, _: failed.append(error) if error else None)
        producer.poll(0)
    assert producer.flush(30) == 0
    assert failed == []


def numbered(count: int, partition: int = 0, start: int = 0) -> list[Record]:
    return [(partition, None, str(n).encode()) for n in range(start, start + count)]


def settings_of(bootstrap: str, topic: str, **more: Any) -> KafkaConfig:
    config = {"bootstrap.servers": bootstrap} | more.pop("config", {})
    return KafkaConfig(type="kafka", topic=topic, config=config, **more)


def poll(settings: KafkaConfig, cursor: str = "", limit: Limit | None = None, **environ: str) -> Polled:
    """One look, with a connection of its own, as a sensor takes it."""
    with settings.connect(around(**environ)) as source:
        return source.poll(cursor, limit or Limit(seconds=20))


def values(messages: Iterable[Message]) -> list[str]:
    return [(m.payload or b"").decode() for m in messages]
