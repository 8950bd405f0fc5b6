"""Rollback end to end: real files, edits, ingestions, and `git apply` of the patch that comes out."""

import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from metadata_assets.errors import SelectionError, SpecError
from metadata_assets.model.surroundings import Surroundings
from metadata_assets.stages.deployment import Deployment, read_platform
from metadata_assets.stages.rollback import rollback_patches
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.specs import ingest_specs
from metadata_assets.store.codec import to_hash
from metadata_assets.store.pruning import prune
from metadata_assets.store.store import Store

PLATFORM = """\
version: 1
kind: platform
metastore: {type: ddl, path: ddl}
specs: {type: folder, path: all specs}
"""
DOCS = """\
# Our tables.
version: 1
kind: documentation
tables:
  - name: raw.USERS   # from the app
    description: One row a user.
    owner: growth
    terms: [customer]
    meta: {sla: 6, live: true}
    columns:
      - {name: id, description: "Key: never reused"}
      # Written by Ana.
      - {name: COD, description: Code., terms: [code]}
      - name: legacy
        description: null   # on purpose
  - {name: raw.other, description: Other}   # untouched
"""
TAGS = """\
version: 1
kind: tags
tables:
  - name: raw.users
    tags: [tier_1, {name: big, propagate: never}]
    columns: [{name: cpf, tags: [PII_CPF]}]
rules: [{match: "raw.*", tags: [r]}]
"""
GLOSSARY = "version: 1\nkind: glossary\nterms: [{name: customer}, {name: code}]\n"


class Folder:
    """Spec files of a deployment in the working directory."""

    def __init__(self, deployment: Deployment, root: Path) -> None:
        self.deployment, self.root, self.specs = deployment, root, root / "all specs"

    def write(self, name: str, text: str) -> None:
        path = self.specs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())

    def read(self, name: str) -> str:
        return (self.specs / name).read_bytes().decode()

    def ingest(self) -> float:
        ingest_specs(self.deployment, Scope("run"))
        moment = time.time()
        time.sleep(0.002)
        return moment

    def facts(self) -> dict[str, str]:
        found = (
            (kind, self.deployment.store.facts.contents(kind, ["table:raw.users"]))
            for kind in ("documentation", "tags")
        )
        return {kind: to_hash(content) for kind, contents in found for content in contents.values()}

    def patch(self, moment: float) -> str:
        return "".join(rollback_patches(self.deployment, "raw.users", moment).values())

    def roll_back(self, moment: float) -> str:
        patch = self.patch(moment)
        subprocess.run(["git", "apply", "-"], input=patch.encode(), cwd=self.root, check=True)
        self.ingest()
        return patch


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Folder]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    platform = tmp_path / "platform.yaml"
    platform.write_text(PLATFORM)
    store = Store.open(f"sqlite:///{tmp_path / 'store.db'}")
    found = Folder(Deployment(read_platform(platform), Surroundings({}, tmp_path, tmp_path), store), tmp_path)
    found.write("docs.yaml", DOCS)
    found.write("tags.yaml", TAGS)
    found.write("glossary.yaml", GLOSSARY)
    yield found
    store.close()


Edit = Callable[[Folder], None]


def change_fields(folder: Folder) -> None:
    text = DOCS.replace("One row a user.", "|\n      Wrong.\n      Very.").replace("live: true", "live: 1")
    text = text.replace("Key: never reused", "?").replace("terms: [code]", "terms: [customer]")
    folder.write("docs.yaml", text.replace("owner: growth\n", "owner: null  # nobody\n"))
    folder.write("tags.yaml", TAGS.replace("propagate: never", "propagate: always").replace("PII_CPF", "PII_RG"))


def remove_parts(folder: Folder) -> None:
    kept = DOCS.replace("    owner: growth\n", "").replace("    meta: {sla: 6, live: true}\n", "")
    folder.write("docs.yaml", kept.replace('      - {name: id, description: "Key: never reused"}\n', ""))
    folder.write("tags.yaml", TAGS.replace("    columns: [{name: cpf, tags: [PII_CPF]}]\n", ""))


