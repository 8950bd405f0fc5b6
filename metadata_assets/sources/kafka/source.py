"""A Kafka topic: read from where the cursor says, without joining a group."""

import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicCollection, TopicPartition
from confluent_kafka import Message as KafkaMessage
from confluent_kafka.admin import AdminClient

from metadata_assets.errors import Permanent, PlatformError, Transient, Unreachable
from metadata_assets.isolation import load_named
from metadata_assets.sources.events.base import Limit, Message, Polled
from metadata_assets.sources.kafka.config import KafkaConfig
from metadata_assets.sources.kafka.cursor import Range, TopicCursor, resume

_CALL_SECONDS = 10.0
_FIRST_SECONDS = 2.0
_AT_ONCE = 500
_SLICE_SECONDS = 0.1  # the client waits so long for a full batch, whether or not the topic has ended
_NOBODY = frozenset({
    KafkaError._TRANSPORT, KafkaError._ALL_BROKERS_DOWN, KafkaError._RESOLVE, KafkaError._TIMED_OUT,
})  # fmt: skip
_REFUSED = frozenset({
    KafkaError._AUTHENTICATION, KafkaError.SASL_AUTHENTICATION_FAILED, KafkaError.TOPIC_AUTHORIZATION_FAILED,
    KafkaError.CLUSTER_AUTHORIZATION_FAILED, KafkaError.UNKNOWN_TOPIC_OR_PART, KafkaError._UNKNOWN_TOPIC,
    KafkaError._SSL,
})  # fmt: skip
# The client writes a line for each try to connect; what it could not do is in our errors.
_QUIET: dict[str, Any] = {"log_level": 0}
_log = logging.getLogger(__name__)


