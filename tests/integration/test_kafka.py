"""Topics of a real broker: where reading starts, how far a look goes, and what it makes of a topic that changed."""

import json
import time
from datetime import UTC, datetime

import pytest
from confluent_kafka import ConsumerGroupTopicPartitions, TopicPartition
from confluent_kafka.admin import AdminClient

from examples.services.kafka import Kafka
from examples.services.process import free_port
from examples.services.topics import delete_topic, grow_topic, make_topic
from metadata_assets.errors import Permanent, PlatformError, Unreachable
from metadata_assets.sources.events.base import Limit
from metadata_assets.sources.kafka.cursor import TopicCursor
from metadata_assets.sources.kafka.source import KafkaTopic
from tests.kafka import new_topic, numbered, poll, send, settings_of, values
from tests.surroundings import around

pytestmark = pytest.mark.kafka


@pytest.fixture
def bootstrap(kafka_broker: Kafka) -> str:
    return kafka_broker.bootstrap


def test_a_first_start_reads_from_the_beginning_and_then_only_what_is_new(bootstrap: str) -> None:
    topic = new_topic(bootstrap, 3)
    send(bootstrap, topic, [*numbered(5, 0), *numbered(5, 2, 5)])
    settings = settings_of(bootstrap, topic)
    first = poll(settings)
    assert sorted(values(first.messages), key=int) == [str(n) for n in range(10)]
    assert (first.lag, first.gap) == (0, "")
    nothing = poll(settings, first.cursor)
    assert (nothing.messages, nothing.cursor) == ([], first.cursor)
    send(bootstrap, topic, numbered(1, 1, 10))
    assert values(poll(settings, first.cursor).messages) == ["10"]


def test_a_message_keeps_its_key_its_time_and_its_place(bootstrap: str) -> None:
    topic = new_topic(bootstrap, 2)
    began = time.time()
    send(bootstrap, topic, [(1, b"12345678", b"v"), (1, None, None)])
    whole, tombstone = poll(settings_of(bootstrap, topic)).messages
    assert (whole.key, whole.payload) == (b"12345678", b"v")
    assert whole.position.startswith(f"{topic}/1/0@")
    assert abs(whole.received_at - began) < 60
    assert (tombstone.key, tombstone.payload) == (None, None)


def test_latest_passes_over_what_was_there(bootstrap: str) -> None:
    topic = new_topic(bootstrap, 2)
    send(bootstrap, topic, numbered(4))
    settings = settings_of(bootstrap, topic, start="latest")
    first = poll(settings)
    assert (first.messages, first.lag) == ([], 0)
    send(bootstrap, topic, numbered(1, 1, 4))
    assert values(poll(settings, first.cursor).messages) == ["4"]


def test_a_time_is_where_reading_starts(bootstrap: str) -> None:
    topic = new_topic(bootstrap, 2)
    send(bootstrap, topic, numbered(2))
    time.sleep(1.1)  # a time in a platform file is whole seconds
    moment = datetime.now(UTC).replace(microsecond=0)
    send(bootstrap, topic, numbered(2, 0, 2))
    settings = settings_of(bootstrap, topic, start=moment.isoformat())
    assert values(poll(settings).messages) == ["2", "3"]
    later = settings_of(bootstrap, topic, start="2999-01-01")
    assert poll(later).messages == []


def test_a_look_is_bounded_by_messages_and_bytes_and_the_next_goes_on(bootstrap: str) -> None:
    topic = new_topic(bootstrap)
    send(bootstrap, topic, numbered(1200))
    settings = settings_of(bootstrap, topic)
    first = poll(settings, limit=Limit(messages=700, seconds=20))
    assert (len(first.messages), first.lag) == (700, 500)
    second = poll(settings, first.cursor, Limit(messages=700, seconds=20))
    assert values([*first.messages, *second.messages]) == [str(n) for n in range(1200)]
    few = poll(settings, limit=Limit(bytes=10, seconds=20))
    assert 0 < len(few.messages) < 1200
    assert values([*few.messages, *poll(settings, few.cursor).messages]) == [str(n) for n in range(1200)]


