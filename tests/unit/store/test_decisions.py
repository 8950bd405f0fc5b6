"""Decisions of people."""

from metadata_assets.model.claims import Decision
from metadata_assets.store.pruning import prune
from metadata_assets.store.store import Store


def test_the_newest_decision_of_a_tag_and_scope_stands(store: Store) -> None:
    first = Decision("PII_CPF", "raw.users.cpf", "rejected", "looks odd", "ana")
    other = Decision("PII_CPF", "mart.*.doc", "rejected", until="2027-06-30")
    last = Decision("PII_CPF", "raw.users.cpf", "confirmed", "it is one", "rui")
    for decision in (first, other, last):
        store.decisions.record(decision)
    assert store.decisions.standing() == [last, other]


def test_no_age_takes_a_decision_away(store: Store) -> None:
    decision = Decision("PII_CPF", "raw.users.cpf", "confirmed")
    store.decisions.record(decision)
    prune(store.engine, 0)
    assert store.decisions.standing() == [decision]
