"""A broker that dies, and one that asks who is there: nothing is lost, and no secret is in any text."""

import base64
import json
import logging
import time
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from examples.services.kafka import Kafka
from examples.services.process import free_port
from metadata_assets.defs.assembly import build_definitions
from metadata_assets.defs.resources import Deployments
from metadata_assets.errors import Permanent, Unreachable
from metadata_assets.sources.events.base import Limit
from metadata_assets.sources.kafka.config import KafkaConfig
from metadata_assets.sources.kafka.cursor import TopicCursor
from metadata_assets.stages.deployment import opened
from tests.apiary import created
from tests.conftest import KAFKA_PASSWORD, KAFKA_USER, start_or_skip
from tests.kafka import new_topic, numbered, poll, send, settings_of, values
from tests.lake import table
from tests.surroundings import around

pytestmark = pytest.mark.kafka

SASL = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanisms": "PLAIN", "sasl.username": KAFKA_USER}
PLATFORM = """\
version: 1
kind: platform
metastore: {{type: ddl, path: ddl}}
events:
  - type: kafka
    topic: {topic}
    config: {{bootstrap.servers: "{bootstrap}", security.protocol: SASL_PLAINTEXT, sasl.mechanisms: PLAIN,
      sasl.username: {user}}}
    config_env: {{sasl.password: KAFKA_PASSWORD}}
"""


@pytest.fixture
def own_broker(service_folder: Path, request: pytest.FixtureRequest) -> Iterator[Kafka]:
    """A broker that the test may stop and kill."""
    service = Kafka(service_folder / f"kafka-{request.node.name}", free_port())
    start_or_skip(service)
    yield service
    service.stop()


def test_a_broker_keeps_its_data(own_broker: Kafka) -> None:
    topic = new_topic(own_broker.bootstrap)
    for number, end in enumerate((own_broker.kill9, own_broker.stop)):
        send(own_broker.bootstrap, topic, numbered(1, 0, number))
        end()
        own_broker.start()
    assert values(poll(settings_of(own_broker.bootstrap, topic)).messages) == ["0", "1"]


def test_a_broker_killed_between_and_during_looks_loses_nothing(own_broker: Kafka) -> None:
    topic = new_topic(own_broker.bootstrap, 2)
    send(own_broker.bootstrap, topic, [*numbered(3000), *numbered(3000, 1, 3000)])
    settings = settings_of(own_broker.bootstrap, topic)
    found: list[str] = []
    cursor = ""
    with settings.connect(around()) as source:
        polled = source.poll(cursor, Limit(messages=500, seconds=20))
        found, cursor = values(polled.messages), polled.cursor
        own_broker.kill9()
        with pytest.raises(Unreachable):
            source.poll(cursor, Limit(seconds=1))
        own_broker.start()
    deadline = time.monotonic() + 60
    while len(found) < 6000 and time.monotonic() < deadline:
        polled = poll(settings, cursor, Limit(messages=500, seconds=5))
        found += values(polled.messages)
        cursor = polled.cursor
    assert sorted(found, key=int) == [str(n) for n in range(6000)]