class KafkaTopic:
    """One topic. Not for several threads at once."""

    def __init__(self, settings: KafkaConfig, properties: Mapping[str, str]) -> None:
        self._settings = settings
        self._properties = dict(properties)
        self._consumer: Consumer | None = None
        self._trouble: KafkaError | None = None
        self._nobody_there = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._consumer is not None:
            self._consumer.close()

    def poll(self, cursor: str, limit: Limit) -> Polled:
        """Messages up to where the topic ended when the poll began, or up to the limit."""
        known = TopicCursor.parse(cursor)
        with self._translated("reading the topic"):
            is_stored = self._consumer is None  # the first look begins where the sensor says, and it keeps what it says
            consumer = self._opened()
            held = self._held(consumer)
            topic_id = self._topic_id() or known.topic_id
            going_on = resume(known, held, topic_id)
            offsets = {**going_on.offsets, **self._first_offsets(consumer, going_on.first, held)}
            if is_stored and known.offsets:
                self._commit(consumer, known.offsets)
            messages, reached = self._read(consumer, offsets, held, _Budget(limit))
        lag = sum(r.high - reached[p] for p, r in held.items())
        return Polled(messages, TopicCursor(reached, topic_id).to_text(), lag, going_on.gap)

    def acknowledge(self, polled: Polled) -> None:
        """Nothing to do: the cursor of the sensor is the memory, and the next poll commits it for lag tools."""

    def _opened(self) -> Consumer:
        if self._consumer is None:
            fixed: dict[str, Any] = {
                "group.id": self._settings.group or f"metadata-assets-{self._settings.name}",
                "enable.auto.commit": False,
                "enable.auto.offset.store": False,
                "enable.partition.eof": True,
                "auto.offset.reset": "earliest",
                "allow.auto.create.topics": False,
                "error_cb": self._note,
            }
            try:
                self._consumer = Consumer({**self._common(), **fixed}, logger=_log)
            except (KafkaException, TypeError, ValueError) as error:
                told = error.args[0].str() if isinstance(error, KafkaException) else str(error)
                raise PlatformError(f"events: {self._settings.name}: {self._without_secrets(told)}") from None
        return self._consumer

    def _common(self) -> dict[str, Any]:
        """What both clients need: the one that reads, and the one that asks for the topic's id."""
        oauth = self._settings.oauth
        return {**_QUIET, **self._properties, **({} if oauth is None else {"oauth_cb": _token_function(oauth)})}

    def _note(self, error: KafkaError) -> None:
        """The client tells apart why nobody answers only here: a refused password looks like a dead broker else."""
        if self._trouble is None or error.code() in _REFUSED:
            self._trouble = error
        self._nobody_there |= error.code() == KafkaError._ALL_BROKERS_DOWN

    def _heard(self) -> KafkaError | None:
        """What `_note` was told; the client calls it from within a poll only, which asking for metadata is not."""
        if self._consumer is not None:
            self._consumer.poll(0)
        return self._trouble

    def _held(self, consumer: Consumer) -> dict[int, Range]:
        topic = self._settings.topic
        found = self._described(consumer, topic)
        if found.error is not None:
            raise KafkaException(found.error)
        held = {}
        for partition in sorted(found.partitions):
            low, high = consumer.get_watermark_offsets(TopicPartition(topic, partition), timeout=_CALL_SECONDS)
            held[partition] = Range(low, high)
        return held

    def _described(self, consumer: Consumer, topic: str) -> Any:
        """The first call of a look. The client goes on trying until the time is up, whatever it has heard: it is asked
        in slices, and no more once every address has failed or refused."""
        deadline = time.monotonic() + _CALL_SECONDS
        while True:
            try:
                return consumer.list_topics(topic, timeout=_FIRST_SECONDS).topics[topic]
            except KafkaException as error:
                trouble = self._heard()
                refused = trouble is not None and trouble.code() in _REFUSED
                vain = refused or self._nobody_there or time.monotonic() > deadline
                if vain or error.args[0].code() not in _NOBODY:
                    raise

    def _topic_id(self) -> str:
        """The id that a topic gets when it is made; brokers before 2.8, and some services, do not tell it."""
        client = AdminClient(self._common(), logger=_log)
        topic = self._settings.topic
        try:
            asked = client.describe_topics(TopicCollection([topic]), request_timeout=_CALL_SECONDS)
            return str(asked[topic].result().topic_id)
        except (KafkaException, ValueError):
            return ""

    def _first_offsets(
        self, consumer: Consumer, partitions: tuple[int, ...], held: Mapping[int, Range]
    ) -> dict[int, int]:
        start = self._settings.start
        if start == "earliest":
            return {p: held[p].low for p in partitions}
        if start == "latest" or not partitions:
            return {p: held[p].high for p in partitions}
        moment = datetime.fromisoformat(start)
        at = int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)
        asked = [TopicPartition(self._settings.topic, p, at) for p in partitions]
        found = {t.partition: t.offset for t in consumer.offsets_for_times(asked, timeout=_CALL_SECONDS)}
        return {p: found[p] if found.get(p, -1) >= 0 else held[p].high for p in partitions}

    def _commit(self, consumer: Consumer, offsets: Mapping[int, int]) -> None:
        """For tools that show lag by group; a broker that forbids it takes nothing from us."""
        asked = [TopicPartition(self._settings.topic, p, o) for p, o in offsets.items()]
        try:
            consumer.commit(offsets=asked, asynchronous=True)
        except KafkaException as error:
            _log.info("offsets for lag tools were not committed: %s", error.args[0].str())

    def _read(
        self, consumer: Consumer, offsets: Mapping[int, int], held: Mapping[int, Range], budget: "_Budget"
    ) -> tuple[list[Message], dict[int, int]]:
        """Messages, and the next offset of each partition."""
        reached = dict(offsets)
        open_ = {p for p, r in held.items() if offsets[p] < r.high}
        if not open_:
            return [], reached
        consumer.assign([TopicPartition(self._settings.topic, p, offsets[p]) for p in sorted(open_)])
        messages: list[Message] = []
        while open_ and budget.is_left(len(messages)):
            at_once, patience = budget.take(len(messages), _AT_ONCE), min(_SLICE_SECONDS, budget.seconds)
            for found in consumer.consume(at_once, timeout=patience):
                partition, offset = found.partition() or 0, found.offset() or 0
                error = found.error()
                if error is not None and error.code() != KafkaError._PARTITION_EOF:
                    raise KafkaException(error)
                if error is None:
                    messages.append(self._to_message(found))
                    budget.bytes -= len(found.value() or b"")
                reached[partition] = offset + (error is None)  # an end is at the offset that comes next
                if reached[partition] >= held[partition].high:
                    open_.discard(partition)
        return messages, reached

    def _to_message(self, found: KafkaMessage) -> Message:
        _, at = found.timestamp()
        key, value = found.key(), found.value()
        return Message(
            f"{found.topic()}/{found.partition()}/{found.offset()}@{at}",
            value,
            at / 1000 if at > 0 else time.time(),
            key,
        )

    @contextmanager
    def _translated(self, what: str) -> Iterator[None]:
        """Kafka's errors as ours."""
        try:
            yield
        except KafkaException as error:
            cause: KafkaError = error.args[0]
            trouble = self._heard()
            told = self._without_secrets(
                f"Kafka, {what} {self._settings.topic!r} at {self._properties.get('bootstrap.servers', '?')}: "
                f"{cause.str()}" + (f" ({trouble.str()})" if trouble is not None else "")
            )
            if cause.code() in _REFUSED or (trouble is not None and trouble.code() in _REFUSED):
                raise Permanent(f"{told}. Check the name of the topic, and the rights of the user") from None
            kind = Unreachable if cause.code() in _NOBODY else Transient
            raise kind(told) from None

    def _without_secrets(self, text: str) -> str:
        for name in self._settings.config_env:
            text = text.replace(self._properties[name], "***")
        return text


class _Budget:
    """What is left of a limit."""

    def __init__(self, limit: Limit) -> None:
        self._limit = limit
        self._deadline = time.monotonic() + limit.seconds
        self.bytes = limit.bytes

    @property
    def seconds(self) -> float:
        return max(0.0, self._deadline - time.monotonic())

    def is_left(self, taken: int) -> bool:
        return taken < self._limit.messages and self.bytes > 0 and self.seconds > 0

    def take(self, taken: int, most: int) -> int:
        return min(most, self._limit.messages - taken)


def _token_function(name: str) -> Any:
    """The function that gives (token, epoch seconds at which it ends); librdkafka calls it when it needs one."""
    function = load_named(name).unwrap()

    def _token(_: str) -> tuple[str, float]:
        token, ends = function()
        return str(token), float(ends)

    return _token
