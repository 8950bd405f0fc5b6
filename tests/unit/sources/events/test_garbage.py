"""Whatever a message holds, a decoder answers or says that it cannot be read; and whatever it answers is stored, or
kept as a dead letter."""

import itertools
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metadata_assets.errors import Undecodable
from metadata_assets.sources.events.apiary import apiary_decoder
from metadata_assets.sources.events.atlas_hook import atlas_hook_decoder
from metadata_assets.sources.events.base import Decoder, Message
from metadata_assets.sources.events.notifications import notification_decoder
from metadata_assets.sources.events.queues import queue_decoder
from metadata_assets.sources.events.requests import requests_decoder
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.events.intake import store_messages
from tests.apiary import created
from tests.atlas_hook import entity, envelope, parts_of, reference, written
from tests.decoders import OnlyDecoder
from tests.lake import table
from tests.memory import World, open_deployment
from tests.unit.sources.events.test_queues import ALL, REQUEST, wrapped

HOOK = [
    envelope(written(entity("hive_table", "a.b@c"))),
    envelope({"type": "ENTITY_DELETE_V2", "entities": [reference("hive_table", "a.b@c")]}),
    envelope(
        {
            "type": "ENTITY_PARTIAL_UPDATE_V2",
            "entityId": reference("hive_table", "a.b@c"),
            "entity": {"entity": entity("hive_table", "a.c@c")},
        }
    ),
    parts_of({"type": "x"}, 2)[0],
]
ENTRY = {"eventId": 1, "eventTime": 2, "eventType": "ALTER_TABLE", "dbName": "a", "tableName": "b", "message": "{}"}
BARE = [fields for fields, _ in ALL]
GOOD: list[tuple[Decoder, list[dict[str, Any]]]] = [
    (queue_decoder(), [*BARE, *(wrapped(fields) for fields in BARE)]),
    (requests_decoder(), [REQUEST]),
    (atlas_hook_decoder("c"), HOOK),
    (apiary_decoder(), [json.loads(created(1, table("a.b"), 1.8e9).payload or b"")]),
    (notification_decoder(), [ENTRY, ENTRY | {"messageFormat": "gzip", "message": "H4sI"}]),
]
# Half a character and a NUL are no text for databases; the rest means something to names, shards or indexes.
LONG = "".join(map(chr, range(0x4E00, 0x5E00)))
NASTY = ["\ud800", "a\x00b", "", " ", "a\nb", "a#1", "a.b.c", "a/../b", "é" * 200, LONG]
TEXTS = st.text(max_size=5) | st.sampled_from(NASTY) | st.sampled_from(NASTY).map("raw.{}@c".format)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


OFFSETS = itertools.count()


@pytest.fixture
def deployment(world_name: str, world: World, tmp_path: Path, store_url: str) -> Iterator[Deployment]:
    opened = open_deployment(tmp_path, world_name, store_url=store_url)
    yield opened
    opened.store.close()


def spoil(value: Any, data: st.DataObject) -> Any:
    """The same with one value somewhere in it replaced by anything, or taken away."""
    if isinstance(value, dict) and value and data.draw(st.booleans()):
        name = data.draw(st.sampled_from(sorted(value)))
        rest = {k: v for k, v in value.items() if k != name}
        return rest if data.draw(st.booleans()) else rest | {name: spoil(value[name], data)}
    if isinstance(value, list) and value and data.draw(st.booleans()):
        return [spoil(value[0], data), *value[1:]]
    return data.draw(VALUES)


@pytest.mark.parametrize(("decoder", "good"), GOOD, ids=["queue", "requests", "atlas_hook", "apiary", "hive_log"])
@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_spoilt_messages_are_read_or_refused(decoder: Decoder, good: list[dict[str, Any]], data: st.DataObject) -> None:
    spoilt = spoil(data.draw(st.sampled_from(good)), data)
    key = data.draw(st.none() | st.binary(min_size=8, max_size=8))
    with suppress(Undecodable):
        decoder(Message("t/0/1@2", json.dumps(spoilt).encode(), 1.8e9, key), "source")


@pytest.mark.parametrize(("decoder", "good"), GOOD, ids=["queue", "requests", "atlas_hook", "apiary", "hive_log"])
@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_spoilt_messages_are_stored_or_kept(
    deployment: Deployment, decoder: Decoder, good: list[dict[str, Any]], data: st.DataObject
) -> None:
    spoilt = [spoil(data.draw(st.sampled_from(good)), data) for _ in range(3)]
    keys = st.none() | st.binary(min_size=8, max_size=8)
    messages = [
        Message(f"t/0/{next(OFFSETS)}@2", json.dumps(fields).encode(), 1.7e9, data.draw(keys)) for fields in spoilt
    ]
    dead = deployment.store.dead_letters.count()
    outcomes = store_messages(deployment, OnlyDecoder(decoder), messages).outcomes
    assert sum(outcomes.values()) > 0, "they became something; parts become one thing"
    assert deployment.store.dead_letters.count() <= dead + outcomes.get("dead letter", 0)
    assert not [d for d in deployment.store.work.shards() if not d.strip() or re.search(r"[\x00-\x1f.#]", d)]


@pytest.mark.parametrize("decoder", [d for d, _ in GOOD], ids=["queue", "requests", "atlas_hook", "apiary", "hive_log"])
@given(payload=st.none() | st.binary())
@settings(max_examples=50, deadline=None)
def test_bytes_are_read_or_refused(decoder: Decoder, payload: bytes | None) -> None:
    with pytest.raises(Undecodable):
        decoder(Message("t/0/1@2", payload, 1.8e9), "source")
