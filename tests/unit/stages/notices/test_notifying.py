"""People are told of each matter once, again where it lasts, and anew where it comes back."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any

import pytest

from metadata_assets.errors import Transient
from metadata_assets.model.notice import Notice, Severity
from metadata_assets.model.surroundings import Surroundings
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.events.intake import Taken
from metadata_assets.stages.events.positions import record_failure, record_look
from metadata_assets.stages.notices import notifying
from metadata_assets.stages.notices.notifying import deliver_notices, look_for_trouble
from metadata_assets.store.dead_letters import BadMessage
from metadata_assets.store.inbox import Arrivals
from metadata_assets.store.notices import REPEAT_SECONDS
from tests.lake import table
from tests.memory import World
from tests.unit.stages.conftest import Line


@dataclass
class Channel:
    name: str = "ops"
    severity: Severity = "warning"
    down: bool = False
    told: list[str] = field(default_factory=list)

    def connect(self, around: Surroundings) -> "Channel":
        return self

    def send(self, notices: Any) -> None:
        if self.down:
            raise Transient("no answer")
        self.told += [n.text for n in notices]


@pytest.fixture
def channel() -> Channel:
    return Channel()


@pytest.fixture
def quiet() -> Channel:
    return Channel("quiet", "error")


@pytest.fixture
def told(deployment: Deployment, channel: Channel, quiet: Channel) -> Deployment:
    platform = deployment.platform.model_copy(update={"notify": (channel, quiet)})
    return Deployment(platform, deployment.around, deployment.store)


def test_a_matter_is_told_once_and_again_after_a_day(
    told: Deployment, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    notice = Notice("breaking:a", "warning", "it breaks")
    for _ in range(3):
        told.store.notices.note([notice])
        deliver_notices(told)
    assert channel.told == ["it breaks"]
    later = time.time() + REPEAT_SECONDS + 1
    monkeypatch.setattr(time, "time", lambda: later)
    deliver_notices(told)
    assert channel.told == ["it breaks"] * 2, "it came up again since it was told"


def test_a_channel_that_is_down_is_told_later_and_holds_up_no_other(
    told: Deployment, channel: Channel, quiet: Channel
) -> None:
    channel.down = True
    told.store.notices.note([Notice("x", "error", "it burns")])
    assert deliver_notices(told) == {"ops": "no answer"}
    assert quiet.told == ["it burns"]
    channel.down = False
    assert deliver_notices(told) == {}
    assert channel.told == ["it burns"]
    assert quiet.told == ["it burns"]


def test_each_channel_takes_what_is_severe_enough(told: Deployment, channel: Channel, quiet: Channel) -> None:
    told.store.notices.note([Notice("w", "warning", "odd"), Notice("i", "info", "fine"), Notice("e", "error", "bad")])
    deliver_notices(told)
    assert sorted(channel.told) == ["bad", "odd"]
    assert quiet.told == ["bad"]


def test_dead_letters_are_told_until_they_are_gone(told: Deployment, channel: Channel) -> None:
    told.store.inbox.take_in(Arrivals(dead=(BadMessage("memory", "1", b"x", "r", 1.0),)))
    look_for_trouble(told)
    deliver_notices(told)
    assert len(channel.told) == 1
    assert "1 messages" in channel.told[0] or "1 message" in channel.told[0]
    told.store.inbox.take_in(Arrivals(source="memory", read=("1",)))
    look_for_trouble(told)
    assert told.store.notices.open_keys("dead_letters") == set()


def test_a_source_that_stays_unreadable_is_told(
    told: Deployment, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    record_failure(told.store, "memory", "no broker answers")
    look_for_trouble(told)
    deliver_notices(told)
    assert channel.told == [], "not at once: it may be back in a minute"
    later = time.time() + notifying.STALLED_SECONDS + 1
    monkeypatch.setattr(time, "time", lambda: later)
    look_for_trouble(told)
    deliver_notices(told)
    assert [t for t in channel.told if "no broker answers" in t] == channel.told
    assert len(channel.told) == 1
    record_look(told.store, "memory", Taken({}, "5", 0))
    look_for_trouble(told)
    assert told.store.notices.open_keys("stalled:") == set()


def _look_on(
    told: Deployment, monkeypatch: pytest.MonkeyPatch, seconds: float, meanwhile: Callable[[], object]
) -> None:
    """Somebody looks for trouble every minute from now on."""
    start = time.time()
    for after in range(0, int(seconds) + 60, 60):
        monkeypatch.setattr(time, "time", partial(float, start + after))
        meanwhile()
        look_for_trouble(told)
        deliver_notices(told)


def test_messages_that_nobody_reads_are_told(
    told: Deployment, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    record_look(told.store, "memory", Taken({"table_changed": 1}, "5", 0))
    _look_on(told, monkeypatch, notifying.STALLED_SECONDS, lambda: None)
    assert len(channel.told) == 1
    assert "memory_events_sensor" in channel.told[0]


def test_a_source_whose_cursor_stands_still_while_messages_wait_is_told(
    told: Deployment, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    _look_on(told, monkeypatch, notifying.STALLED_SECONDS, lambda: record_look(told.store, "memory", Taken({}, "5", 7)))
    assert len(channel.told) == 1
    assert "7 wait" in channel.told[0]


def test_one_that_moves_however_slowly_is_not(
    told: Deployment, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    cursors = map(str, count())

    def _moving() -> None:
        record_look(told.store, "memory", Taken({"table_changed": 1}, next(cursors), 7))

    _look_on(told, monkeypatch, 3 * notifying.STALLED_SECONDS, _moving)
    assert channel.told == []


def test_nothing_is_late_after_a_night_in_which_nobody_looked(
    told: Deployment, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    record_look(told.store, "memory", Taken({}, "5", 7))
    look_for_trouble(told)
    morning = time.time() + 36_000
    monkeypatch.setattr(time, "time", lambda: morning)
    look_for_trouble(told)
    deliver_notices(told)
    assert channel.told == []


JOB = "INSERT OVERWRITE TABLE clean.b SELECT id, name FROM raw.a;"


@pytest.mark.parametrize(
    ("columns", "key", "severity"),
    [
        (("id bigint",), "breaking:raw.a.name:dropped", "error"),
        (("id string", "name string"), "breaking:raw.a.id:changed from bigint to string", "warning"),
        (None, "breaking:raw.a:dropped", "error"),
    ],
)
def test_what_others_are_filled_from_is_told_when_it_breaks(
    deployment: Deployment, world: World, line: Line, columns: tuple[str, ...] | None, key: str, severity: Severity
) -> None:
    world.metastore.add(
        table("raw.a", "id bigint", "name string", "free int"), table("clean.b", "id bigint", "name string")
    )
    world.jobs.files = {"b.sql": JOB}
    line()
    assert deployment.store.notices.open_keys("") == set()
    if columns is None:
        from metadata_assets.model.event import ChangeEvent

        del world.metastore.tables[table("raw.a").name]
        deployment.store.inbox.store([ChangeEvent("table_dropped", "table:raw.a", "t", "1", 1, 0.0)])
    else:
        world.metastore.add(table("raw.a", *columns, "free int"))
    line()
    assert deployment.store.notices.open_keys("") == {key}
    [notice] = deployment.store.notices.due("x", time.time(), 10)
    assert (notice.severity, "clean.b" in notice.text) == (severity, True)


def test_a_column_that_nobody_uses_may_go(deployment: Deployment, world: World, line: Line) -> None:
    world.metastore.add(table("raw.a", "id bigint", "free int"), table("clean.b", "id bigint"))
    world.jobs.files = {"b.sql": "INSERT OVERWRITE TABLE clean.b SELECT id FROM raw.a;"}
    line()
    world.metastore.add(table("raw.a", "id bigint", "more int"))
    line()
    assert deployment.store.notices.open_keys("") == set()