def test_a_look_without_time_moves_nothing(bootstrap: str) -> None:
    topic = new_topic(bootstrap)
    send(bootstrap, topic, numbered(5))
    settings = settings_of(bootstrap, topic)
    none = poll(settings, limit=Limit(seconds=0))
    assert (none.messages, none.lag) == ([], 5)
    assert len(poll(settings, none.cursor).messages) == 5


@pytest.mark.parametrize("start", ["earliest", "latest"])
def test_a_partition_that_is_added_is_read_from_its_beginning(bootstrap: str, start: str) -> None:
    topic = new_topic(bootstrap)
    settings = settings_of(bootstrap, topic, start=start)
    first = poll(settings)
    grow_topic(bootstrap, topic, 3)
    send(bootstrap, topic, [*numbered(2, 2), *numbered(2, 0, 2)])
    second = poll(settings, first.cursor)
    assert sorted(values(second.messages)) == ["0", "1", "2", "3"]
    assert second.gap == ""


def test_a_topic_that_is_made_again_is_read_anew_and_told(bootstrap: str) -> None:
    topic = new_topic(bootstrap)
    send(bootstrap, topic, numbered(3))
    settings = settings_of(bootstrap, topic)
    first = poll(settings)
    delete_topic(bootstrap, topic)
    make_topic(bootstrap, topic)
    send(bootstrap, topic, numbered(5, 0, 10))
    second = poll(settings, first.cursor)
    assert values(second.messages) == ["10", "11", "12", "13", "14"]
    assert second.gap == "the topic was made again"
    assert poll(settings, second.cursor).gap == ""


def test_messages_deleted_before_they_were_read_are_told(bootstrap: str) -> None:
    topic = new_topic(bootstrap, 2)
    send(bootstrap, topic, [*numbered(2), *numbered(2, 1)])
    settings = settings_of(bootstrap, topic)
    first = poll(settings)
    send(bootstrap, topic, [*numbered(6, 0, 2), *numbered(1, 1, 2)])
    admin = AdminClient({"bootstrap.servers": bootstrap, "log_level": 0})
    for asked in admin.delete_records([TopicPartition(topic, 0, 5)]).values():
        asked.result()
    second = poll(settings, first.cursor)
    assert second.gap == "messages of partitions 0 are gone: deleted before they were read"
    assert sorted(values(second.messages)) == ["2", "5", "6", "7"]
    assert poll(settings, second.cursor).gap == ""


def test_a_topic_that_does_not_exist_is_permanent_and_says_what_to_do(bootstrap: str) -> None:
    with pytest.raises(Permanent, match=r"'misspelt'.*Check the name of the topic"):
        poll(settings_of(bootstrap, "misspelt"))


@pytest.mark.parametrize("cursor", ["{", "7", '{"version": 9}', '{"version": 1, "topic_id": "", "offsets": {"0": -3}}'])
def test_a_cursor_that_somebody_edited_is_refused(bootstrap: str, cursor: str) -> None:
    with pytest.raises(Permanent, match="reset it in the UI"):
        poll(settings_of(bootstrap, "any"), cursor)


def test_a_cursor_that_somebody_set_is_taken(bootstrap: str) -> None:
    topic = new_topic(bootstrap)
    send(bootstrap, topic, numbered(5))
    cursor = json.dumps({"version": 1, "topic_id": "", "offsets": {"0": 3}})
    assert values(poll(settings_of(bootstrap, topic), cursor).messages) == ["3", "4"]


def test_a_property_that_the_client_does_not_know_is_named() -> None:
    with pytest.raises(PlatformError, match=r"kafka: .*no\.such\.property"):
        poll(settings_of("127.0.0.1:1", "any", config={"no.such.property": "1"}))


