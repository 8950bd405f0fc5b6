"""Never delete on doubt: who may go now, who waits, and who needs a person."""

from dataclasses import dataclass, field

import pytest

from metadata_assets.catalog.deletion import plan_deletions
from metadata_assets.catalog.limits import DeletionPolicy
from metadata_assets.model.table import TableName

GRACE = 100.0
NOW = 1000.0
POLICY = DeletionPolicy(max_tables=50, max_share=0.05, grace=GRACE)


def tables(database: str, number: int) -> set[TableName]:
    return {TableName(database, f"t{i}") for i in range(number)}


@dataclass
class Case:
    """`fresh` are missing since a moment ago, `old` since before the grace; `reported` are confirmed drops."""

    known: dict[str, int]
    reported: set[TableName] = field(default_factory=set)
    old: set[TableName] = field(default_factory=set)
    fresh: set[TableName] = field(default_factory=set)
    policy: DeletionPolicy = POLICY
    now: int = 0
    waiting: int = 0
    held_back: int = 0
    reason: str = ""


CASES = {
    "nothing is missing": Case({"raw": 10}),
    "a reported drop goes at once": Case({"raw": 10}, reported=tables("raw", 1), now=1),
    "an inferred drop waits": Case({"raw": 10}, fresh=tables("raw", 1), waiting=1),
    "an inferred drop goes after its grace": Case({"raw": 10}, old=tables("raw", 1), now=1),
    "both at once": Case({"raw": 10, "b": 9}, tables("b", 2), tables("raw", 3), tables("x", 1), now=5, waiting=1),
    "ten of a small catalog": Case({"raw": 200}, old=tables("raw", 10), now=10),
    "eleven of a small catalog": Case(
        {"raw": 200}, old=tables("raw", 11), held_back=11, reason="11 tables no longer listed, at most 10 may"
    ),
    "the share of a large catalog": Case({"raw": 400}, old=tables("raw", 20), now=20),
    "more than the share of a large catalog": Case({"raw": 400}, old=tables("raw", 21), held_back=21, reason="20 may"),
    "never more than a batch": Case({"raw": 9000}, old=tables("raw", 51), held_back=51, reason="50 may"),
    "a tiny share is still one table": Case(
        {"raw": 300}, old=tables("raw", 1), policy=DeletionPolicy(50, 0.001, GRACE), now=1
    ),
    "no share is none": Case(
        {"raw": 300}, old=tables("raw", 1), policy=DeletionPolicy(50, 0.0, GRACE), held_back=1, reason="0 may"
    ),
    "a cascade is one deletion": Case({"raw": 500, "tmp": 300}, reported=tables("tmp", 300), now=300),
    "a cascade of 60 with 49 single drops": Case(
        {"raw": 500, "tmp": 60}, reported=tables("tmp", 60) | tables("raw", 49), now=109
    ),
    "a part of a database is no cascade": Case(
        {"raw": 500, "tmp": 61}, reported=tables("tmp", 60), held_back=60, reason="60 reported deletions due"
    ),
    "a database that looks empty is no cascade": Case(
        {"raw": 100, "tmp": 30}, old=tables("tmp", 30), held_back=30, reason="30 tables no longer listed"
    ),
    "a metastore that looks empty": Case(
        {"raw": 3, "b": 2}, old=tables("raw", 3) | tables("b", 2), held_back=5, reason="a broken metastore looks like"
    ),
    "the last tables but one": Case({"raw": 3, "b": 2}, old=tables("raw", 3) | tables("b", 1), now=4),
    "the only table there is": Case({"raw": 1}, old=tables("raw", 1), now=1),
    "all reported one by one": Case({"raw": 5}, reported=tables("raw", 5), now=5),
    "doubt about some keeps no reported drop": Case(
        {"raw": 100, "b": 50}, tables("b", 1), tables("raw", 90), now=1, held_back=90, reason="90 tables"
    ),
    "too many reported drops keep no inferred one": Case(
        {"raw": 300, "b": 300}, tables("raw", 51), tables("b", 2), now=2, held_back=51, reason="51 reported"
    ),
    "a batch has room for both": Case(
        {"raw": 900, "b": 900}, tables("raw", 45), tables("b", 6), now=45, held_back=6, reason="5 may"
    ),
    "deletions are switched off": Case(
        {"raw": 9}, tables("raw", 1), tables("x", 1), policy=DeletionPolicy(0, 0.05, GRACE), held_back=2, reason="0 may"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    case = CASES[name]
    missing = dict.fromkeys(case.reported | case.fresh, NOW - 1) | dict.fromkeys(case.old, NOW - GRACE)
    plan = plan_deletions(missing, frozenset(case.reported), case.known, NOW, case.policy)
    assert (len(plan.now), len(plan.waiting), len(plan.held_back)) == (case.now, case.waiting, case.held_back)
    assert case.reason in plan.reason
    assert bool(plan.reason) == bool(plan.held_back)
    assert plan.now | plan.waiting | plan.held_back == missing.keys()


def test_a_report_of_a_table_that_is_there_deletes_nothing() -> None:
    plan = plan_deletions({}, frozenset(tables("raw", 1)), {"raw": 5}, NOW, POLICY)
    assert (plan.now, plan.waiting, plan.held_back) == (frozenset(), frozenset(), frozenset())


def test_a_share_of_one_leaves_only_the_number() -> None:
    """The way to let many tables of a small catalog go on purpose."""
    missing = {TableName("raw", f"t{i}"): 0.0 for i in range(15)}
    policy = DeletionPolicy(max_tables=50, max_share=1.0, grace=1.0)
    plan = plan_deletions(missing, frozenset(), {"raw": 15, "mart": 5}, 100.0, policy)
    assert plan.now == frozenset(missing)
