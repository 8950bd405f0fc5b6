"""Specs become facts; a slip of the pen in a file is never taken for a withdrawal."""

from metadata_assets.model.counts import Counts
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
    assert (counts.written, dict(counts.errors)) == (1, {"a.yaml:1": "larger than 16 MiB"})
    assert described(deployment) == {"a.t": "x", "b.t": "y"}


def test_taking_away_what_is_not_there_is_neither_written_nor_unchanged(deployment: Deployment, world: World) -> None:
    world.specs.files = {"a.yaml": document("{name: a.one, description: One}", "{name: a.old, state: absent}")}
    counts = ingest(deployment)["documentation"]
    assert (counts.written, counts.unchanged, dict(counts.skipped)) == (1, 0, {"absent_already": 1})
