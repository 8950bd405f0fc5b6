"""One message that nobody can keep stops nothing: it becomes a dead letter, and all beside it is stored."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from metadata_assets.model.event import ChangeEvent
from metadata_assets.sources.events.base import Message
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.events.intake import store_messages
from metadata_assets.store.dead_letters import BadMessage
from metadata_assets.store.inbox import Arrivals
from tests.apiary import altered, created
from tests.decoders import messages_of, telling
from tests.lake import table
from tests.memory import World, open_deployment

NOW = 1_700_000_000.0
# Random, so that no database makes them short by packing them.
LONG = "".join(random.Random(7).choices("abcdefghijklmnopqrstuvwxyz0123456789", k=5000))
WIDE = "".join(map(chr, random.Random(7).sample(range(0x20000, 0x2A000), 256)))


@pytest.fixture
def deployment(world_name: str, world: World, tmp_path: Path, store_url: str) -> Iterator[Deployment]:
    found = open_deployment(tmp_path, world_name, hydrate="event", store_url=store_url)
    yield found
    found.store.close()


def named(number: int, database: object, name: object, column: object = "id") -> Message:
    """A table as Apiary tells of it, with any names."""
    message = created(number, table("raw.a"), NOW)
    fields: dict[str, Any] = json.loads(message.payload or b"")
    fields |= {"databaseName": database, "tableName": name}
    fields["table"] |= {"dbName": database, "tableName": name}
    fields["table"]["sd"]["cols"][0]["name"] = column
    return replace(message, payload=json.dumps(fields).encode())


def store(deployment: Deployment, *messages: Message) -> dict[str, int]:
    return dict(store_messages(deployment, deployment.platform.events[0], messages).outcomes)


def tables(deployment: Deployment) -> set[str]:
    return {w.event.subject for w in deployment.store.inbox.waiting() if w.event.kind == "table_changed"}


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (("", "a"), "the name of the database is empty"),
        (("  ", "a"), "the name of the database is empty"),
        (("raw", ""), "the name of the table is empty"),
        (("r\ud800w", "a"), "the name of the database holds a control character, or half of a character"),
        (("raw", "a\udfff"), "the name of the table holds a control character, or half of a character"),
        (("raw\x00", "a"), "the name of the database holds a control character, or half of a character"),
        (("raw", "a\x00"), "the name of the table holds a control character, or half of a character"),
        (("raw\nx", "a"), "the name of the database holds a control character, or half of a character"),
        (("raw", "a\u2028b"), "the name of the table holds a control character, or half of a character"),
        (("raw#1", "a"), "the name of the database holds '.' or '#'"),
        (("raw.x", "a"), "the name of the database holds '.' or '#'"),
        ((LONG, "a"), "the name of the database is longer than 512 bytes"),
        (("raw", LONG), "the name of the table is longer than 512 bytes"),
        (("raw", "a", ""), "the name of the column is empty"),
        (("raw", "a", "i\ud800d"), "the name of the column holds a control character, or half of a character"),
        (("raw", "a", "i\x00d"), "the name of the column holds a control character, or half of a character"),
        (("raw", "a", LONG), "the name of the column is longer than 1024 bytes"),
    ],
)
def test_a_name_that_cannot_be_is_a_dead_letter_and_no_shard(
    names: tuple[str, ...], reason: str, deployment: Deployment
) -> None:
    good = created(9, table("clean.b"), NOW)
    assert store(deployment, named(1, *names), good) == {"table_changed": 1, "dead letter": 1}
    assert [letter.reason for letter in deployment.store.dead_letters.listed()] == [reason]
    assert deployment.store.work.shards() == {"clean": 1}
    assert tables(deployment) == {"table:clean.b"}


def test_names_as_long_as_any_metastore_keeps_them_are_stored(deployment: Deployment) -> None:
    """With all that is kept of them: moves, and renames of columns."""
    before = table(f"{WIDE[:128]}.{WIDE[128:]}", f"{WIDE} string")
    after = table(f"{LONG[:256]}.{LONG[256:512]}", f"{LONG[:767]} string")
    assert store(deployment, created(1, before, NOW), altered(2, before, after, NOW)) == {
        "table_changed": 1, "table_renamed": 1,
    }  # fmt: skip
    assert [m.previous for m in deployment.store.moves.former_names(after.subject)] == [before.subject]
    columns = deployment.store.moves.renamed_columns([after.subject])
    assert columns == {after.subject: {WIDE.lower(): LONG[:767]}}


def test_the_event_and_its_table_have_one_name(deployment: Deployment) -> None:
    event = ChangeEvent("table_changed", "table:raw.a", "only", "1", 1, NOW, after=table("raw.b"))
    taken = store_messages(deployment, telling(event), messages_of(1, NOW))
    assert taken.outcomes == {"dead letter": 1}
    (letter,) = deployment.store.dead_letters.listed()
    assert letter.reason == "the event and the table that it shows have different names"


@pytest.mark.parametrize("place", [0, 3, 6])
def test_what_the_store_refuses_is_one_dead_letter_and_the_rest_is_stored(place: int, deployment: Deployment) -> None:
    events = [ChangeEvent("table_changed", f"table:raw.t{n}", "only", f"id{n}", n, NOW) for n in range(7)]
    events[place] = replace(events[place], details={"why": object()})  # type: ignore[dict-item]  # no JSON
    taken = store_messages(deployment, telling(*events), messages_of(7, NOW))
    assert taken.outcomes == {"table_changed": 6, "dead letter": 1}
    (letter,) = deployment.store.dead_letters.listed()
    assert letter.position == f"m/{place}"
    assert letter.reason == "the store refuses what it says: TypeError"
    assert len(tables(deployment)) == 6
    again = store_messages(deployment, telling(*events), messages_of(7, NOW))
    assert again.outcomes == {"seen before": 7}


def test_what_only_one_database_refuses_is_a_dead_letter_there(deployment: Deployment) -> None:
    odd = ChangeEvent("table_changed", "table:raw.odd", LONG, "odd", 1, NOW, move="created")
    good = ChangeEvent("table_changed", "table:raw.good", "only", "good", 1, NOW)
    store_messages(deployment, telling(good, odd, replace(good, dedupe_id="better")), messages_of(3, NOW))
    refused = ["the store refuses what it says: ProgramLimitExceeded"]
    reasons = [letter.reason for letter in deployment.store.dead_letters.listed()]
    assert reasons == ([] if deployment.store.engine.dialect.name == "sqlite" else refused)
    assert "table:raw.good" in tables(deployment)


def test_a_decoder_that_answers_nonsense_blocks_nothing(deployment: Deployment) -> None:
    events: list[Any] = [
        ChangeEvent("table_changed", "raw.a", "only", "1", 1, NOW),
        ChangeEvent("table_changed", "database:raw", "only", "2", 1, NOW),
        None,
        ChangeEvent("table_changed", "table:raw.a", "only", "4", 1, float("nan")),
        ChangeEvent("table_changed", "table:raw.good", "only", "5", 1, NOW),
    ]
    taken = store_messages(deployment, telling(*events), messages_of(5, NOW))
    assert taken.outcomes == {"table_changed": 1, "dead letter": 4}
    assert tables(deployment) == {"table:raw.good"}


def test_a_store_that_is_busy_makes_no_dead_letters(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object) -> None:
        raise OperationalError("insert", {}, Exception("database is locked"))

    with monkeypatch.context() as patched:
        patched.setattr("metadata_assets.store.inbox.note_moves", busy)
        with pytest.raises(OperationalError):
            store(deployment, created(1, table("raw.a"), NOW))
    assert deployment.store.dead_letters.count() == 0
    assert store(deployment, created(1, table("raw.a"), NOW)) == {"table_changed": 1}


def test_ids_and_places_of_any_length_are_kept_once(deployment: Deployment) -> None:
    events = [ChangeEvent("table_changed", "table:raw.a", "only", LONG + end, 1, NOW) for end in ("1", "2", "1")]
    assert deployment.store.inbox.store(events) == 2
    assert deployment.store.inbox.store(events) == 0
    dead = [BadMessage("only", LONG + end, b"x", "odd", NOW, part_of=LONG) for end in ("1", "2", "1")]
    assert deployment.store.inbox.take_in(Arrivals(dead=tuple(dead))).letters == 2
    assert len(deployment.store.dead_letters.parts("only", LONG)) == 2
    deployment.store.inbox.take_in(Arrivals(source="only", read=[LONG + "1"]))
    assert deployment.store.dead_letters.count() == 1
