"""Messages of Atlas's Hive hooks: names become ours, other entities and namespaces are passed over."""

import json
from typing import Any

import pytest

from metadata_assets.errors import Undecodable
from metadata_assets.sources.events.atlas_hook import atlas_hook_decoder
from metadata_assets.sources.events.base import Decoded, Message
from tests.atlas_hook import CREATED_AT, entity, envelope, packed, parts_of, reference, written

NOW = 1_800_000_000.0


def decode(fields: object, namespace: str | None = None) -> Decoded:
    payload = fields if isinstance(fields, bytes) else json.dumps(fields).encode()
    return atlas_hook_decoder(namespace)(Message("ATLAS_HOOK/0/5@1", payload, NOW), "atlas")


def told(decoded: Decoded) -> list[tuple[str | None, ...]]:
    return [(e.kind, e.subject, e.previous, e.move) for e in decoded.events]


def updated(kind: str, old: str, new: str) -> dict[str, Any]:
    return {
        "type": "ENTITY_PARTIAL_UPDATE_V2",
        "entityId": reference(kind, old),
        "entity": {"entity": entity(kind, new)},
    }


def deleted(*references: object) -> dict[str, Any]:
    return {"type": "ENTITY_DELETE_V2", "entities": list(references)}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (written(entity("hive_table", "Stays.Guest@prod")), [("table_changed", "table:stays.guest", None, None)]),
        (
            written(entity("hive_db", "stays@prod"), kind="ENTITY_FULL_UPDATE_V2"),
            [("database_changed", "database:stays", None, None)],
        ),
        (
            written(
                entity("hive_column", "stays.guest.email@prod"), entity("hive_storagedesc", "stays.t@prod_storage")
            ),
            [("table_changed", "table:stays.guest", None, None), ("table_changed", "table:stays.t", None, None)],
        ),
        (
            updated("hive_table", "stays.guest@prod", "archive.guest_v2@prod"),
            [("table_renamed", "table:archive.guest_v2", "table:stays.guest", "renamed")],
        ),
        (
            updated("hive_table", "stays.guest@prod", "STAYS.guest@prod"),
            [("table_changed", "table:stays.guest", None, None)],
        ),
        (
            updated("hive_column", "stays.guest.a@prod", "stays.guest.b@prod"),
            [("table_changed", "table:stays.guest", None, None)],
        ),
        (
            deleted(reference("hive_table", "stays.guest@prod"), reference("hive_db", "stays@prod")),
            [
                ("table_dropped", "table:stays.guest", None, "dropped"),
                ("database_dropped", "database:stays", None, None),
            ],
        ),
        (deleted(reference("hive_column", "stays.guest.a@prod")), [("table_changed", "table:stays.guest", None, None)]),
    ],
)
@pytest.mark.parametrize("wrap", [envelope, packed, lambda body: envelope(json.dumps(body))])
def test_what_a_message_says(body: dict[str, Any], expected: list[tuple[str | None, ...]], wrap: Any) -> None:
    decoded = decode(wrap(body), "prod")
    assert told(decoded) == expected
    assert {e.occurred_at for e in decoded.events} == {CREATED_AT}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (written(entity("hive_process", "x"), entity("hive_process", "y")), "an entity that is no table or database"),
        (written({"typeName": "hdfs_path"}), "an entity that is no table or database"),
        (updated("hive_process", "x", "y"), "an entity that is no table or database"),
        (deleted(reference("hive_table", "stays.guest@test")), "of another namespace"),
        (written(entity("hive_storagedesc", "stays.t@test_storage")), "of another namespace"),
        ({"type": "TYPE_CREATE"}, "of a type that changes nothing in the catalog"),
        ({"type": "ENTITY_CREATE", "entities": []}, "of a type that changes nothing in the catalog"),
    ],
)
def test_what_changes_nothing_is_told(body: dict[str, Any], reason: str) -> None:
    decoded = decode(envelope(body), "prod")
    assert (decoded.events, set(decoded.ignored), decoded.trouble) == ((), {reason}, "")


def test_without_a_namespace_all_of_them_count() -> None:
    body = deleted(reference("hive_table", "a.t@one"), reference("hive_table", "b.t@two"))
    assert [e.subject for e in decode(envelope(body)).events] == ["table:a.t", "table:b.t"]


def test_a_bad_entity_hurts_no_other() -> None:
    body = written(
        entity("hive_table", "a.t@prod"), entity("hive_table", "nothing"), entity("hive_table", "b.t@prod"), 7
    )
    decoded = decode(envelope(body))
    assert [e.subject for e in decoded.events] == ["table:a.t", "table:b.t"]
    assert decoded.trouble == (
        "entity 2: the qualifiedName of a hive_table is not one that the hook gives, such as db.table@ns and 1 more"
    )


GOOD = written(entity("hive_table", "a.t@prod"))


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        (b"\xff", "not UTF-8"),
        ({}, "message: missing"),
        (envelope(GOOD) | {"message": 7}, "message"),
        (envelope("no JSON"), "not JSON"),
        (envelope("no base64!") | {"msgCompressionKind": "GZIP"}, "not gzip in base64"),
        (envelope(packed(GOOD)["message"][:-20]) | {"msgCompressionKind": "GZIP"}, "packed"),
        (envelope(GOOD) | {"message": "x", "msgCompressionKind": "ZSTD"}, "msgCompressionKind 'ZSTD' is not known"),
        (parts_of(GOOD, 2)[0] | {"msgId": None}, "a part of a message without msgId"),
        (parts_of(GOOD, 2)[0] | {"msgSplitIdx": 2}, "msgSplitIdx that its msgSplitCount rules out"),
        (parts_of(GOOD, 2)[0] | {"msgSplitCount": 10**9}, "msgSplitCount: less than equal"),
        (parts_of(GOOD, 2)[0] | {"message": GOOD}, "whose body is not text"),
        (envelope({"type": "ENTITY_DELETE_V2"}), "entities: missing"),
    ],
)
def test_what_cannot_be_read_is_told(fields: object, reason: str) -> None:
    with pytest.raises(Undecodable, match=reason):
        decode(fields)


def test_the_parts_of_a_message_make_the_whole() -> None:
    body = written(*(entity("hive_table", f"raw.t{n}@prod") for n in range(30)))
    pieces = [json.dumps(piece).encode() for piece in parts_of(body, 3)]
    parts = [p for p in (decode(piece).part for piece in pieces) if p is not None]
    assert [(p.of, p.index, p.count) for p in parts] == [("m-1", n, 3) for n in range(3)]
    assert told(decode(parts[0].join(pieces))) == told(decode(envelope(body)))
