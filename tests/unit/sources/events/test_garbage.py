"""Whatever a message holds, a decoder answers or says that it cannot be read; nothing else ever comes out of it."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metadata_assets.errors import Undecodable
from metadata_assets.sources.events.apiary import apiary_decoder
from metadata_assets.sources.events.atlas_hook import atlas_hook_decoder
from metadata_assets.sources.events.base import Decoder, Message
from metadata_assets.sources.events.notifications import notification_decoder
from metadata_assets.sources.events.queues import queue_decoder
from metadata_assets.sources.events.requests import requests_decoder
from tests.apiary import created
from tests.atlas_hook import entity, envelope, parts_of, reference, written
from tests.lake import table
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
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


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


@pytest.mark.parametrize("decoder", [d for d, _ in GOOD], ids=["queue", "requests", "atlas_hook", "apiary", "hive_log"])
@given(payload=st.none() | st.binary())
@settings(max_examples=50, deadline=None)
def test_bytes_are_read_or_refused(decoder: Decoder, payload: bytes | None) -> None:
    with pytest.raises(Undecodable):
        decoder(Message("t/0/1@2", payload, 1.8e9), "source")
