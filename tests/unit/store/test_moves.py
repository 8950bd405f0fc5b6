"""Names that a table and its columns had before, from events in whatever order they arrived."""

from dataclasses import replace
from itertools import permutations

import pytest

from metadata_assets.model.event import ChangeEvent, Move
from metadata_assets.store.store import Store


def event(
    order: int, subject: str, move: Move | None, previous: str | None = None, columns: tuple[tuple[str, str], ...] = ()
) -> ChangeEvent:
    before = None if previous is None else f"table:{previous}"
    return ChangeEvent(
        "table_changed", f"table:{subject}", "hms", f"id{order}", order, float(order), numbered=True,
        move=move, previous=before, columns_renamed=columns,
    )  # fmt: skip


def former(store: Store, name: str) -> list[str | None]:
    return [m.previous for m in store.moves.former_names(f"table:{name}")]


HISTORY = [
    event(1, "a.x", "created"),
    event(2, "a.y", "renamed", "a.x"),
    event(3, "a.x", "created"),
    event(4, "b.z", "renamed", "a.y"),
    event(5, "a.y", "renamed", "a.x"),
]


@pytest.mark.parametrize("arrival", list(permutations(range(5)))[::7])
def test_former_names_follow_the_order_of_events_not_of_arrival(store: Store, arrival: tuple[int, ...]) -> None:
    for index in arrival:
        store.inbox.store([HISTORY[index]])
        store.inbox.store([HISTORY[index]])
    assert former(store, "b.z") == ["table:a.y", "table:a.x"]
    assert former(store, "a.y") == ["table:a.x"], "the second a.x, not the first"
    assert former(store, "a.x") == []
    renamed = store.moves.renamed_to(["table:a.x", "table:a.y", "table:b.z", "table:no.such"])
    assert {s: m.subject for s, m in renamed.items()} == {"table:a.x": "table:a.y"}


def test_a_table_that_was_dropped_and_made_again_had_no_name_before(store: Store) -> None:
    store.inbox.store([
        event(1, "a.y", "renamed", "a.x"),
        event(2, "a.y", "dropped"),
        event(3, "a.y", "created"),
    ])  # fmt: skip
    assert former(store, "a.y") == []


def test_renames_that_go_in_a_circle_come_to_an_end(store: Store) -> None:
    """As three events of which each is after the next one: see `EventOrder`."""
    names = ["a.x", "a.y", "a.z"]
    store.inbox.store([
        replace(event(3 - n, names[n], "renamed", names[n - 1], columns=(("c", f"c{n}"),)), occurred_at=n * 3000.0)
        for n in range(3)
    ])  # fmt: skip
    assert [former(store, name) for name in names] == [["table:a.z", "table:a.y"], ["table:a.x"], []]
    assert store.moves.renamed_columns(["table:a.x"]) == {"table:a.x": {"c": "c0"}}
    assert store.moves.later_names(["table:a.x"]) == {"table:a.x": {"table:a.y", "table:a.z"}}


COLUMNS = [
    event(1, "a.x", "created"),
    event(2, "a.x", None, columns=(("mail", "email"),)),
    event(3, "a.y", "renamed", "a.x", columns=(("email", "e_mail"),)),
    event(4, "a.y", None, columns=(("id", "user_id"),)),
    event(5, "a.x", "created"),
    event(6, "a.x", None, columns=(("id", "other"),)),
]


@pytest.mark.parametrize("arrival", list(permutations(range(6)))[::90])
def test_names_of_columns_are_followed_through_renames_of_their_table(store: Store, arrival: tuple[int, ...]) -> None:
    for index in arrival:
        store.inbox.store([COLUMNS[index]])
    found = store.moves.renamed_columns(["table:a.x", "table:a.y", "table:a.none"])
    assert found == {
        "table:a.y": {"mail": "e_mail", "email": "e_mail", "id": "user_id"},
        "table:a.x": {"id": "other"},
    }


def test_a_name_that_comes_back_is_another_columns(store: Store) -> None:
    store.inbox.store([
        event(1, "a.x", None, columns=(("a", "b"),)),
        event(2, "a.x", None, columns=(("b", "c"),)),
        event(3, "a.x", None, columns=(("c", "a"),)),
    ])  # fmt: skip
    assert store.moves.renamed_columns(["table:a.x"]) == {"table:a.x": {"b": "a", "c": "a"}}
