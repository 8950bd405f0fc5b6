"""Specs become facts; a slip of the pen in a file is never taken for a withdrawal."""

from dataclasses import replace
from pathlib import Path

import pytest

from metadata_assets.model.counts import Counts
from metadata_assets.sources.folder.config import FolderConfig
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.specs import held_withdrawals, ingest_specs
from tests.lake import table
from tests.memory import World
from tests.unit.stages.conftest import Line

HEAD = "version: 1\nkind: documentation\ntables:\n"


def document(*entries: str) -> str:
    return HEAD + "".join(f"  - {e}\n" for e in entries)


def ingest(deployment: Deployment) -> dict[str, Counts]:
    counts = ingest_specs(deployment, Scope("run")).counts
    assert all(c.missing == 0 for c in counts.values())
    return counts


def described(deployment: Deployment) -> dict[str, object]:
    contents = deployment.store.facts.contents("documentation")
    return {s.removeprefix("table:"): d.claims[0].value for s, d in contents.items()}


def test_a_deleted_file_withdraws_what_it_said(deployment: Deployment, world: World) -> None:
    world.specs.files = {
        "a.yaml": document("{name: a.one, description: One}"),
        "b.yaml": document("{name: b.two, description: Two}"),
    }
    ingest(deployment)
    del world.specs.files["b.yaml"]
    assert ingest(deployment)["documentation"].written == 1
    assert described(deployment) == {"a.one": "One"}


def test_an_older_file_put_back_rolls_back(deployment: Deployment, world: World) -> None:
    old = document("{name: a.one, description: Old}")
    world.specs.files = {"a.yaml": old}
    ingest(deployment)
    world.specs.files = {"a.yaml": document("{name: a.one, description: New}", "{name: a.two, description: Added}")}
    ingest(deployment)
    world.specs.files = {"a.yaml": old}
    ingest(deployment)
    assert described(deployment) == {"a.one": "Old"}


def test_a_file_that_cannot_be_read_withdraws_nothing(deployment: Deployment, world: World) -> None:
    world.specs.files = {"a.yaml": document("{name: a.one, description: One}", "{name: a.two, description: Two}")}
    ingest(deployment)
    world.specs.files = {"a.yaml": HEAD + "  - {name: a.one, description: [\n"}
    counts = ingest(deployment)["documentation"]
    assert dict(counts.skipped) == {"kept_because_its_file_has_errors": 2}
    assert [place.partition(":")[0] for place in counts.errors] == ["a.yaml"]
    assert described(deployment) == {"a.one": "One", "a.two": "Two"}


def test_an_entry_with_an_error_keeps_its_last_good_version(deployment: Deployment, world: World) -> None:
    world.specs.files = {"a.yaml": document("{name: a.one, description: One}", "{name: a.two, description: Two}")}
    ingest(deployment)
    world.specs.files = {"a.yaml": document("{name: a.one, descripton: Typo}", "{name: a.two, description: Better}")}
    counts = ingest(deployment)["documentation"]
    assert (counts.written, counts.failed, dict(counts.skipped)) == (1, 1, {"kept_because_its_file_has_errors": 1})
    assert described(deployment) == {"a.one": "One", "a.two": "Better"}


def test_text_that_only_moves_in_its_file_changes_nothing(deployment: Deployment, world: World) -> None:
    world.specs.files = {"a.yaml": document("{name: a.one, description: One}")}
    ingest(deployment)
    world.specs.files = {"a.yaml": "# a comment\n\n" + document("{name: a.one, description: One}")}
    assert ingest(deployment)["documentation"].written == 0
    claim = deployment.store.facts.contents("documentation")["table:a.one"].claims[0]
    assert claim.place == "a.yaml:6"


def test_only_entries_that_a_change_speaks_of_are_marked(deployment: Deployment, world: World, line: Line) -> None:
    world.metastore.add(table("a.one"), table("a.two"))
    world.specs.files = {"a.yaml": document("{name: a.one, description: One}", "{name: a.two, description: Two}")}
    line()
    world.specs.files = {"a.yaml": document("{name: a.one, description: Uno}", "{name: a.two, description: Two}")}
    ingest(deployment)
    assert set(deployment.store.work.pending()) == {"table:a.one"}


