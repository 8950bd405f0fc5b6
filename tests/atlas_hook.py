"""Messages as Atlas's Hive hooks send them, for tests: whole, packed, or cut into parts."""

import base64
import gzip
import json
from typing import Any

CREATED_AT = 1_800_000_123.0


def entity(kind: str, name: str) -> dict[str, Any]:
    return {"typeName": kind, "attributes": {"qualifiedName": name, "owner": "etl"}, "guid": "-1", "version": 0}


def reference(kind: str, name: str) -> dict[str, Any]:
    return {"typeName": kind, "uniqueAttributes": {"qualifiedName": name}}


def written(*entities: object, kind: str = "ENTITY_CREATE_V2") -> dict[str, Any]:
    return {"type": kind, "user": "etl", "entities": {"entities": list(entities), "referredEntities": {}}}


def envelope(body: object) -> dict[str, Any]:
    return {
        "source": {"source": "hive_metastore", "version": "2.1.0"},
        "version": {"version": "1.0.0", "versionParts": [1]},
        "msgCompressionKind": "NONE",
        "msgSplitIdx": 1,
        "msgSplitCount": 1,
        "msgSourceIP": "10.0.0.9",
        "msgCreatedBy": "hive",
        "msgCreationTime": int(CREATED_AT * 1000),
        "spooled": False,
        "message": body,
    }


def packed(body: object) -> dict[str, Any]:
    text = base64.b64encode(gzip.compress(json.dumps(body).encode())).decode()
    return envelope(text) | {"msgCompressionKind": "GZIP", "msgId": "m-1"}


def parts_of(body: object, number: int) -> list[dict[str, Any]]:
    """A packed message cut into so many parts, numbered from 0."""
    text = packed(body)["message"]
    step = -(-len(text) // number)
    pieces = [text[start : start + step] for start in range(0, len(text), step)]
    assert len(pieces) == number
    return [packed(body) | {"message": p, "msgSplitIdx": i, "msgSplitCount": number} for i, p in enumerate(pieces)]
