"""The relay between a real metastore and a real broker: it goes on where it was, and loses nothing but what the
listener would lose."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from confluent_kafka import KafkaException

from examples.services.apiary_relay import ApiaryRelay
from examples.services.kafka import Kafka
from examples.services.metastore import Metastore
from examples.services.process import free_port
from metadata_assets.sources.hive.connection import Connection, Connector
from tests.integration.command import ROOT
from tests.integration.warehouse import make_database, make_table
from tests.kafka import new_topic, poll, settings_of

pytestmark = [pytest.mark.hive, pytest.mark.kafka]


@pytest.fixture
def lake(hive_metastore: Metastore) -> Iterator[Connection]:
    with closing(Connector(300).open(hive_metastore.uri)) as connection:
        yield connection


@pytest.fixture
def database(lake: Connection, hive_metastore: Metastore, request: pytest.FixtureRequest) -> str:
    name = f"relayed_{abs(hash(request.node.name)) % 10**6}"
    lake.stub.create_database(make_database(name, location=f"{hive_metastore.warehouse}/{name}.db"))
    return name


def create(lake: Connection, metastore: Metastore, database: str, table: str, **parameters: str) -> None:
    made = make_table(database, table, [("id", "int", None)], parameters)
    made.sd.location = f"{metastore.warehouse}/{database}.db/{table}"
    lake.stub.create_table(made)


def told(broker: Kafka, topic: str, database: str) -> list[tuple[str, str]]:
    found = [json.loads(m.payload or b"") for m in poll(settings_of(broker.bootstrap, topic)).messages]
    return [(m["eventType"], m["tableName"]) for m in found if m["databaseName"] == database]


def test_it_begins_at_the_end_and_goes_on_where_it_was(
    hive_metastore: Metastore, kafka_broker: Kafka, lake: Connection, database: str, tmp_path: Path
) -> None:
    topic = new_topic(kafka_broker.bootstrap)

    def _relay() -> int:
        return ApiaryRelay(hive_metastore.uri, kafka_broker.bootstrap, topic, tmp_path).relay()

    create(lake, hive_metastore, database, "before")
    assert _relay() == 0
    create(lake, hive_metastore, database, "first")
    assert _relay() == 1
    lake.stub.drop_table(database, "first", False)  # noqa: FBT003  # Thrift's order
    assert (_relay(), _relay()) == (1, 0)
    assert told(kafka_broker, topic, database) == [("ON_CREATE_TABLE", "first"), ("ON_DROP_TABLE", "first")]
    drop = json.loads(poll(settings_of(kafka_broker.bootstrap, topic)).messages[-1].payload or b"")
    assert [c["name"] for c in drop["table"]["sd"]["cols"]] == ["id"], (
        "as it was seen before the relay was started again"
    )


def test_a_broker_that_is_away_is_waited_for(
    hive_metastore: Metastore, kafka_broker: Kafka, lake: Connection, database: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    topic = new_topic(kafka_broker.bootstrap)
    ApiaryRelay(hive_metastore.uri, kafka_broker.bootstrap, topic, tmp_path).relay()
    create(lake, hive_metastore, database, "meanwhile")
    monkeypatch.setattr("examples.services.topics._SECONDS", 1.0)
    with pytest.raises(KafkaException):
        ApiaryRelay(hive_metastore.uri, f"127.0.0.1:{free_port()}", topic, tmp_path).relay()
    ApiaryRelay(hive_metastore.uri, kafka_broker.bootstrap, topic, tmp_path).relay()
    assert told(kafka_broker, topic, database) == [("ON_CREATE_TABLE", "meanwhile")]


def test_what_is_too_large_for_kafka_is_lost_as_with_the_listener_but_told(
    hive_metastore: Metastore, kafka_broker: Kafka, lake: Connection, database: str, tmp_path: Path
) -> None:
    topic = new_topic(kafka_broker.bootstrap)
    relay = ApiaryRelay(hive_metastore.uri, kafka_broker.bootstrap, topic, tmp_path)
    relay.relay()
    create(lake, hive_metastore, database, "wide", **{f"p{n}": "x" * 3900 for n in range(300)})
    create(lake, hive_metastore, database, "narrow")
    relay.relay()
    assert relay.too_large == 1
    assert told(kafka_broker, topic, database) == [("ON_CREATE_TABLE", "narrow")]


def test_the_command_relays_until_it_is_stopped(
    hive_metastore: Metastore, kafka_broker: Kafka, lake: Connection, database: str, tmp_path: Path
) -> None:
    topic = f"made-by-the-relay-{database}"
    create(lake, hive_metastore, database, "waiting")
    command = [sys.executable, "-m", "examples.services.apiary_relay", "--metastore", hive_metastore.uri]
    places = ["--bootstrap", kafka_broker.bootstrap, "--topic", topic, "--dir", str(tmp_path), "--from-start"]
    process = subprocess.Popen([*command, *places], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    try:
        while not (tmp_path / "position.json").exists():
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait(30)
    assert ("ON_CREATE_TABLE", "waiting") in told(kafka_broker, topic, database)