def test_a_tag_rule_marks_every_table_that_it_names(deployment: Deployment, world: World, line: Line) -> None:
    world.metastore.add(table("a.one", "email string"), table("b.two", "email string"))
    line()
    world.specs.files = {"t.yaml": 'version: 1\nkind: tags\nrules:\n  - {match: "a.*.email", tags: [PII_EMAIL]}\n'}
    ingest(deployment)
    assert set(deployment.store.work.pending()) == {"table:a.one"}


def _folder(name: str, number: int) -> dict[str, str]:
    return {f"{name}/{i}.yaml": document(f"{{name: {name}.t{i}, description: Text {i}}}") for i in range(number)}


def test_a_folder_of_specs_that_is_gone_is_held_back_until_somebody_means_it(
    deployment: Deployment, world: World
) -> None:
    world.specs.files = _folder("a", 11) | _folder("b", 5)
    ingest(deployment)
    world.specs.files = _folder("b", 5)
    for _ in range(2):
        counts = ingest(deployment)["documentation"]
        assert (counts.written, dict(counts.skipped)) == (0, {"withdrawal_held_back": 11})
        assert len(described(deployment)) == 16
        told = "11 documented tables no longer written: 11 tables would change, at most 10 may at once"
        assert held_withdrawals(deployment.store) == {"documentation": told}
    absent = document(*(f"{{name: a.t{i}, state: absent}}" for i in range(11)))
    world.specs.files = _folder("b", 5) | {"gone.yaml": absent}
    assert ingest(deployment)["documentation"].written == 11
    assert (len(described(deployment)), held_withdrawals(deployment.store)) == (5, {})


def test_a_file_that_cannot_be_read_keeps_what_it_said_and_hurts_no_other(deployment: Deployment, world: World) -> None:
    world.specs.files = {name: document(f"{{name: {name[0]}.t, description: x}}") for name in ("a.yaml", "b.yaml")}
    ingest(deployment)
    world.specs.unreadable = {"a.yaml": "larger than 16 MiB"}
    world.specs.files["b.yaml"] = document("{name: b.t, description: y}")
    counts = ingest(deployment)["documentation"]
    assert (counts.written, dict(counts.errors)) == (1, {"a.yaml:1:1": "larger than 16 MiB"})
    assert described(deployment) == {"a.t": "x", "b.t": "y"}


def test_taking_away_what_is_not_there_is_neither_written_nor_unchanged(deployment: Deployment, world: World) -> None:
    world.specs.files = {"a.yaml": document("{name: a.one, description: One}", "{name: a.old, state: absent}")}
    counts = ingest(deployment)["documentation"]
    assert (counts.written, counts.unchanged, dict(counts.skipped)) == (1, 0, {"absent_already": 1})


GLOSSARY = """\
version: 1
kind: glossary
categories:
  - {name: person}
  - {name: a, parent: b}
  - {name: b, parent: a}
  - {name: below, parent: a}
terms:
  - {name: customer, category: person}
  - {name: lead, category: persn}
  - {name: deep, category: below}
  - {name: Customer, description: again}
"""


def test_what_check_refuses_of_a_glossary_is_not_published_and_the_rest_is(
    deployment: Deployment, world: World, line: Line
) -> None:
    world.metastore.add(table("a.one"))
    world.specs.files = {"g.yaml": GLOSSARY}
    counts = line()["glossary"]
    assert (counts.listed, counts.written, counts.missing) == (8, 2, 0)
    circle = "is a part of itself (take `parent` from one of the categories in the circle)"
    below = "which it belongs to, has an error of its own (mend that first, in"
    twice = (
        "the term 'Customer' is defined twice, first in g.yaml:9 (keep one of the two entries, and join what they say)"
    )
    assert counts.errors == {
        "g.yaml:5:5 a": f"the category 'a' {circle}",
        "g.yaml:6:5 b": f"the category 'b' {circle}",
        "g.yaml:7:5 below": f"the category 'a', {below} g.yaml:5)",
        "g.yaml:10:5 lead": "the category 'persn' is not defined (did you mean 'person'?)",
        "g.yaml:11:5 deep": f"the category 'below', {below} g.yaml:7)",
        "g.yaml:12:5 customer": twice,
    }
    facts = deployment.store.facts
    assert (list(facts.contents("category")), list(facts.contents("term"))) == (["category:person"], ["term:customer"])