def add_parts(folder: Folder) -> None:
    folder.write("docs.yaml", DOCS.replace("    columns:\n", "    columns:\n      - {name: new, description: New}\n"))
    folder.write("tags.yaml", TAGS.replace("[tier_1, ", "[tier_0, tier_1, tier_2, "))


def remove_entries(folder: Folder) -> None:
    start, end = DOCS.index("  - name: raw.USERS"), DOCS.index("  - {name: raw.other")
    folder.write("docs.yaml", DOCS[:start] + DOCS[end:])
    folder.write("tags.yaml", TAGS[: TAGS.index("tables")] + TAGS[TAGS.index("rules") :])


def declare_absent(folder: Folder) -> None:
    remove_entries(folder)
    folder.write("docs.yaml", folder.read("docs.yaml") + "  - {name: raw.users, state: absent}\n")


def remove_files(folder: Folder) -> None:
    (folder.specs / "docs.yaml").unlink()
    (folder.specs / "tags.yaml").unlink()


def move_entries(folder: Folder) -> None:
    remove_entries(folder)
    head = "version: 1\nkind: documentation\ntables:\n"
    folder.write("moved.yaml", "\ufeff" + head + "  - {name: raw.users, description: Moved}   # é")


def break_entry(folder: Folder) -> None:
    folder.write("docs.yaml", DOCS.replace("owner: growth", "ownr: growth").replace("One row a user.", "yes"))


def write_with_line_feeds_of_windows(folder: Folder) -> None:
    folder.write("docs.yaml", DOCS.replace("One row a user.", "Wrong").replace("\n", "\r\n"))


EDITS = [
    change_fields, remove_parts, add_parts, remove_entries, declare_absent, remove_files, move_entries, break_entry,
    write_with_line_feeds_of_windows,
]  # fmt: skip


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_the_facts_are_again_what_they_were(folder: Folder, edit: Edit) -> None:
    moment = folder.ingest()
    before = folder.facts()
    assert set(before) == {"documentation", "tags"}
    edit(folder)
    folder.ingest()
    versions = len(folder.deployment.store.facts.history("table:raw.users"))
    folder.roll_back(moment)
    assert folder.facts() == before
    assert rollback_patches(folder.deployment, "raw.users", moment) == {}
    assert len(folder.deployment.store.facts.history("table:raw.users")) >= versions, "history is only added to"


def test_what_is_not_rolled_back_stays_as_it_is_written(folder: Folder) -> None:
    moment = folder.ingest()
    edited = DOCS.replace("description: Other}   # untouched", "description: Changed since}   # as it should")
    folder.write("docs.yaml", edited.replace("One row a user.", "Wrong."))
    folder.ingest()
    folder.roll_back(moment)
    assert folder.read("docs.yaml") == edited


def test_the_patch_is_small_and_its_paths_start_at_the_working_directory(folder: Folder) -> None:
    moment = folder.ingest()
    folder.write("docs.yaml", DOCS.replace("One row a user.", "Wrong."))
    patch = folder.patch(moment)
    assert patch.startswith("--- a/all specs/docs.yaml\t\n+++ b/all specs/docs.yaml\t\n@@ ")
    changed = [line for line in patch.splitlines()[2:] if line[:1] in "+-"]
    assert changed == ["-    description: Wrong.", "+    description: One row a user."]


def test_an_entry_that_was_not_there_is_taken_out(folder: Folder) -> None:
    remove_entries(folder)
    folder.write("docs.yaml", DOCS.replace("terms: [customer]", ""))
    moment = folder.ingest()
    folder.write("tags.yaml", TAGS)
    folder.ingest()
    folder.roll_back(moment)
    assert "tags" not in folder.facts()
    assert folder.read("tags.yaml") == TAGS.replace(TAGS[TAGS.index("\n  - name") : TAGS.index("\nrules")], " []")


