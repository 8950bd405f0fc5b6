"""Dead letters read again: as if they had just come, after an update or once the platform file was put right."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.events.decoding import to_message
from metadata_assets.stages.events.intake import store_messages
from metadata_assets.store.dead_letters import Choice, DeadLetter


@dataclass(frozen=True, slots=True)
class Replayed:
    """A dead letter that was read again, and why it stays dead where it does."""

    letter: DeadLetter
    error: str | None


def replay(deployment: Deployment, choice: Choice) -> Iterator[Replayed]:
    """Read dead letters again, a page at a time. What of them can be read is taken in; the rest stays, with the reason
    as it is now."""
    after = 0
    while letters := deployment.store.dead_letters.open(choice, after=after):
        after = letters[-1].id
        for source in sorted({letter.source for letter in letters}):
            yield from _replay(deployment, source, [letter for letter in letters if letter.source == source])


def _replay(deployment: Deployment, source: str, letters: Sequence[DeadLetter]) -> Iterator[Replayed]:
    settings = next((s for s in deployment.platform.events if s.name == source), None)
    if settings is None:
        why = f"no source of events is named {source!r} in the platform file"
        yield from (Replayed(letter, why) for letter in letters)
        return
    store_messages(deployment, settings, [to_message(letter) for letter in letters])
    ids = tuple(letter.id for letter in letters)
    stays = {d.id: d.reason for d in deployment.store.dead_letters.listed(Choice(ids), most=len(ids))}
    yield from (Replayed(letter, stays.get(letter.id)) for letter in letters)
