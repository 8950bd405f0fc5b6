"""What specs say no longer may go at once where it reaches few tables, and is held back where it reaches many."""

from dataclasses import replace

import pytest

from metadata_assets.catalog.limits import DELETIONS_IF_SMALL
from metadata_assets.config import Deletion, Policies
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.specs import held_withdrawals, ingest_specs
from metadata_assets.stages.withdrawals import FEW_IF_EMPTIED
from tests.lake import table
from tests.memory import World
from tests.unit.stages.conftest import EVERYTHING, Line, run_line

COPIES = 12  # of one column of raw.users, each in a table of its own


def documents(*names: str) -> str:
    return "version: 1\nkind: documentation\ntables:\n" + "".join(f"  - {{name: {n}, description: x}}\n" for n in names)


def tags(*names: str) -> str:
    head = "version: 1\nkind: tags\ntables:\n"
    return head + "".join(f"  - {{name: {n}, columns: [{{name: code, tags: [INTERNAL]}}]}}\n" for n in names)


def rules(*matches: str, tag: str = "T") -> str:
    return "version: 1\nkind: tags\nrules:\n" + "".join(f"  - {{match: '{m}', tags: [{tag}]}}\n" for m in matches)


@pytest.fixture
def lake(world: World) -> World:
    """raw.users and COPIES of it, and five small tables that are on their own."""
    copies = [f"clean.t{i}" for i in range(COPIES)]
    alone = [f"raw.s{i}" for i in range(5)]
    world.metastore.add(*(table(n, "code string") for n in ("raw.users", *alone, *copies)))
    world.jobs.files = {f"{c}.sql": f"insert overwrite table {c} select code from raw.users" for c in copies}
    world.specs.files = {"doc.yaml": documents(*alone), "tags/users.yaml": tags("raw.users")}
    return world


def tagged(deployment: Deployment) -> int:
    entries = deployment.store.facts.contents("entry").values()
    return sum(any(c.tags for c in entry.columns) for entry in entries)


def relaxed(deployment: Deployment, **deletion: float) -> Deployment:
    policies = Policies(deletion=Deletion.model_validate(deletion))
    return replace(deployment, platform=deployment.platform.model_copy(update={"policies": policies}))


def test_the_last_tags_are_held_back_by_the_tables_that_they_reach(
    deployment: Deployment, lake: World, line: Line
) -> None:
    line()
    line()
    assert tagged(deployment) == 1 + COPIES
    gone = lake.specs.files.pop("tags/users.yaml")
    assert line()["tags"].skipped == {"withdrawal_held_back": 1}
    assert tagged(deployment) == 1 + COPIES
    told = held_withdrawals(deployment.store)["tags"]
    assert (
        told
        == f"1 tagged table no longer written, none is left: {1 + COPIES} tables would change, at most 5 may by that"
    )
    lake.specs.files["tags/users.yaml"] = gone
    assert line()["tags"].unchanged == 1
    assert held_withdrawals(deployment.store) == {}


def test_the_policy_of_deletions_lets_them_go(deployment: Deployment, lake: World, line: Line) -> None:
    line()
    del lake.specs.files["tags/users.yaml"]
    lake.specs.files["doc.yaml"] = documents("raw.s0")
    reached = COPIES + 1 + 4  # with the four tables that are documented no more
    run_line(relaxed(deployment, max_share=1.0, max_tables=reached - 1), EVERYTHING)
    assert set(held_withdrawals(deployment.store)) == {"documentation", "tags"}
    run_line(relaxed(deployment, max_share=1.0, max_tables=reached), EVERYTHING)
    assert (tagged(deployment), held_withdrawals(deployment.store)) == (0, {})


def test_a_file_about_one_table_goes_at_once_whatever_its_tags_reach(
    deployment: Deployment, lake: World, line: Line
) -> None:
    lake.specs.files["doc_users.yaml"] = documents("raw.users")
    lake.specs.files["tags/other.yaml"] = tags("raw.s1")
    line()
    del lake.specs.files["tags/users.yaml"]
    del lake.specs.files["doc_users.yaml"]
    line()
    assert (tagged(deployment), held_withdrawals(deployment.store)) == (1, {})


def test_withdrawals_of_all_kinds_count_together(deployment: Deployment, lake: World, line: Line) -> None:
    half = DELETIONS_IF_SMALL // 2
    lake.specs.files["doc.yaml"] += "".join(f"  - {{name: clean.t{i}, description: x}}\n" for i in range(half))
    lake.specs.files["rules.yaml"] = rules("raw.users", *(f"clean.t{COPIES - 1 - i}" for i in range(half + 1)))
    line()
    lake.specs.files["doc.yaml"] = documents(*(f"raw.s{i}" for i in range(5)))
    lake.specs.files["rules.yaml"] = rules("raw.users")
    line()
    held = held_withdrawals(deployment.store)
    assert set(held) == {"documentation", "tag_rules"}
    assert all("11 tables would change, at most 10 may at once" in reason for reason in held.values())


@pytest.mark.parametrize(("number", "held"), [(FEW_IF_EMPTIED, False), (FEW_IF_EMPTIED + 1, True)])
def test_a_kind_that_was_tried_out_may_be_emptied(
    deployment: Deployment, lake: World, line: Line, number: int, *, held: bool
) -> None:
    lake.specs.files = {"doc.yaml": documents("raw.s0"), "try.yaml": rules(*(f"clean.t{i}" for i in range(number)))}
    line()
    del lake.specs.files["try.yaml"]
    line()
    assert bool(held_withdrawals(deployment.store)) is held


def test_rules_count_by_the_tables_that_they_tag(deployment: Deployment, lake: World, line: Line) -> None:
    lake.specs.files["rules.yaml"] = rules("clean.*", "raw.s1", *(f"raw.nothing{i}" for i in range(20)))
    line()
    lake.specs.files["rules.yaml"] = rules("clean.*", "raw.s1")
    line()
    assert held_withdrawals(deployment.store) == {}  # twenty rules, no table
    lake.specs.files["rules.yaml"] = rules("raw.s1", "raw.s2")
    assert ingest_specs(deployment, Scope("run")).held_back == {}  # as many as before: somebody edits them
    lake.specs.files["rules.yaml"] = rules("raw.s1", "raw.s2", "clean.*")
    line()
    lake.specs.files["rules.yaml"] = rules("raw.s3")
    line()
    assert "2 tag rules" not in str(held_withdrawals(deployment.store))
    kept = {rule.match for rule in deployment.store.facts.contents("tag_rules")["rules"].rules}
    assert kept == {"raw.s1", "raw.s2", "raw.s3", "clean.*"}  # what is new holds beside what is held back


def test_a_declared_job_counts_by_what_is_filled_through_it(deployment: Deployment, lake: World, line: Line) -> None:
    declared = "".join(
        f"      - {{to: raw.s{i}.code, from: [raw.users.code], transform: identity}}\n" for i in range(5)
    )
    lake.jobs.files = {f"{i}.sql": f"insert overwrite table clean.t{i} select code from raw.s0" for i in range(COPIES)}
    lake.specs.files["job.yaml"] = "version: 1\nkind: lineage\njobs:\n  - name: py\n    columns:\n" + declared
    line()
    del lake.specs.files["job.yaml"]
    assert line()["declared_lineage"].skipped == {"withdrawal_held_back": 1}
    assert "17 tables would change" in held_withdrawals(deployment.store)["declared_lineage"]
