"""A queue of SQS as a source of events: it remembers by itself what was read, so there is no cursor."""

import logging
import time
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any, Self

from metadata_assets.sources.aws import translated
from metadata_assets.sources.events.base import Limit, Message, Polled

_CURSOR = "the queue remembers"
_AT_ONCE = 10  # the most that SQS takes or gives
# Nobody else gets a message for so long: more than a tick of the sensor may take, from receiving to deleting. The
# queue's own setting may be shorter, or none at all. After a crash messages come again when it is over.
_HIDDEN_SECONDS = 120
_COUNT = "ApproximateNumberOfMessages"
_log = logging.getLogger(__name__)


class SqsQueue:
    """One queue. Not for several threads at once."""

    def __init__(self, client: Any, queue: str) -> None:
        self._client = client
        self._queue = queue
        self._found_url = ""
        self._receipts: dict[str, str] = {}  # position → what deletes the message

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def poll(self, cursor: str, limit: Limit) -> Polled:
        """Messages until the queue gives none, or up to the limit. They stay in the queue, hidden for a while.

        Raises:
            Permanent, Transient: the queue cannot be read.
        """
        deadline = time.monotonic() + limit.seconds
        messages: list[Message] = []
        size = 0
        with translated(f"SQS, reading the queue {self._queue!r}"):
            while len(messages) < limit.messages and size < limit.bytes and time.monotonic() < deadline:
                received = self._receive(min(_AT_ONCE, limit.messages - len(messages)))
                if not received:
                    break
                new = [_to_message(r) for r in received if r["MessageId"] not in self._receipts]
                self._receipts |= {r["MessageId"]: r["ReceiptHandle"] for r in received}
                messages += new
                size += sum(len(m.payload or b"") for m in new)
            return Polled(messages, _CURSOR, self._count())

    def acknowledge(self, polled: Polled) -> None:
        """Delete the messages. One that stays comes again, and is known then.

        Raises:
            Permanent, Transient: the queue lets nothing be deleted.
        """
        kept: dict[str, str] = {}
        with translated(f"SQS, deleting from the queue {self._queue!r}"):
            for part in _batched([m.position for m in polled.messages if m.position in self._receipts]):
                entries = [{"Id": str(i), "ReceiptHandle": self._receipts.pop(p)} for i, p in enumerate(part)]
                answer = self._client.delete_message_batch(QueueUrl=self._url(), Entries=entries)
                kept |= {part[int(failed["Id"])]: failed.get("Code", "") for failed in answer.get("Failed", ())}
        if kept:
            codes = ", ".join(sorted(set(kept.values())))
            _log.warning(
                "%d messages of the queue %r were not deleted and come again: %s", len(kept), self._queue, codes
            )

    def _url(self) -> str:
        if "://" in self._queue:
            return self._queue
        if not self._found_url:
            self._found_url = str(self._client.get_queue_url(QueueName=self._queue)["QueueUrl"])
        return self._found_url

    def _receive(self, number: int) -> list[Mapping[str, Any]]:
        """Up to ten messages that are there. It asks without waiting: a sensor comes again in a moment."""
        answer = self._client.receive_message(
            QueueUrl=self._url(),
            MaxNumberOfMessages=number,
            WaitTimeSeconds=0,
            VisibilityTimeout=_HIDDEN_SECONDS,
            MessageSystemAttributeNames=["SentTimestamp"],
        )
        return list(answer.get("Messages", ()))

    def _count(self) -> int:
        answer = self._client.get_queue_attributes(QueueUrl=self._url(), AttributeNames=[_COUNT])
        return int(answer["Attributes"][_COUNT])


def _batched(positions: list[str]) -> Iterator[list[str]]:
    return (positions[start : start + _AT_ONCE] for start in range(0, len(positions), _AT_ONCE))


def _to_message(received: Mapping[str, Any]) -> Message:
    sent = received.get("Attributes", {}).get("SentTimestamp")
    at = int(sent) / 1000 if sent else time.time()
    return Message(received["MessageId"], received["Body"].encode("utf-8", "surrogatepass"), at)
