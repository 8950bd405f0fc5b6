"""Events are stored before anything moves on; what cannot be read is kept, and hurts nothing beside it."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import update

from metadata_assets.errors import Unreachable
from metadata_assets.model.event import ChangeEvent
from metadata_assets.sources.events.base import EventSettings, Limit, Message
from metadata_assets.sources.events.requests import requests_decoder
from metadata_assets.sources.patterns import NamePatterns
from metadata_assets.stages.databases import read_databases
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.events.full_look import settle_full_look, want_full_look, wanted_full_look
from metadata_assets.stages.events.intake import store_messages
from metadata_assets.stages.events.replaying import replay
from metadata_assets.stages.schemas import read_schemas
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.watching import plan_due
from metadata_assets.store.data_changes import DataChange
from metadata_assets.store.dead_letters import Choice
from metadata_assets.store.tables import dead_letters
from metadata_assets.store.work import Work
from tests.apiary import altered, created, dropped, inserted, renamed, statistics
from tests.decoders import OnlyDecoder
from tests.lake import table
from tests.memory import World
from tests.sensing import take_once
from tests.unit.stages.conftest import Line

NOW = 1_700_000_000.0


def source(deployment: Deployment) -> EventSettings:
    return deployment.platform.events[0]


def garbage(position: str, payload: bytes | None = b"\xff") -> Message:
    return Message(position, payload, NOW)


def waiting(deployment: Deployment) -> list[tuple[str, str]]:
    return [(w.event.kind, w.event.subject) for w in deployment.store.inbox.waiting()]


def test_garbage_is_kept_and_what_is_good_beside_it_is_stored(deployment: Deployment) -> None:
    good = created(1, table("raw.a"), NOW)
    taken = store_messages(deployment, source(deployment), [garbage("t/0/1"), good, garbage("t/0/2", b"[]")])
    assert ("table_changed", "table:raw.a") in waiting(deployment)
    assert taken.outcomes == {"table_changed": 1, "dead letter": 2}
    assert [(d.position, d.payload) for d in deployment.store.dead_letters.open()] == [
        ("t/0/1", b"\xff"),
        ("t/0/2", b"[]"),
    ]


def test_the_same_look_twice_stores_nothing_twice(deployment: Deployment) -> None:
    messages = [created(1, table("raw.a"), NOW), garbage("t/0/9")]
    store_messages(deployment, source(deployment), messages)
    before = waiting(deployment)
    again = store_messages(deployment, source(deployment), messages)
    assert waiting(deployment) == before
    assert again.outcomes == {"seen before": 2}, "counted once, however often it is read"
    assert len(deployment.store.dead_letters.open()) == 1


def test_a_table_of_a_new_database_makes_a_shard_first(deployment: Deployment) -> None:
    store_messages(deployment, source(deployment), [created(1, table("fresh.a"), NOW)])
    assert ("database_changed", "database:fresh") in waiting(deployment)
    due = plan_due(deployment.store, [], NOW * 2)
    assert due.first == {"databases"}
    assert set(due.shards) == {"fresh"}


@pytest.mark.parametrize("message", [inserted, statistics])
def test_what_only_data_changed_in_starts_nothing(deployment: Deployment, message: Callable[..., Message]) -> None:
    messages = [message(2, table("raw.a"), NOW + 5), message(1, table("raw.a"), NOW)]
    store_messages(deployment, source(deployment), messages)
    assert waiting(deployment) == []
    assert deployment.store.data_changes.times() == {"table:raw.a": DataChange(NOW + 5)}
    assert plan_due(deployment.store, [], NOW * 2).shards == {}


def test_a_failed_operation_changes_nothing(deployment: Deployment) -> None:
    taken = store_messages(deployment, source(deployment), [created(1, table("raw.a"), NOW, status=False)])
    assert waiting(deployment) == []
    assert taken.outcomes == {"ignored: the operation failed in the metastore": 1}


def test_a_rename_asks_for_both_names(deployment: Deployment) -> None:
    before = table("raw.a")
    store_messages(deployment, source(deployment), [altered(1, before, renamed(before, "clean.b"), NOW)])
    assert [w for w in waiting(deployment) if w[1].startswith("table:")] == [
        ("table_renamed", "table:clean.b"),
        ("table_dropped", "table:raw.a"),
    ]
    assert [m.previous for m in deployment.store.moves.former_names("table:clean.b")] == ["table:raw.a"]


def test_a_database_that_is_dropped_asks_for_its_tables(deployment: Deployment, world: World, line: Line) -> None:
    world.metastore.add(table("raw.a"), table("raw.b"), table("clean.c"))
    line()
    event = ChangeEvent("database_dropped", "database:raw", "memory", "1", 1, NOW)
    from metadata_assets.sources.events.base import Decoded
    from metadata_assets.stages.events.expansion import expand
    from metadata_assets.stages.events.intake import lake_of

    found = expand([Decoded((event,))], lake_of(deployment), "metastore", NOW).events
    assert [(e.kind, e.subject) for e in found] == [
        ("database_dropped", "database:raw"),
        ("table_dropped", "table:raw.a"),
        ("table_dropped", "table:raw.b"),
    ]
    assert len({e.dedupe_id for e in found}) == 3


def test_an_event_is_not_lost_where_the_source_goes_down_later(deployment: Deployment, world: World) -> None:
    world.events.messages = [created(n, table(f"raw.t{n}"), NOW + n) for n in range(5)]
    first = take_once(deployment, source(deployment), "", Limit(messages=2))
    assert (first.cursor, first.lag, world.events.acknowledged) == ("2", 3, 2)
    world.events.down = True
    with pytest.raises(Unreachable):
        take_once(deployment, source(deployment), first.cursor, Limit())
    world.events.down = False
    last = take_once(deployment, source(deployment), first.cursor, Limit())
    assert (last.cursor, last.lag) == ("5", 0)
    assert len([w for w in waiting(deployment) if w[0] == "table_changed"]) == 5


def test_a_gap_asks_for_everything_to_be_compared_once(deployment: Deployment, world: World) -> None:
    world.events.gap = "entries 3 to 9 are gone"
    take_once(deployment, source(deployment), "", Limit())
    wanted = wanted_full_look(deployment.store)
    assert wanted is not None
    assert wanted.why == "memory: entries 3 to 9 are gone"
    assert plan_due(deployment.store, [], NOW * 2).first == {"everything"}
    settle_full_look(deployment.store, wanted.since - 1)
    assert wanted_full_look(deployment.store) is not None, "a look that began before does not answer it"
    settle_full_look(deployment.store, wanted.since + 1)
    assert wanted_full_look(deployment.store) is None


def test_who_asks_for_a_full_look_while_one_is_settled_is_heard(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    want_full_look(deployment.store, "a hole")
    forget = Work.forget_state

    def _asked_before(work: Work, name: str, content: object) -> None:
        want_full_look(deployment.store, "another hole")
        forget(work, name, content)

    monkeypatch.setattr(Work, "forget_state", _asked_before)
    settle_full_look(deployment.store, NOW * 2)
    wanted = wanted_full_look(deployment.store)
    assert wanted is not None
    assert wanted.why == "another hole"


def test_a_dead_letter_that_can_be_read_now_is_taken_in(deployment: Deployment) -> None:
    """As after an update of the decoder: here the message is put right in the store."""
    message = created(1, table("raw.a"), NOW)
    store_messages(deployment, source(deployment), [garbage("t/0/1"), garbage("t/0/2")])
    first, second = deployment.store.dead_letters.open()
    mended = update(dead_letters).where(dead_letters.c.id == first.id)
    with deployment.store.engine.begin() as connection:
        connection.execute(mended.values(payload=message.payload, key=message.key))
    replayed = {r.letter.id: r.error for r in replay(deployment, Choice())}
    assert replayed == {first.id: None, second.id: second.reason}
    assert ("table_changed", "table:raw.a") in waiting(deployment)
    assert [d.position for d in deployment.store.dead_letters.open()] == ["t/0/2"]
    assert deployment.store.dead_letters.count() == 1


def test_a_dead_letter_of_a_source_that_is_no_more_stays(deployment: Deployment) -> None:
    store_messages(deployment, source(deployment), [garbage("t/0/1")])
    gone = Deployment(deployment.platform.model_copy(update={"events": ()}), deployment.around, deployment.store)
    (replayed,) = replay(gone, Choice())
    assert "no source of events is named 'memory'" in str(replayed.error)


def test_a_message_of_thousands_of_partitions_is_read(deployment: Deployment) -> None:
    fields = json.loads(inserted(1, table("raw.a"), NOW).payload or b"")
    partition = {"values": ["2026-01-01"], "sd": {"cols": [{"name": "id", "type": "bigint"}] * 40}}
    fields |= {"eventType": "ON_ADD_PARTITION", "partitions": [partition] * 5000}
    taken = store_messages(deployment, source(deployment), [Message("t/0/1", json.dumps(fields).encode(), NOW)])
    assert taken.outcomes == {"data_changed": 1}


REQUESTS = OnlyDecoder(requests_decoder())


@pytest.mark.parametrize("what", ["schema", "profile"])
@pytest.mark.parametrize(
    ("target", "outcome"),
    [
        ({"table": "raw.a"}, "requested"),
        ({"database": "raw"}, "requested"),
        ({"pattern": "r*.a"}, "requested"),
        ({"database": "none"}, "ignored: a request for what is not in the catalog"),
        ({"pattern": "none.*"}, "ignored: a request for what is not in the catalog"),
        ({"pipeline": "build"}, "ignored: a request for what is not in the catalog"),
        ({"table": "tmp.a"}, "ignored: left out by the patterns of the metastore"),
        ({"database": "tmp"}, "ignored: left out by the patterns of the metastore"),
    ],
)
def test_a_request_is_counted_as_what_became_of_it(
    what: str, target: dict[str, str], outcome: str, deployment: Deployment, world: World, line: Line
) -> None:
    world.metastore.add(table("raw.a"))
    line()
    fields = {
        "version": 1, "id": "r1", "what": what, "target": target, "requested_by": "ana",
        "requested_at": "2026-01-01T00:00:00Z",
    }  # fmt: skip
    metastore = deployment.platform.metastore.model_copy(update={"databases": NamePatterns(exclude=("tmp",))})
    platform = deployment.platform.model_copy(update={"metastore": metastore})
    asked = Deployment(platform, deployment.around, deployment.store)
    taken = store_messages(asked, REQUESTS, [Message("r/0/1@1", json.dumps(fields).encode(), NOW)])
    assert taken.outcomes == {outcome: 1}


def test_outcomes_count_each_thing_once_however_often_it_is_read(deployment: Deployment) -> None:
    before = table("raw.a")
    messages = [
        created(1, before, NOW), created(1, before, NOW), inserted(2, before, NOW), garbage("t/0/9"),
        altered(3, before, renamed(before, "clean.b"), NOW),
    ]  # fmt: skip
    first = store_messages(deployment, source(deployment), messages).outcomes
    assert first == {"table_changed": 1, "seen before": 1, "data_changed": 1, "dead letter": 1, "table_renamed": 1}
    again = store_messages(deployment, source(deployment), messages).outcomes
    assert again == {"seen before": 4, "ignored: no newer change of data than is known": 1}


@pytest.mark.parametrize("numbered", [True, False])
def test_the_clock_of_a_producer_that_is_ahead_freezes_no_table(numbered: bool, deployment: Deployment) -> None:
    """The first look brings a table as of next year, the second one as of now."""
    believing = deployment.platform.events[0].model_copy(update={"hydrate": "event"})
    platform = deployment.platform.model_copy(update={"events": (believing,)})
    ours = Deployment(platform, deployment.around, deployment.store)
    more: dict[str, Any] = {} if numbered else {"parameters": {}}
    year = time.time() + 366 * 86_400
    ahead = [created(n, table("raw.a", f"c{n} int"), year + n, **more) for n in (1, 2)]

    def columns_after(*messages: Message) -> list[str]:
        store_messages(ours, believing, messages)
        read_schemas(ours, ["raw"], Scope("run", everything=False))
        (found,) = ours.store.facts.contents("schema").values()
        return [c.name for c in found.columns]

    assert columns_after(*reversed(ahead)) == ["c2"], "they keep their order among themselves"
    assert columns_after(created(3, table("raw.a", "c3 int"), time.time(), **more)) == ["c3"]
    assert all(w.event.occurred_at <= time.time() for w in ours.store.inbox.waiting())


def test_a_lone_drop_of_what_nobody_knows_is_done_with_and_leaves_no_shard(deployment: Deployment) -> None:
    store_messages(deployment, source(deployment), [dropped(1, table("gone.a"), NOW)])
    for _ in range(3):
        due = plan_due(deployment.store, [], time.time() + 3600)
        if "databases" in due.first:
            read_databases(deployment, Scope("run"))
        if due.shards:
            assert set(due.shards) <= set(deployment.store.work.shards()), "what is due can be asked for"
            read_schemas(deployment, sorted(due.shards), Scope("run", everything=False))
    assert waiting(deployment) == []
    assert deployment.store.work.shards() == {}
