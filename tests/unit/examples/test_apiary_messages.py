"""What the relay sends means what the real listener sent of the same changes."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from examples.services.apiary_messages import ApiaryMessage, Entry, Translator, partition_of
from metadata_assets.model.event import ChangeEvent
from metadata_assets.sources.events.apiary import apiary_decoder
from metadata_assets.sources.events.base import Decoded, Message

GOLDEN = Path(__file__).parents[2] / "golden/events"
VERSION = "2.3.10"
# The two were recorded one after the other, so times differ; and an ALTER's environment is not in the log.
# The log does not know that the caller said so.
FAILED = "insert-reported-as-failed"
PARTITIONS = 5  # of the topic that the messages were recorded on
TIMES = frozenset({"createTime", "transient_lastDdlTime"})


def read_lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / f"{name}-{VERSION}.jsonl").read_text().splitlines()]


def read_log() -> list[Entry]:
    return [
        Entry(e["eventId"], e["eventTime"], e["eventType"], e["dbName"], e["tableName"] or "", e["message"])
        for e in read_lines("hms")
    ]


def read_sent() -> list[dict[str, Any]]:
    """What the listener sent of operations that succeeded, and the INSERT that its caller called a failure."""
    return [s for s in read_lines("apiary") if "-fails-" not in s["step"]]


def without_times(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: without_times(v) for k, v in value.items() if k not in TIMES}
    return [without_times(v) for v in value] if isinstance(value, list) else value


@pytest.fixture(scope="module")
def relayed() -> list[ApiaryMessage]:
    translator = Translator(VERSION)
    messages = translator.to_messages(read_log())
    assert translator.refused == {}
    return messages


PAIRS = [pytest.param(number, sample, id=sample["step"]) for number, sample in enumerate(read_sent())]


def test_each_change_has_its_message(relayed: list[ApiaryMessage]) -> None:
    assert [json.loads(m.value)["eventType"] for m in relayed] == [
        json.loads(s["value"])["eventType"] for s in read_sent()
    ]


@pytest.mark.parametrize(("number", "sample"), PAIRS)
def test_the_fields_are_the_listeners(relayed: list[ApiaryMessage], number: int, sample: dict[str, Any]) -> None:
    ours, theirs = json.loads(relayed[number].value), json.loads(sample["value"])
    theirs["environmentContext"] = None
    if sample["step"].endswith(FAILED):
        theirs["status"] = True  # the log does not know
    if theirs["eventType"] == "ON_DROP_PARTITION":  # the log has their values only
        for message in (ours, theirs):
            message["partitions"] = [(sorted(p), p["values"]) for p in message["partitions"]]
    assert without_times(ours) == without_times(theirs)


@pytest.mark.parametrize(("number", "sample"), [p for p in PAIRS if not str(p.id).endswith(FAILED)])
def test_they_mean_the_same(relayed: list[ApiaryMessage], number: int, sample: dict[str, Any]) -> None:
    ours = decoded(relayed[number].value)
    theirs = decoded(sample["value"].encode())
    assert ours == theirs
    assert ours.events


def decoded(value: bytes) -> Decoded:
    found = apiary_decoder()(Message("t/0/0@0", value, 0.0, bytes(8)), "source")
    return Decoded(tuple(map(undated, found.events)), found.ignored)


def undated(event: ChangeEvent) -> ChangeEvent:
    after = None if event.after is None else replace(event.after, created_at=None)
    return replace(event, after=after)


@pytest.mark.parametrize(("number", "sample"), PAIRS)
def test_they_go_to_the_same_partition(relayed: list[ApiaryMessage], number: int, sample: dict[str, Any]) -> None:
    assert partition_of(relayed[number].hashed, PARTITIONS) == sample["partition"]


@pytest.mark.parametrize(
    ("name", "expected"), [("database.table", 1), ("stays.😀", 3), ("a" * 40, 2)], ids=["known", "surrogates", "long"]
)
def test_names_are_hashed_as_java_does(name: str, expected: int) -> None:
    assert partition_of(name, 5) == expected


def test_a_drop_of_a_table_never_seen_has_its_name() -> None:
    drop = Entry(1, 1, "DROP_TABLE", "stays", "never_seen", '{"db": "stays", "table": "never_seen"}')
    (message,) = Translator(VERSION).to_messages([drop])
    table = json.loads(message.value)["table"]
    assert (table["dbName"], table["tableName"], table["sd"], table["createTime"]) == ("stays", "never_seen", None, 0)


def test_an_entry_that_cannot_be_read_hides_no_other() -> None:
    good = next(e for e in read_log() if e.type == "CREATE_TABLE")
    translator = Translator(VERSION)
    messages = translator.to_messages([replace(good, id=1, message="{"), replace(good, id=2)])
    assert [m.event_id for m in messages] == [2]
    assert set(translator.refused) == {1}


def test_only_the_drops_of_a_cascade_are_told_as_part_of_a_transaction(relayed: list[ApiaryMessage]) -> None:
    found = [json.loads(m.value) for m in relayed]
    drops = {
        m["tableName"]: m["parameters"]["HIVE_METASTORE_TRANSACTION_ACTIVE"]
        for m in found
        if "DROP_TABLE" in m["eventType"]
    }
    assert drops == {
        "v_guest": "false",
        "to_drop": "false",
        "guest_profile_v2": "true",
        "in_cascade": "true",
        "upper_t": "true",
    }
