"""Listeners hear every event, and none of them can hold up the catalog, the others or itself for ever."""

from collections.abc import Iterator
from threading import Event

import pytest

from metadata_assets.model.event import ChangeEvent
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.events import listening
from metadata_assets.stages.events.intake import store_messages
from metadata_assets.stages.events.listening import listener_positions, tell_listeners
from metadata_assets.stages.notices.notifying import STALLED_SECONDS, look_for_trouble
from metadata_assets.store.outbox import KEPT_SECONDS
from tests.apiary import created, dropped, inserted
from tests.lake import table

NOW = 1_800_000_000.0
MINE = "tests.unit.stages.events.test_listening:"
HEARD: list[ChangeEvent] = []
RELEASED = Event()


def hear(event: ChangeEvent) -> None:
    HEARD.append(event)


def refuse(event: ChangeEvent) -> None:
    raise ValueError(f"cannot stand {event.subject}")


def leave(event: ChangeEvent) -> None:
    raise SystemExit(event.subject)


def hang(event: ChangeEvent) -> None:
    RELEASED.wait()


@pytest.fixture(autouse=True)
def _silence() -> Iterator[None]:
    HEARD.clear()
    RELEASED.clear()
    yield
    RELEASED.set()
    for call in list(listening._under_way.values()):
        call.wait(10)
    listening._under_way.clear()


def listened(deployment: Deployment, *names: str) -> Deployment:
    platform = deployment.platform.model_copy(update={"listeners": tuple(MINE + n for n in names)})
    return Deployment(platform, deployment.around, deployment.store)


def bring(deployment: Deployment) -> None:
    messages = [created(1, table("raw.a"), NOW), dropped(2, table("raw.b"), NOW), inserted(3, table("raw.a"), NOW)]
    store_messages(deployment, deployment.platform.events[0], messages)


ALL = [("table_changed", "table:raw.a"), ("table_dropped", "table:raw.b"), ("data_changed", "table:raw.a")]


def heard() -> list[tuple[str, str]]:
    return [(e.kind, e.subject) for e in HEARD]


def test_each_event_is_told_once_and_then_forgotten(deployment: Deployment) -> None:
    told = listened(deployment, "hear")
    bring(told)
    assert HEARD == [], "what takes events in calls nobody"
    tell_listeners(told, 5)
    assert heard() == ALL
    assert HEARD[0].after is not None, "a listener sees what the event shows"
    tell_listeners(told, 5)
    assert heard() == ALL
    assert deployment.store.outbox.count_after(0) == 0


def test_without_listeners_nothing_is_kept(deployment: Deployment) -> None:
    bring(deployment)
    assert deployment.store.outbox.count_after(0) == 0


@pytest.mark.parametrize("bad", ["refuse", "leave", "no_such"])
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_one_that_fails_hurts_nobody(deployment: Deployment, bad: str) -> None:
    told = listened(deployment, bad, "hear")
    bring(told)
    failing, well = tell_listeners(told, 5)
    assert heard() == ALL
    assert (well.error, well.waiting, well.failed) == (None, 0, 0)
    assert failing.error is not None
    assert "cannot stand" not in failing.error, "what a listener raises may quote anything"
    assert (failing.failed, failing.waiting) == ((0, 3) if bad == "no_such" else (3, 0))
    look_for_trouble(told)
    assert deployment.store.notices.open_keys("listener:") == {f"listener:{MINE}{bad}"}


def test_one_that_does_not_come_back_holds_up_nobody(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    told = listened(deployment, "hang", "hear")
    bring(told)
    hanging, _ = tell_listeners(told, 0.2)
    assert hanging.busy_since is not None
    tell_listeners(told, 0.2)
    hanging, well = tell_listeners(told, 0.2)
    assert heard() == ALL
    assert (hanging.waiting, well.waiting) == (3, 0)
    assert hanging.busy_since is not None
    later = hanging.busy_since + STALLED_SECONDS + 1
    monkeypatch.setattr("time.time", lambda: later)
    look_for_trouble(told)
    assert deployment.store.notices.open_keys("listener:") == {f"listener:{MINE}hang"}
    RELEASED.set()
    assert [p.waiting for p in tell_listeners(told, 5)] == [0, 0], "it goes on where it was"
    look_for_trouble(told)
    assert deployment.store.notices.open_keys("listener:") == set()


def test_what_waits_for_longer_than_a_week_is_forgotten_and_told(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    told = listened(deployment, "no_such")
    bring(told)
    import time

    later = time.time() + KEPT_SECONDS + 1
    monkeypatch.setattr("time.time", lambda: later)
    tell_listeners(told, 5)
    assert "3 events were kept for a week" in caplog.text
    assert [p.waiting for p in listener_positions(told)] == [0]
