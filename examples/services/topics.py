"""Topics of a broker: made, given more partitions, and taken away again. Each call waits until it is done."""

from collections.abc import Mapping
from typing import Any

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewPartitions, NewTopic

_SECONDS = 20.0


def make_topic(bootstrap: str, topic: str, partitions: int = 1, settings: Mapping[str, str] | None = None) -> None:
    """Make a topic; one that is there already stays as it is.

    Raises:
        KafkaException: nobody answers, or the broker refuses.
    """
    wanted = NewTopic(topic, num_partitions=partitions, replication_factor=1, config=dict(settings or {}))
    admin = _admin(bootstrap)
    try:
        admin.create_topics([wanted], operation_timeout=_SECONDS, request_timeout=_SECONDS)[topic].result()
    except KafkaException as error:
        if error.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:
            raise


def delete_topic(bootstrap: str, topic: str) -> None:
    """Take a topic away with its messages."""
    admin = _admin(bootstrap)
    admin.delete_topics([topic], operation_timeout=_SECONDS, request_timeout=_SECONDS)[topic].result()


def grow_topic(bootstrap: str, topic: str, partitions: int) -> None:
    """Give a topic more partitions: so many in all."""
    admin = _admin(bootstrap)
    wanted = NewPartitions(topic, partitions)
    admin.create_partitions([wanted], operation_timeout=_SECONDS, request_timeout=_SECONDS)[topic].result()


def count_partitions(bootstrap: str, topic: str) -> int:
    admin = _admin(bootstrap)
    found: Any = admin.list_topics(topic, timeout=_SECONDS).topics[topic]
    if found.error is not None:
        raise KafkaException(found.error)
    return len(found.partitions)


def _admin(bootstrap: str) -> AdminClient:
    """A client to be held until its answer is there: one that nobody holds gives up its calls."""
    return AdminClient({"bootstrap.servers": bootstrap, "log_level": 0})
