"""When events happened: pairs go by number or time, sets have one order, and nobody is ahead of when he was heard."""

from dataclasses import replace
from itertools import combinations, pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from metadata_assets.model.event import ChangeEvent, EventOrder, in_order, received

HOUR = 3600.0
orders = st.builds(EventOrder, st.integers(0, 9), st.booleans(), st.integers(0, 12).map(lambda n: n * HOUR / 3))


def ordered(found: list[EventOrder]) -> list[EventOrder]:
    return in_order(found, lambda o: o)


@given(orders, orders)
def test_of_two_events_one_at_most_is_after_the_other(one: EventOrder, other: EventOrder) -> None:
    assert not (one.is_after(other) and other.is_after(one))


def test_three_events_may_go_in_a_circle() -> None:
    first, second, third = (EventOrder(3 - n, numbered=True, occurred_at=n * 3000.0) for n in range(3))
    assert first.is_after(second)
    assert second.is_after(third)
    assert third.is_after(first)
    assert ordered([first, second, third]) == [third, second, first]


@given(st.lists(orders, unique=True, max_size=8), st.randoms())
def test_a_set_has_one_order_whatever_the_arrangement(found: list[EventOrder], random: object) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # a Random
    # Orders that are equal in all but whether they are numbered stay as they come.
    unique = {(o.key, o.occurred_at): o for o in found}
    assert ordered([o for o in shuffled if o in unique.values()]) == ordered(list(unique.values()))
    assert sorted(map(repr, ordered(found))) == sorted(map(repr, found)), "nothing is lost"


@given(st.lists(orders, unique=True, max_size=8))
def test_what_is_hours_apart_goes_by_time_and_what_is_near_by_number(found: list[EventOrder]) -> None:
    times = sorted({o.occurred_at for o in found})
    gaps = [later for earlier, later in pairwise(times) if later - earlier >= HOUR]
    for one, other in combinations(ordered(found), 2):
        first, last = sorted((one.occurred_at, other.occurred_at))
        if any(first < gap <= last for gap in gaps):
            assert one.occurred_at < other.occurred_at
        elif not gaps and all(o.numbered for o in found):
            assert one.key <= other.key


@given(st.lists(st.tuples(st.integers(0, 40), st.booleans()), max_size=8))
@example([(20, False), (21, False)])
def test_nothing_is_of_a_later_time_than_when_it_was_received(told: list[tuple[int, bool]]) -> None:
    events = [
        ChangeEvent("table_changed", "table:raw.a", "s", str(n), at * 10**9 if not numbered else n, float(at),
                    numbered=numbered)
        for n, (at, numbered) in enumerate(told)
    ]  # fmt: skip
    now = 20.0
    found = received(events, now)
    assert all(e.occurred_at <= now for e in found)
    for before, after in zip(events, found, strict=True):
        assert after == (before if before.occurred_at <= now else replace(
            before, occurred_at=now, order_key=after.order_key
        ))  # fmt: skip
    plain = [(b, a) for b, a in zip(events, found, strict=True) if not b.numbered]
    for (one, one_found), (other, other_found) in combinations(plain, 2):
        if other.order.is_after(one.order):
            assert other_found.order.is_after(one_found.order)
