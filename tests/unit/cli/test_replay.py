"""`replay`: lists dead letters by the page, shows, reads again, throws away."""

import json
import os

import pytest

from metadata_assets.sources.events.base import Message
from metadata_assets.stages.deployment import opened
from metadata_assets.stages.events.intake import store_messages
from metadata_assets.stages.notices.notifying import look_for_trouble
from metadata_assets.store import dead_letters
from tests.memory import World
from tests.unit.cli.conftest import Invoke


@pytest.fixture(autouse=True)
def letters(world: World) -> None:
    receive(*range(5))


def receive(*numbers: int) -> None:
    with opened(os.environ) as deployment:
        messages = [Message(f"t/0/{n}", b"garbage \x1b[0m%d" % n, 1_700_000_000.0) for n in numbers]
        store_messages(deployment, deployment.platform.events[0], messages)


def test_they_are_listed_by_the_page_and_without_what_they_hold(invoke: Invoke) -> None:
    listed = invoke("replay", "--json", "--limit", "2")
    assert [json.loads(line)["position"] for line in listed.stdout.splitlines()] == ["t/0/0", "t/0/1"]
    assert "payload" not in listed.stdout
    assert listed.stderr == "there are more: add --after 2\n"
    rest = invoke("replay", "--json", "--after", "2")
    assert len(rest.stdout.splitlines()) == 3
    assert rest.stderr == ""
    assert "not JSON" in invoke("replay").stdout


def test_what_they_hold_is_shown_where_it_is_asked_for(invoke: Invoke) -> None:
    shown = json.loads(invoke("replay", "2", "--show", "--json").stdout)
    assert (shown["payload"], shown["bytes"]) == ("garbage \x1b[0m1", 13)
    assert "\x1b" not in invoke("replay", "2", "--show").stdout


def test_what_cannot_be_read_stays(invoke: Invoke) -> None:
    done = invoke("replay", "--all")
    assert done.exit_code == 1
    assert "0 of 5 dead letters were read" in done.stdout
    assert "1 stays: not JSON" in done.stdout


@pytest.mark.parametrize(
    ("chosen", "number"), [(("1", "3"), 2), (("--all",), 5), (("--reason", "NOT json"), 5), (("--source", "x"), 0)]
)
def test_they_are_thrown_away(chosen: tuple[str, ...], number: int, invoke: Invoke) -> None:
    assert json.loads(invoke("replay", "--discard", *chosen, "--json").stdout) == {"discarded": number}
    assert len(invoke("replay", "--json").stdout.splitlines()) == 5 - number


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (("--discard",), "--discard goes with an ID"),
        (("--discard", "--all", "--show"), "not with --show"),
        (("99",), "no dead letter has the ID 99"),
        (("--discard", "1", "99"), "no dead letter has the ID 99"),
    ],
)
def test_wrong_use_does_nothing(wrong: tuple[str, ...], reason: str, invoke: Invoke) -> None:
    refused = invoke("replay", *wrong)
    assert refused.exit_code == 2
    assert reason in refused.stderr
    assert len(invoke("replay", "--json").stdout.splitlines()) == 5


def test_those_that_had_to_make_room_are_told(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dead_letters, "MOST_LETTERS", 3)
    receive(9)
    told = invoke("status")
    assert "3 dead letters dropped for good: no more than 10,000 letters or 256 MiB are kept" in told.stdout
    assert json.loads(invoke("status", "--json").stdout)["dead_letters_dropped"] == 3
    with opened(os.environ) as deployment:
        look_for_trouble(deployment)
        assert {n.key for n in deployment.store.notices.due("log", 2e9, 10)} == {"dead_letters", "dropped_letters"}
