"""Dead letters: listed by the page without their bytes, thrown away on purpose, and never more than fit."""

import pytest

from metadata_assets.store import dead_letters
from metadata_assets.store.dead_letters import BadMessage, Choice
from metadata_assets.store.inbox import Arrivals, TakenIn
from metadata_assets.store.store import Store


def keep(store: Store, *positions: int, size: int = 1, reason: str = "Odd 100%") -> TakenIn:
    dead = [BadMessage("kafka" if n % 2 else "sqs", str(n), b"x" * size, reason, float(n)) for n in positions]
    return store.inbox.take_in(Arrivals(dead=tuple(dead)))


def positions(store: Store, choice: Choice = dead_letters.ALL) -> list[str]:
    return [letter.position for letter in store.dead_letters.listed(choice, most=100)]


def test_they_are_listed_by_the_page_without_their_bytes(store: Store) -> None:
    keep(store, *range(5), size=70)
    first = store.dead_letters.listed(most=2)
    assert [(letter.position, letter.size) for letter in first] == [("0", 70), ("1", 70)]
    rest = store.dead_letters.listed(after=first[-1].id, most=100)
    assert [letter.position for letter in rest] == ["2", "3", "4"]
    assert [letter.payload for letter in store.dead_letters.open(most=1)] == [b"x" * 70]


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        (Choice(source="kafka"), ["1", "3"]),
        (Choice(reason="oDD 100%"), ["0", "1", "2", "3"]),
        (Choice(reason="0_%"), []),
        (Choice(ids=(2, 3, 99)), ["1", "2"]),
        (Choice(ids=(2, 3), source="sqs"), ["2"]),
        (Choice(), ["0", "1", "2", "3"]),
    ],
)
def test_they_are_chosen_and_thrown_away(store: Store, choice: Choice, expected: list[str]) -> None:
    keep(store, *range(4))
    assert positions(store, choice) == expected
    assert store.dead_letters.count(choice) == len(expected)
    assert store.dead_letters.discard(choice) == len(expected)
    assert positions(store) == [str(n) for n in range(4) if str(n) not in expected]


def test_the_newest_reason_is_kept_and_what_was_read_stays_read(store: Store) -> None:
    keep(store, 1, 2)
    store.inbox.take_in(Arrivals(source="kafka", read=["1"]))
    assert keep(store, 1, 2, reason="other").letters == 0
    assert [(letter.position, letter.reason) for letter in store.dead_letters.listed()] == [("2", "other")]


def test_beyond_a_number_the_oldest_go_and_those_that_were_read_first(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dead_letters, "MOST_LETTERS", 4)
    keep(store, 1, 2, 3, 4)
    store.inbox.take_in(Arrivals(source="kafka", read=["3"]))
    assert keep(store, 5).dropped == 0, "the one that was read makes room"
    assert positions(store) == ["1", "2", "4", "5"]
    assert keep(store, 6, 7).dropped == 2
    assert positions(store) == ["4", "5", "6", "7"]
    keep(store, 8)
    assert store.dead_letters.dropped() == 3


def test_beyond_a_size_the_oldest_go_and_the_newest_stays_whatever_its_size(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dead_letters, "MOST_BYTES", 100)
    keep(store, 1, 2, 3, size=40)
    assert positions(store) == ["2", "3"]
    keep(store, 4, size=500)
    assert positions(store) == ["4"]
