"""Messages cut into parts are read once all parts are there, whichever look brought them; nothing is lost."""

import json
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest

from metadata_assets.model.event import ChangeEvent
from metadata_assets.sources.events.base import Decoded, EventSettings, Message
from metadata_assets.sources.kafka.config import KafkaConfig
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.intake import replay, store_messages
from tests.atlas_hook import entity, envelope, parts_of, written
from tests.memory import World, open_deployment

NOW = 1_800_000_000.0
TABLES = {f"table:raw.t{n}" for n in range(40)}
BODY = written(*(entity("hive_table", f"{subject.removeprefix('table:')}@prod") for subject in sorted(TABLES)))
PARTS = [Message(f"ATLAS_HOOK/0/{n}@1", json.dumps(part).encode(), NOW + n) for n, part in enumerate(parts_of(BODY, 3))]
WHOLE = Message(
    "ATLAS_HOOK/0/9@1", json.dumps(envelope(written(entity("hive_table", "clean.other@prod")))).encode(), NOW
)
ATLAS: EventSettings = KafkaConfig(
    type="kafka", name="atlas", topic="ATLAS_HOOK", format="atlas_hook", config={"bootstrap.servers": "kafka:9092"}
)


@pytest.fixture
def deployment(world_name: str, world: World, tmp_path: Path) -> Iterator[Deployment]:
    opened = open_deployment(tmp_path, world_name)
    platform = opened.platform.model_copy(update={"events": (ATLAS,)})
    yield Deployment(platform, opened.around, opened.store)
    opened.store.close()


def waiting(deployment: Deployment) -> set[str]:
    return {w.event.subject for w in deployment.store.inbox.waiting() if w.event.kind == "table_changed"}


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize("cut", [0, 1, 2])
def test_parts_are_put_together_whatever_their_order_and_look(
    order: tuple[int, ...], cut: int, deployment: Deployment
) -> None:
    arriving = [PARTS[n] for n in order]
    store_messages(deployment, ATLAS, [*arriving[:cut], WHOLE])
    assert waiting(deployment) == {"table:clean.other"}, "what is whole does not wait for parts"
    assert deployment.store.dead_letters.count() == cut, "parts that wait are in the store"
    store_messages(deployment, ATLAS, arriving[cut:])
    assert waiting(deployment) == TABLES | {"table:clean.other"}
    assert deployment.store.dead_letters.count() == 0


def test_a_part_that_is_delivered_again_is_no_new_message(deployment: Deployment) -> None:
    for look in ([PARTS[0]], [PARTS[0]], PARTS[1:], [PARTS[2]], PARTS):
        store_messages(deployment, ATLAS, look)
    assert deployment.store.dead_letters.count() == 0
    assert len(deployment.store.inbox.waiting()) == len(TABLES) + 1, "with one for the new database"


def test_a_part_that_waits_says_for_what(deployment: Deployment) -> None:
    store_messages(deployment, ATLAS, PARTS[:2])
    (reason,) = {letter.reason for letter in deployment.store.dead_letters.open()}
    assert reason == "one of 3 parts of the message 'm-1': the others have not come"


def test_replaying_parts_changes_nothing_until_all_are_there(deployment: Deployment) -> None:
    store_messages(deployment, ATLAS, PARTS[:2])
    letters = deployment.store.dead_letters.open()
    assert set(replay(deployment, letters)) == {letter.id for letter in letters}
    assert deployment.store.dead_letters.count() == 2
    store_messages(deployment, ATLAS, [PARTS[2]])
    assert deployment.store.dead_letters.open() == []
    assert waiting(deployment) == TABLES


def test_parts_that_make_no_message_are_kept_with_the_reason(deployment: Deployment) -> None:
    broken = json.loads(PARTS[1].payload or b"")
    broken["message"] = broken["message"][:-8]
    store_messages(deployment, ATLAS, [PARTS[0], Message("p", json.dumps(broken).encode(), NOW), PARTS[2], WHOLE])
    letters = deployment.store.dead_letters.open()
    assert len(letters) == 3
    assert "packed" in letters[0].reason or "base64" in letters[0].reason
    assert waiting(deployment) == {"table:clean.other"}


def test_a_message_of_which_a_bit_cannot_be_read_is_applied_and_kept(deployment: Deployment) -> None:
    mixed = written(entity("hive_table", "raw.a@prod"), entity("hive_table", "no name"))
    taken = store_messages(deployment, ATLAS, [Message("p", json.dumps(envelope(mixed)).encode(), NOW)])
    assert taken.outcomes == {"table_changed": 1, "dead letter": 1}
    assert waiting(deployment) == {"table:raw.a"}
    (letter,) = deployment.store.dead_letters.open()
    assert letter.reason.startswith("entity 2: ")
    assert replay(deployment, [letter]) == {letter.id: letter.reason}


def test_each_thing_is_read_by_itself() -> None:
    def decode(thing: int) -> Decoded:
        return Decoded.nothing("odd") if thing % 2 else Decoded((ChangeEvent("requested", "", "", "", 0, 0.0),))

    assert Decoded.of_each(range(5), decode, "thing").ignored == {"odd": 2}
    assert len(Decoded.of_each(range(5), decode, "thing").events) == 3
