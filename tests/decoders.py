"""A source of events that is nothing but a decoder, for tests."""

from dataclasses import dataclass

from metadata_assets.model.event import ChangeEvent
from metadata_assets.model.surroundings import Surroundings
from metadata_assets.sources.events.base import Decoded, Decoder, EventSource, Hydrate, Message


@dataclass(frozen=True)
class OnlyDecoder:
    """Settings of a source without a transport: messages are handed over."""

    read: Decoder
    name: str = "only"
    hydrate: Hydrate = "event"

    def connect(self, around: Surroundings) -> EventSource:
        raise NotImplementedError

    def decoder(self) -> Decoder:
        return self.read


def telling(*events: ChangeEvent) -> OnlyDecoder:
    """A foreign decoder, which checks nothing: message `b"n"` says event n."""

    def _read(message: Message, _source: str) -> Decoded:
        return Decoded((events[int(message.payload or b"")],))

    return OnlyDecoder(_read)


def messages_of(number: int, at: float) -> list[Message]:
    """The messages for `telling`."""
    return [Message(f"m/{n}", str(n).encode(), at) for n in range(number)]