def test_what_stood_in_a_deleted_file_comes_back_to_it(folder: Folder) -> None:
    folder.write("other.yaml", "version: 1\nkind: documentation\ntables:\n  - {name: raw.third, description: Third}\n")
    moment = folder.ingest()
    remove_files(folder)
    folder.ingest()
    patch = folder.roll_back(moment)
    assert patch.count("--- /dev/null") == 2
    assert "name: raw.users" in folder.read("docs.yaml")
    assert "name: raw.users" in folder.read("tags.yaml")


def test_both_kinds_of_one_deleted_file_come_back_to_it(folder: Folder) -> None:
    remove_files(folder)
    folder.write("sub/both.yaml", DOCS + "---\n" + TAGS)
    moment = folder.ingest()
    (folder.specs / "sub/both.yaml").unlink()
    folder.ingest()
    before = folder.facts()
    folder.roll_back(moment)
    assert before == {}
    assert [line for line in folder.read("sub/both.yaml").splitlines() if line.startswith("kind")] == [
        "kind: documentation",
        "kind: tags",
    ]


def test_a_document_of_its_kind_is_made_in_the_file_where_it_stood(folder: Folder) -> None:
    folder.write("docs.yaml", DOCS + "---\n" + TAGS)
    (folder.specs / "tags.yaml").unlink()
    moment = folder.ingest()
    folder.write("docs.yaml", DOCS)
    folder.ingest()
    folder.roll_back(moment)
    assert folder.read("docs.yaml").startswith(DOCS.rstrip() + "\n---\n")


def test_two_versions_can_be_told_apart(folder: Folder) -> None:
    first = folder.ingest()
    folder.write("docs.yaml", DOCS.replace("One row a user.", "Second."))
    second = folder.ingest()
    folder.write("docs.yaml", DOCS.replace("One row a user.", "Third."))
    folder.ingest()
    folder.roll_back(second)
    assert "Second." in folder.read("docs.yaml")
    folder.roll_back(first)
    assert folder.read("docs.yaml") == DOCS


def test_a_time_as_history_prints_it_means_that_version(folder: Folder) -> None:
    time.sleep(1.05 - time.time() % 1)  # not at the very start of a second, nor at its end
    moment = folder.ingest()
    time.sleep(1.05 - time.time() % 1)
    folder.write("docs.yaml", DOCS.replace("One row a user.", "Second."))
    folder.ingest()
    assert "+    description: One row a user." in folder.patch(float(int(moment)))


def test_nothing_was_known_then(folder: Folder) -> None:
    before = time.time()
    time.sleep(0.002)
    folder.ingest()
    with pytest.raises(SelectionError, match=r"nothing was known at .* raw.users; its specs are known since"):
        rollback_patches(folder.deployment, "raw.users", before)
    with pytest.raises(SelectionError, match="nothing was known"):
        rollback_patches(folder.deployment, "raw.nowhere", time.time())
    with pytest.raises(SelectionError, match="not a table name"):
        rollback_patches(folder.deployment, "users", time.time())


def test_a_pruned_history_is_not_taken_for_an_empty_one(folder: Folder) -> None:
    moment = folder.ingest()
    folder.write("docs.yaml", DOCS.replace("One row a user.", "Second."))
    folder.ingest()
    prune(folder.deployment.store.engine, 0)
    with pytest.raises(SelectionError, match="was pruned: choose a later time"):
        rollback_patches(folder.deployment, "raw.users", moment)


def test_a_file_that_cannot_be_read_is_named(folder: Folder) -> None:
    moment = folder.ingest()
    folder.write("docs.yaml", DOCS + "  - [\n")
    with pytest.raises(SpecError, match=r"docs\.yaml:\d+:\d+: "):
        rollback_patches(folder.deployment, "raw.users", moment)