def test_a_glossary_entry_keeps_its_last_good_version(deployment: Deployment, world: World) -> None:
    good = "version: 1\nkind: glossary\ncategories: [{name: person}]\nterms:\n  - {name: t, category: person}\n"
    world.specs.files = {"g.yaml": good}
    ingest(deployment)
    world.specs.files = {"g.yaml": good.replace("category: person", "category: persn")}
    counts = ingest(deployment)["glossary"]
    assert (counts.failed, dict(counts.skipped)) == (1, {"kept_because_its_file_has_errors": 1})
    assert deployment.store.facts.contents("term")["term:t"].category == "person"


BROKEN = {
    "said by the file": ("x.yaml", "version: 1\nkind: lineage\njobs: [\n", {"declared_lineage"}),
    "several": ("x.yaml", "kind: glossary\n---\nkind: tags\n  bad: [\n", {"glossary", "tags"}),
    "said by the folder": ("tags/deep/x.yaml", "\xff\udcff", {"tags"}),
    "nobody knows": ("x.yaml", "[", {"documentation"}),
}


@pytest.mark.parametrize(("path", "text", "assets"), BROKEN.values(), ids=BROKEN)
def test_an_unreadable_file_counts_where_it_belongs(
    deployment: Deployment, world: World, path: str, text: str, assets: set[str]
) -> None:
    world.specs.files = {path: text}
    counts = ingest(deployment)
    assert {asset for asset, c in counts.items() if c.failed} == assets
    assert all(place.count(":") == 2 for asset in assets for place in counts[asset].errors)


def test_an_unreadable_file_counts_as_what_it_was_before(deployment: Deployment, world: World) -> None:
    world.specs.files = {"x.yaml": GLOSSARY.partition("terms:")[0].replace(", parent: b", "")}
    ingest(deployment)
    world.specs.unreadable = {"x.yaml": "larger than 16 MiB"}
    assert {asset for asset, c in ingest(deployment).items() if c.failed} == {"glossary"}


def test_failures_say_what_check_says(deployment: Deployment, world: World) -> None:
    world.specs.files = {"a.yaml": document("{name: a.one, descripton: Typo}")}
    ingested = ingest_specs(deployment, Scope("run"))
    ((place, text),) = ingested.counts["documentation"].errors.items()
    (finding,) = ingested.specs.errors
    assert str(finding) == f"{place.removesuffix(' a.one')}: {text}"
    assert finding.hint in text


def test_a_rule_that_matches_no_table_is_a_warning(deployment: Deployment, world: World, line: Line) -> None:
    rule = "  - {match: '%s', tags: [T]}\n"
    matches = ("raw.*", "row.*", "raw.*.id", "raw.*.idd")
    world.specs.files = {"r.yaml": "version: 1\nkind: tags\nrules:\n" + "".join(rule % m for m in matches)}
    assert ingest_specs(deployment, Scope("run")).specs.findings == (), "no table is known yet"
    world.metastore.add(table("raw.users"))
    line()
    told = [f"{f.severity} {f.message}" for f in ingest_specs(deployment, Scope("run")).specs.findings]
    assert told == ["warning the rule 'row.*' matches nothing", "warning the rule 'raw.*.idd' matches nothing"]


def test_links_that_are_left_out_are_warnings(deployment: Deployment, tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/gone.yaml").symlink_to("nowhere.yaml")
    (tmp_path / "specs/loop.yaml").symlink_to("loop.yaml")
    settings = FolderConfig(type="folder", path="specs")
    found = ingest_specs(
        replace(deployment, platform=deployment.platform.model_copy(update={"specs": settings})), Scope("run")
    )
    told = "a link that leads nowhere or in a circle: it is left out"
    assert [(f.file, f.severity, f.message) for f in found.specs.findings] == [
        ("gone.yaml", "warning", told),
        ("loop.yaml", "warning", told),
    ]
