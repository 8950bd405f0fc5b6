"""A stand-in for Expedia's Apiary listener, whose jar no registry has: a metastore's notification log, on Kafka.

    python -m examples.services.apiary_relay --metastore thrift://127.0.0.1:9083 --bootstrap 127.0.0.1:9092
        --topic hive-events --dir DATA [--version 2.3.10] [--from-start]

Runs until Ctrl-C, and goes on where it was (`DATA/position.json`). The topic is made where it is missing. A first start
begins at the end of the log, or with `--from-start` at what the log still holds.
"""

import argparse
import json
import signal
import sys
import threading
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from confluent_kafka import KafkaError, KafkaException, Producer

from examples.services.apiary_messages import ApiaryMessage, Entry, Translator, partition_of
from examples.services.topics import count_partitions, make_topic
from metadata_assets.errors import MetadataError
from metadata_assets.sources.hive.client import HiveClient
from metadata_assets.sources.hive.connection import Connector

_PAGE = 500
_AT_ONCE = 10_000  # well below what the client queues
_PARTITIONS = 4
_SECONDS = 30.0


@dataclass
class ApiaryRelay:
    """Sends what the log of a metastore says as the listener of release 8.2 does: after every kill at least once.

    `too_large` counts messages that exceed what a producer sends: the listener loses them without a word.
    """

    metastore: str
    bootstrap: str
    topic: str
    folder: Path
    version: str = "2.3.10"
    from_start: bool = False
    too_large: int = 0
    _failed: list[KafkaError] = field(default_factory=list)

    def relay(self) -> int:
        """Send all that is new in the log, wait until the broker has it, and say how many messages that were.

        Raises:
            MetadataError: the metastore does not answer.
            KafkaException: the broker does not; the same is sent again by the next call.
        """
        with closing(HiveClient((self.metastore,), Connector(_SECONDS))) as client:
            last, tables = self._position(client)
            entries = _read(client, last)
        if not entries:
            self._keep(last, tables)
            return 0
        translator = Translator(self.version, tables)
        messages = translator.to_messages(entries)
        for event_id, reason in translator.refused.items():
            sys.stderr.write(f"left out: event {event_id}: {reason}\n")
        self._send(messages)
        self._keep(entries[-1].id, translator.tables)
        return len(messages)

    def run(self, stop: threading.Event, interval: float = 0.5) -> None:
        """Relay until it is told to stop; a metastore or broker that is away is waited for."""
        while not stop.is_set():
            try:
                self.relay()
            except (MetadataError, KafkaException) as error:
                sys.stderr.write(f"waiting: {error}\n")
            stop.wait(interval)

    @cached_property
    def _producer(self) -> Producer:
        make_topic(self.bootstrap, self.topic, _PARTITIONS)
        settings: dict[str, Any] = {
            "bootstrap.servers": self.bootstrap, "acks": "all", "linger.ms": 1, "log_level": 0,
            "max.in.flight.requests.per.connection": 1, "delivery.timeout.ms": int(_SECONDS * 1000),
        }  # fmt: skip
        return Producer(settings)

    @cached_property
    def _partitions(self) -> int:
        """Read once, as the listener does."""
        return count_partitions(self.bootstrap, self.topic)

    def _send(self, messages: list[ApiaryMessage]) -> None:
        self._failed.clear()
        for start in range(0, len(messages), _AT_ONCE):
            for message in messages[start : start + _AT_ONCE]:
                self._send_one(message)
            self._producer.flush()  # ends: each message is delivered or given up within the time for delivery
            if self._failed:
                raise KafkaException(self._failed[0])

    def _send_one(self, message: ApiaryMessage) -> None:
        # The listener's key is its clock at the event: the log knows the second of it.
        key = (message.at * 1000).to_bytes(8, "big", signed=True)
        try:
            self._producer.produce(
                self.topic, message.value, key, partition_of(message.hashed, self._partitions), self._note
            )
        except KafkaException as error:
            if error.args[0].code() != KafkaError.MSG_SIZE_TOO_LARGE:
                raise
            self.too_large += 1
            sys.stderr.write(f"event {message.event_id} is too large for Kafka: {len(message.value)} bytes\n")

    def _note(self, error: KafkaError | None, _: object) -> None:
        if error is not None:
            self._failed.append(error)

    def _position(self, client: HiveClient) -> tuple[int, dict[str, dict[str, Any]]]:
        path = self.folder / "position.json"
        if path.exists():
            kept = json.loads(path.read_text())
            return kept["event_id"], kept["tables"]
        return (0 if self.from_start else client.read_newest_event_id()), {}

    def _keep(self, event_id: int, tables: dict[str, dict[str, Any]]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        draft = self.folder / "position.json.draft"
        draft.write_text(json.dumps({"event_id": event_id, "tables": tables}))
        draft.rename(self.folder / "position.json")


def _read(client: HiveClient, last: int) -> list[Entry]:
    """All entries after that number: a cascade is known by its end, which must not be cut off."""
    found: list[Entry] = []
    while page := client.read_events(last, _PAGE):
        found += [
            Entry(e.eventId, e.eventTime, e.eventType, e.dbName or "", e.tableName or "", e.message) for e in page
        ]
        last = page[-1].eventId
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--metastore", "--bootstrap", "--topic"):
        parser.add_argument(name, required=True)
    parser.add_argument("--dir", type=Path, required=True)
    parser.add_argument("--version", choices=["2.3.10", "3.1.3"], default="2.3.10")
    parser.add_argument("--from-start", action="store_true")
    asked = parser.parse_args()
    relay = ApiaryRelay(
        asked.metastore, asked.bootstrap, asked.topic, asked.dir, asked.version, from_start=asked.from_start
    )
    stop = threading.Event()
    for wanted in (signal.SIGINT, signal.SIGTERM):  # by hand: a shell lets what it starts behind it ignore Ctrl-C
        signal.signal(wanted, lambda *_: stop.set())
    relay.run(stop)
    sys.stderr.write("stopped\n")


if __name__ == "__main__":
    main()
