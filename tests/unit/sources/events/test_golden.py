"""Real messages of metastores and of S3's notifications, decoded: what each says stands in `expected.txt`.

The messages are as they were sent, one a line (Apiary's listener 8.2.2 and NOTIFICATION_LOG of Hive 2.3.10 and 4.0.1),
or as a queue gave them (moto 5.2.5).
"""

import json
from collections.abc import Iterator
from pathlib import Path

from metadata_assets.sources.events.apiary import apiary_decoder
from metadata_assets.sources.events.base import Decoded, Decoder, Message
from metadata_assets.sources.events.notifications import notification_decoder
from metadata_assets.sources.events.queues import queue_decoder

FOLDER = Path(__file__).parents[3] / "golden/events"


def _apiary(line: str) -> Message:
    sent = json.loads(line)
    position = f"hive/{sent['partition']}/{sent['offset']}@{sent['at']}"
    return Message(position, sent["value"].encode(), sent["at"] / 1000, bytes.fromhex(sent["key"]))


def _logged(line: str) -> Message:
    entry = json.loads(line)
    return Message(str(entry["eventId"]), line.encode(), float(entry["eventTime"]))


def _queued(path: Path) -> Iterator[Message]:
    """A list of what a queue gave; or one event as EventBridge hands it over."""
    found = json.loads(path.read_text("utf-8"))
    if isinstance(found, dict):
        yield Message("m0", path.read_bytes(), 0.0)
        return
    for number, received in enumerate(found):
        yield Message(f"m{number}", received["Body"].encode(), int(received["Attributes"]["SentTimestamp"]) / 1000)


def _decoded() -> Iterator[str]:
    for version in ("2.3.10", "4.0.1"):
        for source, decoder, to_message in (
            ("apiary", apiary_decoder(), _apiary),
            ("hms", notification_decoder(), _logged),
        ):
            for line in (FOLDER / f"{source}-{version}.jsonl").read_text("utf-8").splitlines():
                yield from _lines(f"{source}-{version} {json.loads(line)['step']}", decoder, to_message(line))
    for path in sorted((FOLDER / "s3").iterdir()):
        for message in _queued(path):
            yield from _lines(f"s3 {path.stem} {message.position}", queue_decoder(), message)


def _lines(name: str, decoder: Decoder, message: Message) -> Iterator[str]:
    decoded: Decoded = decoder(message, "source")
    assert decoded.trouble == ""
    for event in decoded.events:
        told = [event.kind, event.subject]
        told += [f"was {event.previous}"] if event.previous else []
        told += [event.move] if event.move else []
        told += ["tentative"] if event.tentative else []
        told += ["with its schema"] if event.after is not None else []
        yield f"{name}: {', '.join(told)}"
    for reason, number in decoded.ignored.items():
        yield f"{name}: {number} ignored: {reason}"


def test_real_messages_say_what_happened() -> None:
    assert list(_decoded()) == (FOLDER / "expected.txt").read_text("utf-8").splitlines()
