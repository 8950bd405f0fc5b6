"""From messages to what they say: those that cannot be read are kept as dead letters, and hurt nothing beside them.

A message that its sender cut is put together from its parts. They may come in several looks: until the last one is
there, those that came are dead letters like others, so that nothing is lost, nothing waits, and anybody can see it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from metadata_assets.isolation import guarded
from metadata_assets.sources.events.base import Decoded, Decoder, EventSettings, Message, Part
from metadata_assets.store.dead_letters import BadMessage, DeadLetter, DeadLetters


@dataclass(slots=True)
class Read:
    """What messages say, those that stay unread, and the numbers of dead letters that were read with them."""

    decoded: list[Decoded] = field(default_factory=list)
    dead: list[BadMessage] = field(default_factory=list)
    replayed: set[int] = field(default_factory=set)


def decode_messages(settings: EventSettings, messages: Sequence[Message], letters: DeadLetters) -> Read:
    """Read messages of a source, with parts of theirs that came earlier."""
    decoder = guarded(settings.name, settings.decoder).unwrap()
    read = Read()
    parts: dict[tuple[str, int], dict[int, tuple[Part, Message]]] = {}
    for message in messages:
        found = _decode(decoder, settings.name, message, read)
        if found is not None and found.part is not None:
            parts.setdefault((found.part.of, found.part.count), {})[found.part.index] = (found.part, message)
        elif found is not None:
            read.decoded.append(found)
    for arrived in parts.values():
        _put_together(decoder, settings.name, arrived, letters, read)
    return read


def to_message(letter: DeadLetter) -> Message:
    """A dead letter as the message that it was."""
    return Message(letter.position, letter.payload, letter.received_at, letter.key)


def _decode(decoder: Decoder, source: str, message: Message, read: Read) -> Decoded | None:
    """What a message says; where it cannot be read, or not all of it, it is kept."""
    outcome = guarded("the decoder failed", partial(decoder, message, source))
    if outcome.error is not None:
        read.dead.append(_bad(source, message, str(outcome.error)))
        return None
    found = outcome.unwrap()
    if found.trouble:
        read.dead.append(_bad(source, message, found.trouble))
    return found


def _put_together(
    decoder: Decoder, source: str, arrived: Mapping[int, tuple[Part, Message]], letters: DeadLetters, read: Read
) -> None:
    part, last = list(arrived.values())[-1]
    reason = _reason(part)
    earlier = _earlier(decoder, source, part, letters)
    by_index = {index: message for index, (_, message) in earlier.items()}
    by_index |= {index: message for index, (_, message) in arrived.items()}
    if len(by_index) < part.count:
        read.dead += [_bad(source, message, reason) for _, message in arrived.values()]
        return
    payloads = [by_index[index].payload or b"" for index in range(part.count)]

    def _decode_whole() -> Decoded:
        return decoder(Message(last.position, part.join(payloads), last.received_at, last.key), source)

    outcome = guarded("the decoder failed", _decode_whole)
    trouble = str(outcome.error) if outcome.error is not None else outcome.unwrap().trouble
    if outcome.error is None:
        read.decoded.append(outcome.unwrap())
    if trouble:
        read.dead += [_bad(source, message, trouble) for _, message in arrived.values()]
    else:
        read.replayed |= {letter for letter, _ in earlier.values()}


def _earlier(decoder: Decoder, source: str, part: Part, letters: DeadLetters) -> dict[int, tuple[int, Message]]:
    """Index → the dead letter's number and message, of parts that came before, those of finished messages included:
    a part that comes twice is no new message."""
    found = {}
    for letter in letters.with_reason(source, _reason(part)):
        message = to_message(letter)
        outcome = guarded("the decoder failed", partial(decoder, message, source))
        other = None if outcome.error is not None else outcome.unwrap().part
        if other is not None and other.of == part.of:
            found[other.index] = (letter.id, message)
    return found


def _reason(part: Part) -> str:
    return f"one of {part.count} parts of the message {part.of[:200]!r}: the others have not come"


def _bad(source: str, message: Message, reason: str) -> BadMessage:
    return BadMessage(source, message.position, message.payload or b"", reason, message.received_at, message.key)
