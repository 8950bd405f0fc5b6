"""Requests: what is asked for is taken as it is meant, and a field that is wrong is named."""

import json
from typing import Any

import pytest

from metadata_assets.errors import Undecodable
from metadata_assets.model.event import ChangeEvent
from metadata_assets.sources.events.base import Message
from metadata_assets.sources.kafka.config import KafkaConfig

NOW = 1_800_000_000.0
TOPIC = KafkaConfig(type="kafka", topic="requests", format="requests", config={"bootstrap.servers": "kafka:9092"})
GOOD: dict[str, Any] = {
    "version": 1, "id": "req-1", "what": "documentation", "target": {"table": "Raw.Users"}, "reason": "Review",
    "spec_uri": "s3://meta-specs/main/raw.yaml", "requested_by": "lucia", "requested_at": "2026-11-02T09:00:00Z",
}  # fmt: skip


def decode(fields: dict[str, Any]) -> ChangeEvent:
    (event,) = TOPIC.decoder()(Message("requests/0/7@1", json.dumps(fields).encode(), NOW), "kafka").events
    return event


@pytest.mark.parametrize(
    ("target", "subject"),
    [
        ({"table": " Raw.Users "}, "table:raw.users"),
        ({"database": "RAW"}, "database:raw"),
        ({"pattern": "raw.user_*"}, "pattern:raw.user_*"),
        ({"pipeline": "build_user_clean", "table": None}, "pipeline:build_user_clean"),
    ],
)
def test_what_is_asked_for(target: dict[str, str], subject: str) -> None:
    event = decode(GOOD | {"target": target})
    assert (event.kind, event.subject) == ("requested", subject)
    assert event.details == {
        "what": "documentation", "requested_by": "lucia", "requested_at": "1793610000.0", "reason": "Review",
        "spec_uri": "s3://meta-specs/main/raw.yaml",
    }  # fmt: skip


def test_a_request_counts_from_when_it_came_in() -> None:
    event = decode(GOOD | {"requested_at": "2199-01-01T00:00:00Z"})
    assert event.occurred_at == NOW
    assert decode(GOOD).dedupe_id == event.dedupe_id, "its id is what makes it one"


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("version", 2, "version: literal error"),
        ("id", "", "id: string too short"),
        ("what", "coffee", "what: literal error"),
        ("target", "raw.users", "target: "),
        ("target", {}, "target: name exactly one of table, database, pattern, pipeline"),
        ("target", {"table": "raw.users", "database": "raw"}, "target: name exactly one of"),
        ("target", {"tables": "raw.users"}, "target.tables: extra forbidden"),
        ("target", {"table": "users"}, "target.table: not of the form database.table"),
        ("target", {"pattern": "a..b"}, "target.pattern: not of the form"),
        ("target", {"pattern": "a.b.c"}, "target.pattern: not of the form"),
        ("target", {"database": " "}, "target.database: empty"),
        ("requested_by", None, "requested_by: string type"),
        ("requested_at", "soon", "requested_at: datetime"),
        ("reason", 7, "reason: string type"),
    ],
)
def test_a_bad_field_is_named(field: str, value: object, reason: str) -> None:
    with pytest.raises(Undecodable) as caught:
        decode(GOOD | {field: value})
    assert str(caught.value).startswith(reason)


@pytest.mark.parametrize("field", ["version", "id", "what", "target", "requested_by", "requested_at"])
def test_a_field_that_is_missing_is_named(field: str) -> None:
    with pytest.raises(Undecodable, match=f"{field}: missing"):
        decode({k: v for k, v in GOOD.items() if k != field})