def test_a_broker_killed_within_a_look_gives_what_was_read(own_broker: Kafka, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cursor then stands behind the last message that was handed over, and before the first that was not."""
    topic = new_topic(own_broker.bootstrap)
    send(own_broker.bootstrap, topic, [(0, None, b"x" * 100_000)] * 400)
    settings = settings_of(own_broker.bootstrap, topic, config={"queued.max.messages.kbytes": 1000})
    with settings.connect(around()) as source:
        whole = source._to_message

        def _killing(found: object) -> object:
            own_broker.kill9()
            return whole(found)  # type: ignore[arg-type]  # what the client handed over

        monkeypatch.setattr(source, "_to_message", _killing)
        first = source.poll("", Limit(seconds=3))
    assert 0 < len(first.messages) < 400
    assert first.lag == 400 - len(first.messages)
    own_broker.start()
    assert len(first.messages) + len(poll(settings, first.cursor).messages) == 400


def test_a_password_lets_in(kafka_broker: Kafka) -> None:
    topic = new_topic(kafka_broker.bootstrap)
    send(kafka_broker.bootstrap, topic, numbered(2))
    assert values(poll(_asking(kafka_broker, topic), SECRET=KAFKA_PASSWORD).messages) == ["0", "1"]


def test_a_wrong_password_is_permanent_and_told_without_it(
    kafka_broker: Kafka, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    wrong = f"{KAFKA_PASSWORD}-but-wrong"
    topic = new_topic(kafka_broker.bootstrap)
    with pytest.raises(Permanent, match="uthentication failed") as caught:
        poll(_asking(kafka_broker, topic), SECRET=wrong)
    told = [str(caught.value), repr(caught.value), caplog.text, *capfd.readouterr()]
    assert not [text for text in told if KAFKA_PASSWORD in text]


def test_a_refused_property_is_told_without_the_secret() -> None:
    settings = settings_of("127.0.0.1:1", "any", config_env={"ssl.key.password": "SECRET"}, config={"no.such": "1"})
    with pytest.raises(Exception, match=r"no\.such") as caught:
        poll(settings, SECRET=KAFKA_PASSWORD)
    assert KAFKA_PASSWORD not in f"{caught.value!r}{caught.value.__cause__!r}"


@pytest.mark.parametrize("password", [KAFKA_PASSWORD, f"{KAFKA_PASSWORD}-but-wrong"])
def test_the_password_is_nowhere_that_dagster_or_the_store_keep(
    kafka_broker: Kafka, tmp_path: Path, capfd: pytest.CaptureFixture[str], password: str
) -> None:
    topic = new_topic(kafka_broker.bootstrap)
    message = created(1, table("raw.a"), time.time())
    send(kafka_broker.bootstrap, topic, [(0, message.key, message.payload), (0, None, b"garbage")])
    for folder in ("ddl", "dagster"):
        (tmp_path / folder).mkdir()
    platform = tmp_path / "platform.yaml"
    platform.write_text(PLATFORM.format(topic=topic, bootstrap=kafka_broker.sasl_bootstrap, user=KAFKA_USER))
    home = tmp_path / "home"
    environ = {"METADATA_PLATFORM": str(platform), "METADATA_HOME": str(home), "KAFKA_PASSWORD": password}
    sensor = build_definitions(environ).resolve_sensor_def("kafka_events_sensor")
    with dg.DagsterInstance.local_temp(str(tmp_path / "dagster")) as instance:
        context = dg.build_sensor_context(instance=instance, resources={"deployments": Deployments(environ)})
        told = repr(sensor(context)) + str(context.cursor)
    with opened(environ) as deployment:
        waiting, dead = deployment.store.inbox.count_waiting(), deployment.store.dead_letters.count()
        told += repr(deployment.platform)
    assert (waiting > 0, dead) == ((True, 1) if password == KAFKA_PASSWORD else (False, 0))
    kept = b"".join(f.read_bytes() for f in tmp_path.rglob("*") if f.is_file())
    assert KAFKA_PASSWORD.encode() not in kept
    assert KAFKA_PASSWORD not in told + "".join(capfd.readouterr())


def an_unsigned_token() -> tuple[str, float]:
    """What `oauth` names: the token, and when it ends."""
    ends = time.time() + 300
    parts = [{"alg": "none"}, {"sub": "catalog", "iat": time.time(), "exp": ends}]
    header, claims = (base64.urlsafe_b64encode(json.dumps(p).encode()).rstrip(b"=").decode() for p in parts)
    return f"{header}.{claims}.", ends


def a_refused_token() -> tuple[str, float]:
    return "nonsense", time.time() + 300


def _with_token(broker: Kafka, topic: str, function: str) -> KafkaConfig:
    config = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanisms": "OAUTHBEARER"}
    return settings_of(broker.sasl_bootstrap, topic, config=config, oauth=f"{__name__}:{function}")


def test_a_token_of_ones_own_function_lets_in_both_clients(kafka_broker: Kafka) -> None:
    topic = new_topic(kafka_broker.bootstrap)
    send(kafka_broker.bootstrap, topic, numbered(2))
    settings = _with_token(kafka_broker, topic, "an_unsigned_token")
    polled = poll(settings, limit=Limit())
    assert values(polled.messages) == ["0", "1"]
    assert TopicCursor.parse(polled.cursor).topic_id, "the client that asks for the topic's id has a token too"


def test_a_refused_token_is_permanent_and_not_told(kafka_broker: Kafka) -> None:
    topic = new_topic(kafka_broker.bootstrap)
    with pytest.raises(Permanent) as caught:
        poll(_with_token(kafka_broker, topic, "a_refused_token"))
    assert "nonsense" not in str(caught.value)


def _asking(broker: Kafka, topic: str) -> KafkaConfig:
    return settings_of(broker.sasl_bootstrap, topic, config=SASL, config_env={"sasl.password": "SECRET"})
