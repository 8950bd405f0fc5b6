"""From messages to what they say: those that cannot be read are kept as dead letters, and hurt nothing beside them.

A message that its sender cut is put together from its parts. They may come in several looks: until the last one is
there, those that came are dead letters like others, so that nothing is lost, nothing waits, and anybody can see it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from metadata_assets.isolation import Outcome, guarded
from metadata_assets.sources.events.base import Decoded, Decoder, EventSettings, Message, Part
from metadata_assets.sources.events.checks import checked_events
from metadata_assets.store.dead_letters import BadMessage, DeadLetter, DeadLetters


@dataclass(slots=True)
class Read:
    """What messages say, those that stay unread, and the positions of those of which nothing stays unread."""

    decoded: list[Decoded] = field(default_factory=list)
    dead: list[BadMessage] = field(default_factory=list)
    whole: set[str] = field(default_factory=set)


def decode_messages(settings: EventSettings, messages: Sequence[Message], letters: DeadLetters) -> Read:
    """Read messages of a source, with parts of theirs that came earlier."""
    decoder = guarded(settings.name, settings.decoder).unwrap()
    read = Read()
    parts: dict[str, dict[int, tuple[Part, Message]]] = {}
    for message in messages:
        outcome = _decode(decoder, settings.name, message)
        part = None if outcome.error is not None else outcome.unwrap().part
        if part is not None:
            parts.setdefault(_name_of(part), {})[part.index] = (part, message)
        else:
            _note(outcome, [bad_message(settings.name, message, "")], read)
    for arrived in parts.values():
        _put_together(decoder, settings.name, arrived, letters, read)
    return read


def to_message(letter: DeadLetter) -> Message:
    """A dead letter as the message that it was."""
    return Message(letter.position, letter.payload, letter.received_at, letter.key)


def _decode(decoder: Decoder, source: str, message: Message) -> Outcome[Decoded]:
    return guarded("the decoder failed", lambda: checked_events(decoder(message, source)))


def _note(outcome: Outcome[Decoded], messages: Sequence[BadMessage], read: Read) -> None:
    """What came of reading these messages as one: where it cannot be read, or not all of it, they are kept."""
    found = Decoded(trouble=str(outcome.error)) if outcome.error is not None else outcome.unwrap()
    is_empty = not (found.events or found.ignored or found.trouble)
    read.decoded.append(Decoded.nothing("a message of nothing") if is_empty else found)
    if found.trouble:
        read.dead += [replace(message, reason=found.trouble) for message in messages]
    else:
        read.whole |= {message.position for message in messages}


def _put_together(
    decoder: Decoder, source: str, arrived: Mapping[int, tuple[Part, Message]], letters: DeadLetters, read: Read
) -> None:
    part, last = list(arrived.values())[-1]
    by_index = _earlier(decoder, source, part, letters)
    by_index |= {index: message for index, (_, message) in arrived.items()}
    reason = f"one of {part.count} parts of the message {part.of[:200]!r}: the others have not come"
    pieces = [bad_message(source, message, reason, part) for message in by_index.values()]
    if len(by_index) < part.count:
        read.dead += pieces
        return
    payloads = [by_index[index].payload or b"" for index in range(part.count)]

    def _decode_whole(message: Message, source: str) -> Decoded:
        return decoder(Message(message.position, part.join(payloads), message.received_at, message.key), source)

    _note(_decode(_decode_whole, source, last), pieces, read)


def _earlier(decoder: Decoder, source: str, part: Part, letters: DeadLetters) -> dict[int, Message]:
    """Index → message, of parts that came before, those of finished messages included: a part that comes twice is no
    new message."""
    found = {}
    for letter in letters.parts(source, _name_of(part)):
        message = to_message(letter)
        outcome = guarded("the decoder failed", partial(decoder, message, source))
        other = None if outcome.error is not None else outcome.unwrap().part
        if other is not None and _name_of(other) == _name_of(part):
            found[other.index] = message
    return found


def _name_of(part: Part) -> str:
    """Parts of one message, and only they, have the same."""
    return f"{part.count} parts of {part.of}"


def bad_message(source: str, message: Message, reason: str, part: Part | None = None) -> BadMessage:
    """A message as the dead letter that it becomes."""
    part_of = None if part is None else _name_of(part)
    return BadMessage(
        source, message.position, message.payload or b"", reason, message.received_at, message.key, part_of
    )
