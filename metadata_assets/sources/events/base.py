"""What transports of events and decoders of messages have in common."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Literal, Protocol, Self, TypeVar

from metadata_assets.errors import Undecodable
from metadata_assets.model.event import ChangeEvent
from metadata_assets.model.surroundings import Surroundings

T = TypeVar("T")
Hydrate = Literal["metastore", "event"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message as it came.

    `position` says where it was read and is unique in its source: it tells dead letters apart. `received_at` is the
    time that the transport gives (epoch seconds).
    """

    position: str
    payload: bytes | None
    received_at: float
    key: bytes | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a message that its sender cut: piece `index`, counted from 0, of `count`, of the message `of`.

    `join` makes the payload of the whole message from those of all pieces in order; it may raise `Undecodable`.
    """

    of: str
    index: int
    count: int
    join: Callable[[Sequence[bytes]], bytes]


@dataclass(frozen=True, slots=True)
class Decoded:
    """What one message says: change events, and reason → number of things in it that change nothing here.

    `trouble` says what of several things in it could not be read; the message is kept for that, the rest counts.
    """

    events: tuple[ChangeEvent, ...] = ()
    ignored: Mapping[str, int] = field(default_factory=dict)
    trouble: str = ""
    part: Part | None = None

    @staticmethod
    def nothing(reason: str) -> "Decoded":
        return Decoded((), {reason: 1})

    @staticmethod
    def of_each(things: Iterable[T], decode: Callable[[T], "Decoded"], noun: str) -> "Decoded":
        """What several things in one message say, each read by itself: one that cannot be read hurts no other."""
        events: list[ChangeEvent] = []
        ignored: Counter[str] = Counter()
        troubles = []
        for number, thing in enumerate(things, 1):
            try:
                found = decode(thing)
            except Undecodable as error:
                troubles.append(f"{noun} {number}: {error}")
                continue
            events += found.events
            ignored.update(found.ignored)
        more = f" and {len(troubles) - 1} more" if len(troubles) > 1 else ""
        return Decoded(tuple(events), dict(ignored), (troubles[0] + more) if troubles else "")


# Raises `Undecodable`, and whatever else it likes: it is called guarded. The text is the name of the source.
Decoder = Callable[[Message, str], Decoded]


@dataclass(frozen=True, slots=True)
class Limit:
    """How much one poll may take."""

    messages: int = 5_000
    seconds: float = 5.0
    bytes: int = 32 << 20


@dataclass(frozen=True, slots=True)
class Polled:
    """What a poll brought. `cursor` is where the next one starts: it is kept only once the messages are stored.

    `lag` counts the messages that still wait at the source, where it can tell. `gap` says in words why events may have
    been lost before these: then the events that follow are not enough, and everything has to be compared once.
    """

    messages: Sequence[Message]
    cursor: str
    lag: int | None = None
    gap: str = ""


class EventSource(Protocol):
    """A transport. It may raise `Transient` or `Permanent` as a whole, never for one message."""

    def poll(self, cursor: str, limit: Limit) -> Polled:
        """Messages after the cursor. An empty cursor is a first start. Nothing is taken from the source by it."""
        ...

    def acknowledge(self, polled: Polled) -> None:
        """Called once the messages are stored: a queue may forget them now."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class EventSettings(Protocol):
    """What an item of `events` in the platform file becomes."""

    @property
    def name(self) -> str: ...

    @property
    def hydrate(self) -> Hydrate:
        """Where the schema of a changed table comes from: the metastore, or the event itself."""
        ...

    def connect(self, around: Surroundings) -> EventSource: ...

    def decoder(self) -> Decoder:
        """How its messages are read; needs no connection, so that dead letters can be replayed."""
        ...
