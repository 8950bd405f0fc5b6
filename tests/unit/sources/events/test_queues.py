"""Messages of a queue: whatever wraps them, each notice says the same; what is none is told, and hurts nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

from metadata_assets.errors import Undecodable
from metadata_assets.model.event import ChangeEvent
from metadata_assets.sources.events.base import Decoded, Message
from metadata_assets.sources.events.objects import sequence_of
from metadata_assets.sources.events.queues import queue_decoder

EXAMPLES = Path(__file__).parents[4] / "examples/lakehouse/events"
NOW = 1_800_000_000.0
SEQUENCER = "0065A1B2C3D4E5F607"
ALTERED = {
    "protocolVersion": "1.0", "eventType": "ALTER_TABLE", "dbName": "Stays", "tableName": "guest_v2",
    "tableLocation": "s3://lake/stays/guest", "oldTableName": "guest", "oldTableLocation": "s3://lake/stays/guest",
}  # fmt: skip
REQUEST = {
    "version": 1, "id": "r-1", "what": "schema", "target": {"table": "raw.a"}, "requested_by": "ana",
    "requested_at": "2026-11-02T09:00:00Z",
}  # fmt: skip


def record(key: str = "specs/a.yaml", name: str = "ObjectCreated:Put", **more: Any) -> dict[str, Any]:
    place = {"bucket": {"name": "meta-specs"}, "object": {"key": key, "sequencer": SEQUENCER, "versionId": "v1"} | more}
    time = "2026-01-02T03:04:05.678Z"
    return {"eventVersion": "2.1", "eventSource": "aws:s3", "eventTime": time, "eventName": name, "s3": place}


def bridged(kind: str = "Object Created", key: str = "specs/a b+c%.yaml", **more: Any) -> dict[str, Any]:
    detail = {"version": "0", "bucket": {"name": "meta-specs"}, "object": {"key": key, "version-id": "v2"} | more}
    time = "2026-01-02T03:04:05Z"
    return {"version": "0", "id": "e-1", "detail-type": kind, "source": "aws.s3", "time": time, "detail": detail}


def glue(kind: str, account: str = "111111111111", **detail: Any) -> dict[str, Any]:
    found = {"id": "g-1", "detail-type": f"Glue Data Catalog {kind} State Change", "source": "aws.glue"}
    return {**found, "account": account, "time": "2026-01-02T03:04:05Z", "detail": {"databaseName": "Stays"} | detail}


def wrapped(fields: dict[str, Any], identity: str = "sns-1") -> dict[str, Any]:
    notice = {"Type": "Notification", "MessageId": identity, "Timestamp": "2027-01-15T08:00:00.000Z"}
    return notice | {"Message": json.dumps(fields), "Subject": "any", "MessageAttributes": {}}


def decode(fields: object, position: str = "m-1") -> Decoded:
    payload = fields if isinstance(fields, bytes) else json.dumps(fields).encode()
    return queue_decoder()(Message(position, payload, NOW), "sqs")


def told(decoded: Decoded) -> list[tuple[str, ...]]:
    return [(e.kind, e.subject, *((e.move,) if e.move else ())) for e in decoded.events]


ALL = [
    ({"Records": [record()]}, [("object_changed", "object:s3://meta-specs/specs/a.yaml")]),
    ({"Records": [record(name="ObjectRemoved:Delete")]}, [("object_changed", "object:s3://meta-specs/specs/a.yaml")]),
    (
        {"Records": [record(name="LifecycleExpiration:DeleteMarkerCreated")]},
        [("object_changed", "object:s3://meta-specs/specs/a.yaml")],
    ),
    (
        {"Records": [record("a%2Fguest+profile+%C3%A9%2Bx.yaml"), record("b.yaml")]},
        [("object_changed", f"object:s3://meta-specs/{key}") for key in ("a/guest profile é+x.yaml", "b.yaml")],
    ),
    (bridged(), [("object_changed", "object:s3://meta-specs/specs/a b+c%.yaml")]),
    (bridged("Object Deleted"), [("object_changed", "object:s3://meta-specs/specs/a b+c%.yaml")]),
    (ALTERED, [("table_renamed", "table:stays.guest_v2", "renamed")]),
    (ALTERED | {"oldTableName": "GUEST_V2"}, [("table_changed", "table:stays.guest_v2")]),
    (ALTERED | {"oldTableName": None}, [("table_changed", "table:stays.guest_v2")]),
    (ALTERED | {"eventType": "CREATE_TABLE"}, [("table_changed", "table:stays.guest_v2", "created")]),
    (ALTERED | {"eventType": "DROP_TABLE"}, [("table_dropped", "table:stays.guest_v2", "dropped")]),
    *(
        (ALTERED | {"eventType": kind}, [("data_changed", "table:stays.guest_v2")])
        for kind in ("ADD_PARTITION", "ALTER_PARTITION", "DROP_PARTITION", "INSERT")
    ),
    (glue("Table", tableName="Guest", typeOfChange="UpdateTable"), [("table_changed", "table:stays.guest")]),
    (glue("Table", tableName="g", typeOfChange="CreateTable"), [("table_changed", "table:stays.g", "created")]),
    (glue("Table", tableName="g", typeOfChange="DeleteTable"), [("table_dropped", "table:stays.g", "dropped")]),
    (glue("Table", tableName="g", typeOfChange="BatchCreatePartition"), [("data_changed", "table:stays.g")]),
    (glue("Table", tableName="g", typeOfChange="DeleteTableVersion"), [("table_changed", "table:stays.g")]),
    (glue("Table", tableName="g", typeOfChange="NobodyKnows"), [("table_changed", "table:stays.g")]),
    (glue("Database", typeOfChange="CreateDatabase"), [("database_changed", "database:stays")]),
    (glue("Database", typeOfChange="DeleteDatabase"), [("database_dropped", "database:stays")]),
    (
        glue("Database", typeOfChange="BatchDeleteTable", changedTables=["a", "B"]),
        [("table_dropped", "table:stays.a", "dropped"), ("table_dropped", "table:stays.b", "dropped")],
    ),
    (REQUEST, [("requested", "table:raw.a")]),
]


@pytest.mark.parametrize(("fields", "expected"), ALL)
def test_a_notice_says_the_same_bare_and_wrapped(fields: dict[str, Any], expected: list[tuple[str, ...]]) -> None:
    assert told(decode(fields)) == expected
    assert told(decode(wrapped(fields))) == expected
    assert told(decode(fields | {"unknown": {"field": [1]}})) == expected


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"Service": "Amazon S3", "Event": "s3:TestEvent", "Bucket": "meta-specs"}, "a test message of S3"),
        ({"Records": [record(name="ObjectTagging:Put")]}, "an object whose content stays as it was"),
        ({"Records": [{"eventSource": "aws:ses"}]}, "a record of another service"),
        (bridged("Object Tags Added"), "an object whose content stays as it was"),
        (bridged() | {"source": "aws.ec2"}, "an event of another service"),
        (glue("Crawler"), "of a type that changes nothing in the catalog"),
        (ALTERED | {"eventType": "ON_HOLIDAY"}, "of a type that is not known"),
        ({"Type": "SubscriptionConfirmation", "Token": "x"}, "about the subscription of the queue"),
    ],
)
def test_what_changes_nothing_is_told(fields: dict[str, Any], reason: str) -> None:
    assert decode(fields) == Decoded.nothing(reason)
    assert decode(wrapped(fields)) == Decoded.nothing(reason)


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (b"\xff", "not UTF-8"),
        (b"{", "not JSON"),
        (b"[]", "a JSON array instead of an object"),
        ({}, "neither a notification of S3"),
        ({"Records": {}}, "neither a notification of S3"),
        (
            {"Type": "Notification", "Message": "hello", "MessageId": "1", "Timestamp": "2027-01-15T08:00:00Z"},
            "not JSON",
        ),
        ({"Type": "Notification", "Message": "{}"}, "MessageId: missing; Timestamp: missing"),
        (bridged() | {"detail": {}}, "detail.bucket: missing; detail.object: missing"),
        (bridged() | {"time": "yesterday"}, "time: "),
        (glue("Table", typeOfChange="UpdateTable"), "detail.tableName: missing"),
        (ALTERED | {"tableName": ""}, "tableName: "),
        (wrapped(ALTERED) | {"Timestamp": "9999-01-01T00:00:00Z"}, "the time of the event is out of range"),
    ],
)
def test_what_cannot_be_read_is_told_without_its_values(payload: object, reason: str) -> None:
    with pytest.raises(Undecodable, match=reason.replace(".", r"\.")):
        decode(payload)


@pytest.mark.parametrize(
    ("bad", "trouble"),
    [
        (record() | {"eventVersion": "3.0"}, "record 2: eventVersion '3.0': only the second is known"),
        (record("%ff.yaml"), "record 2: s3.object.key: not UTF-8 once its %-escapes are read"),
        (record(sequencer="xyz"), "record 2: s3.object.sequencer: string pattern mismatch"),
        ("text", "record 2: the message: "),
    ],
)
def test_a_bad_record_hurts_no_other(bad: object, trouble: str) -> None:
    decoded = decode({"Records": [record("a.yaml"), bad, record("c.yaml")]})
    assert [e.subject for e in decoded.events] == [f"object:s3://meta-specs/{key}" for key in ("a.yaml", "c.yaml")]
    assert decoded.trouble.startswith(trouble)


def one(fields: dict[str, Any], position: str = "m-1") -> ChangeEvent:
    (event,) = decode(fields, position).events
    return event


def test_the_same_change_of_an_object_is_one_event_however_often_it_is_delivered() -> None:
    direct = one({"Records": [record()]}, "m-1")
    assert one({"Records": [record()]}, "m-2").dedupe_id == direct.dedupe_id
    assert one(wrapped({"Records": [record()]})).dedupe_id == direct.dedupe_id
    assert one({"Records": [record(sequencer="0065A1B2C3D4E5F608")]}).dedupe_id != direct.dedupe_id
    without = {"Records": [record(sequencer=None)] * 2}
    assert len({e.dedupe_id for p in ("m-1", "m-2") for e in decode(without, p).events}) == 4


def test_what_a_topic_delivers_twice_is_one_event() -> None:
    assert one(wrapped(ALTERED), "m-1").dedupe_id == one(wrapped(ALTERED), "m-2").dedupe_id
    assert one(wrapped(ALTERED, "sns-2")).dedupe_id != one(wrapped(ALTERED, "sns-1")).dedupe_id
    assert one(wrapped(ALTERED)).previous == "table:stays.guest"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("0065A1B2C3D4E5F607", "0065A1B2C3E4E5F607"),
        ("0065A1B2C3", "0065A1B2C3D4E5F607"),
        ("0065A1B2C3D4E5F607", "0065A2"),
        ("617f08299329d189", "617f08299329d18b"),
        ("00FF", "01"),
    ],
)
def test_sequencers_of_any_length_compare_as_if_filled_up_on_the_right(older: str, newer: str) -> None:
    assert 0 <= sequence_of(older) < sequence_of(newer) < 1 << 63
    first, second = one({"Records": [record(sequencer=older)]}), one({"Records": [record(sequencer=newer)]})
    assert second.order.is_after(first.order)
    assert not first.order.is_after(second.order)


def test_the_version_of_an_object_is_kept() -> None:
    assert one({"Records": [record()]}).details == {"event": "ObjectCreated:Put", "version_id": "v1"}
    assert one(bridged()).details == {"event": "Object Created", "version_id": "v2"}


def test_the_examples_are_what_their_readme_says() -> None:
    spec, request = ((EXAMPLES / name).read_bytes() for name in ("08-spec-uploaded.json", "09-request.json"))
    uploaded = "object:s3://aluga-metadata/main/documentation/clean_people.yaml"
    assert told(decode(spec)) == [("object_changed", uploaded)]
    assert told(decode(request)) == [("requested", "table:clean.user_clean")]


def test_only_the_wanted_account_of_glue_counts() -> None:
    message = Message("m", json.dumps(glue("Table", tableName="g", typeOfChange="UpdateTable")).encode(), NOW)
    assert len(queue_decoder("111111111111")(message, "sqs").events) == 1
    assert queue_decoder("222222222222")(message, "sqs") == Decoded.nothing("of another catalog")
