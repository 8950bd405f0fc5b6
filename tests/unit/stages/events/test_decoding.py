"""Messages cut into parts are read once all parts are there, whichever look brought them; nothing is lost."""

import json
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest
from sqlalchemy import update

from metadata_assets.model.event import ChangeEvent
from metadata_assets.sources.events.base import Decoded, EventSettings, Message
from metadata_assets.sources.kafka.config import KafkaConfig
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.events.intake import store_messages
from metadata_assets.stages.events.replaying import replay
from metadata_assets.store.dead_letters import Choice
from metadata_assets.store.tables import dead_letters
from tests.atlas_hook import entity, envelope, parts_of, written
from tests.memory import World, open_deployment

NOW = 1_700_000_000.0
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
    assert [r.error is None for r in replay(deployment, Choice())] == [False, False]
    assert deployment.store.dead_letters.count() == 2
    store_messages(deployment, ATLAS, [PARTS[2]])
    assert deployment.store.dead_letters.open() == []
    assert waiting(deployment) == TABLES


@pytest.mark.parametrize("look", [1, 2, 3, 4])
def test_parts_that_make_no_message_are_kept_with_the_reason(look: int, deployment: Deployment) -> None:
    broken = json.loads(PARTS[1].payload or b"")
    broken["message"] = broken["message"][:-8]
    arriving = [PARTS[0], Message("p", json.dumps(broken).encode(), NOW), PARTS[2], WHOLE]
    store_messages(deployment, ATLAS, arriving[:look])
    store_messages(deployment, ATLAS, arriving[look:])
    letters = deployment.store.dead_letters.open()
    assert len(letters) == 3
    assert all("packed" in letter.reason or "base64" in letter.reason for letter in letters)
    assert waiting(deployment) == {"table:clean.other"}


@pytest.mark.parametrize("which", [(0,), (1,), (0, 1, 2)])
def test_parts_that_failed_as_a_whole_are_replayed_as_a_whole(which: tuple[int, ...], deployment: Deployment) -> None:
    """As after an update of the decoder: here the broken part is put right in the store."""
    broken = json.loads(PARTS[1].payload or b"")
    broken["message"] = broken["message"][:-8]
    store_messages(deployment, ATLAS, [PARTS[0], Message("p", json.dumps(broken).encode(), NOW), PARTS[2]])
    mended = update(dead_letters).where(dead_letters.c.position == "p").values(payload=PARTS[1].payload)
    with deployment.store.engine.begin() as connection:
        connection.execute(mended)
    ids = [letter.id for letter in deployment.store.dead_letters.listed()]
    replayed = list(replay(deployment, Choice(tuple(ids[n] for n in which))))
    assert [r.error for r in replayed] == [None] * len(which)
    assert deployment.store.dead_letters.count() == 0, "the others went with it"
    assert waiting(deployment) == TABLES


def test_a_message_of_which_a_bit_cannot_be_read_is_applied_and_kept(deployment: Deployment) -> None:
    mixed = written(entity("hive_table", "raw.a@prod"), entity("hive_table", "no name"))
    taken = store_messages(deployment, ATLAS, [Message("p", json.dumps(envelope(mixed)).encode(), NOW)])
    assert taken.outcomes == {"table_changed": 1, "dead letter": 1}
    assert waiting(deployment) == {"table:raw.a"}
    (letter,) = deployment.store.dead_letters.open()
    assert letter.reason.startswith("entity 2: ")
    assert [r.error for r in replay(deployment, Choice())] == [letter.reason]


def test_what_can_be_read_of_a_dead_letter_is_taken_in_and_the_reason_is_the_one_of_now(deployment: Deployment) -> None:
    store_messages(deployment, ATLAS, [Message("p", b"garbage", NOW)])
    (before,) = deployment.store.dead_letters.listed()
    mixed = written(entity("hive_table", "raw.a@prod"), entity("hive_table", "no name"))
    mended = update(dead_letters).values(payload=json.dumps(envelope(mixed)).encode())
    with deployment.store.engine.begin() as connection:
        connection.execute(mended)
    (replayed,) = replay(deployment, Choice())
    (after,) = deployment.store.dead_letters.listed()
    assert waiting(deployment) == {"table:raw.a"}
    assert (before.reason[:8], after.reason[:9], replayed.error) == ("not JSON", "entity 2:", after.reason)


def test_a_message_that_comes_again_and_can_be_read_now_settles_its_dead_letter(deployment: Deployment) -> None:
    store_messages(deployment, ATLAS, [Message(WHOLE.position, b"garbage", NOW)])
    assert deployment.store.dead_letters.count() == 1
    store_messages(deployment, ATLAS, [WHOLE])
    assert deployment.store.dead_letters.count() == 0


def test_each_thing_is_read_by_itself() -> None:
    def decode(thing: int) -> Decoded:
        return Decoded.nothing("odd") if thing % 2 else Decoded((ChangeEvent("requested", "", "", "", 0, 0.0),))

    assert Decoded.of_each(range(5), decode, "thing").ignored == {"odd": 2}
    assert len(Decoded.of_each(range(5), decode, "thing").events) == 3