def test_a_broker_that_is_down_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "metadata_assets.sources.kafka.source._CALL_SECONDS", 3600
    )  # the client goes on as long as this
    with pytest.raises(Unreachable, match="Connection refused"):
        poll(settings_of(f"127.0.0.1:{free_port()}", "any"))


def test_offsets_are_committed_for_lag_tools_once_the_cursor_is_stored(bootstrap: str) -> None:
    topic = new_topic(bootstrap, 2)
    send(bootstrap, topic, numbered(5))
    settings = settings_of(bootstrap, topic, group="lag-tools")
    first = poll(settings)
    assert _committed(bootstrap, "lag-tools", topic).get(0, -1) < 0, "nobody has stored the cursor yet"
    poll(settings, first.cursor)
    assert _committed(bootstrap, "lag-tools", topic) == {0: 5, 1: 0}


def test_looks_of_one_tick_commit_only_what_the_sensor_had_kept_before(bootstrap: str) -> None:
    topic = new_topic(bootstrap)
    send(bootstrap, topic, numbered(9))
    settings = settings_of(bootstrap, topic, group="lag-tools-too")
    start = TopicCursor({0: 2}).to_text()
    with settings.connect(around()) as source:
        second = source.poll(source.poll(start, Limit(messages=3, seconds=20)).cursor, Limit(messages=3, seconds=20))
    assert values(second.messages) == ["5", "6", "7"]
    assert _committed(bootstrap, "lag-tools-too", topic) == {0: 2}


def test_an_id_that_is_not_told_this_time_is_not_forgotten(bootstrap: str, monkeypatch: pytest.MonkeyPatch) -> None:
    topic = new_topic(bootstrap)
    settings = settings_of(bootstrap, topic)
    first = poll(settings)
    assert TopicCursor.parse(first.cursor).topic_id
    monkeypatch.setattr(KafkaTopic, "_topic_id", lambda self: "")
    second = poll(settings, first.cursor)
    assert (second.cursor, second.gap) == (first.cursor, "")


def test_a_message_of_several_megabytes_arrives(bootstrap: str) -> None:
    topic = new_topic(bootstrap, max_message_bytes=str(8 << 20))
    large = bytes(range(256)) * (5 << 12)
    send(bootstrap, topic, [(0, None, large), (0, None, b"after")], message_max_bytes=8 << 20)
    settings = settings_of(bootstrap, topic)
    assert [m.payload for m in poll(settings).messages] == [large, b"after"]


@pytest.mark.parametrize("codec", ["gzip", "snappy", "lz4", "zstd"])
def test_a_compressed_topic_is_read(bootstrap: str, codec: str) -> None:
    topic = new_topic(bootstrap, compression_type=codec)
    send(bootstrap, topic, numbered(300), compression_type=codec)
    assert values(poll(settings_of(bootstrap, topic)).messages) == [str(n) for n in range(300)]


def test_what_was_rolled_back_is_not_read(bootstrap: str) -> None:
    """Markers of transactions take offsets, and have no message."""
    from confluent_kafka import Producer

    topic = new_topic(bootstrap)
    producer = Producer({"bootstrap.servers": bootstrap, "transactional.id": topic, "log_level": 0})
    producer.init_transactions()
    for value, end in ((b"kept", producer.commit_transaction), (b"rolled back", producer.abort_transaction)):
        producer.begin_transaction()
        producer.produce(topic, value)
        producer.flush()
        end()
    settings = settings_of(bootstrap, topic)
    found = poll(settings)
    assert (values(found.messages), found.lag) == (["kept"], 0)
    assert poll(settings, found.cursor).messages == []


def _committed(bootstrap: str, group: str, topic: str) -> dict[int, int]:
    admin = AdminClient({"bootstrap.servers": bootstrap, "log_level": 0})
    asked = admin.list_consumer_group_offsets([ConsumerGroupTopicPartitions(group)])
    return {t.partition: t.offset for t in asked[group].result().topic_partitions if t.topic == topic}
