"""Edits of spec text: each case shows the whole file before and after."""

import pytest

from metadata_assets.errors import SpecError
from metadata_assets.model.table import TableName
from metadata_assets.specs.editing.entries import EditedKind, Entry, holds_kind, new_text, read_entry, set_entry
from metadata_assets.specs.text import SourceText
from tests.unit.specs.editing.fields import with_field, without_field
from tests.unit.specs.files import load, told

USERS, NEW = TableName("raw", "users"), TableName("raw", "new")
BLOCK = """\
# Raw layer.
version: 1
kind: documentation
tables:
  # People.
  - name: raw.USERS   # as the app calls it
    description: 'Old text'   # short
    owner: "team-a"
    meta: {sla: 6, x: y}
    columns:
      - {name: id, description: Key.}
      # kept
      - name: cpf
        description: |
          Two
          lines.

        terms: [a, b]   # both
  - {name: raw.other, description: "Other"}
# the end
"""


def source(text: str) -> SourceText:
    return SourceText("a.yaml", text)


def entry_of(text: str, table: TableName = USERS, kind: EditedKind = "documentation") -> Entry:
    entry = read_entry(source(text), kind, table)
    assert entry is not None
    return entry


def edit(text: str, path: str, value: object) -> str:
    return set_entry(source(text), "documentation", USERS, with_field(entry_of(text), path, value))


def drop(text: str, path: str) -> str:
    return set_entry(source(text), "documentation", USERS, without_field(entry_of(text), path))


@pytest.mark.parametrize(
    ("path", "value", "old", "new"),
    [
        ("description", "New: text", "'Old text'", '"New: text"'),
        ("description", "Plain text, as is", "'Old text'", "Plain text, as is"),
        ("description", None, "'Old text'", "null"),
        ("description", "two\nlines", "'Old text'", '"two\\nlines"'),  # a comment follows on the line
        ("owner", "yes", '"team-a"', '"yes"'),
        ("owner", "two\nlines\n", '"team-a"', "|\n      two\n      lines"),
        ("terms", ["x"], '"team-a"\n', '"team-a"\n    terms: [x]\n'),
        ("meta.sla", 7, "sla: 6", "sla: 7"),
        ("meta.x", "1_000", "x: y", 'x: "1_000"'),
        ("meta.new", 1.5e-7, "x: y}", "x: y, new: 1.5e-07}"),
        ("meta.new", 1e16, "x: y}", "x: y, new: 1.0e+16}"),
        ("columns.id.description", "Key, and more", "description: Key.}", 'description: "Key, and more"}'),
        ("columns.id.terms", ["t"], "Key.}", "Key., terms: [t]}"),
        ("columns.cpf.terms", ["b"], "[a, b]   # both", "[b]   # both"),
        ("columns.cpf.terms", ["a"], "[a, b]   # both", "[a]   # both"),
        ("columns.cpf.terms", ["a", "c", "b"], "[a, b]", "[a, c, b]"),
        ("columns.cpf.description", "One", "|\n          Two\n          lines.", "One"),
        (
            "columns.a.b.description",
            "Nested",
            "# both\n",
            "# both\n      - name: a.b\n        description: Nested\n",
        ),
    ],
)
def test_setting_a_field_touches_nothing_else(path: str, value: object, old: str, new: str) -> None:
    assert BLOCK.count(old) == 1
    assert edit(BLOCK, path, value) == BLOCK.replace(old, new)


@pytest.mark.parametrize(
    ("path", "gone"),
    [
        ("description", "    description: 'Old text'   # short\n"),
        ("meta.sla", "sla: 6, "),
        ("meta.x", ", x: y"),
        ("meta", "    meta: {sla: 6, x: y}\n"),
        ("columns.id.description", "      - {name: id, description: Key.}\n"),
        ("columns.cpf.terms", "        terms: [a, b]   # both\n"),
        ("columns.cpf.description", "        description: |\n          Two\n          lines.\n"),
    ],
)
def test_removing_a_field_touches_nothing_else(path: str, gone: str) -> None:
    assert BLOCK.count(gone) == 1
    assert drop(BLOCK, path) == BLOCK.replace(gone, "")


def test_removing_the_last_of_everything() -> None:
    text = "version: 1\nkind: documentation\ntables:\n  - {name: raw.users, meta: {a: 1}}\n"
    assert drop(text, "meta.a") == text.replace(", meta: {a: 1}", "")
    assert set_entry(source(text), "documentation", USERS, None).endswith("tables: []\n")


def test_removing_an_entry() -> None:
    start, end = BLOCK.index("  - name: raw.USERS"), BLOCK.index("  - {name: raw.other")
    assert set_entry(source(BLOCK), "documentation", USERS, None) == BLOCK[:start] + BLOCK[end:]


def test_an_entry_that_is_not_there_is_no_trouble_to_remove() -> None:
    assert set_entry(source(BLOCK), "documentation", NEW, None) == BLOCK


@pytest.mark.parametrize(
    ("tables", "added"),
    [
        ("tables:\n- name: raw.a\n", "- name: raw.new\n  description: D\n"),
        ("tables:\n    -   name: raw.a\n", "    -   name: raw.new\n        description: D\n"),
        ("tables:\n  - {name: raw.a}\n  # last\n", None),
        ("tables:\r\n  - name: raw.a\r\n", "  - name: raw.new\r\n    description: D\r\n"),
    ],
)
def test_a_new_entry_takes_the_indentation_found_there(tables: str, added: str | None) -> None:
    text = "version: 1\nkind: documentation\n" + tables
    edited = set_entry(source(text), "documentation", NEW, {"name": "raw.new", "description": "D"})
    expected = (
        text.replace("  # last", "  - {name: raw.new, description: D}\n  # last") if added is None else text + added
    )
    assert edited == expected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("tables: [{name: raw.a}]", "tables: [{name: raw.a}, {name: raw.new, description: D}]"),
        ("tables: []", "tables:\n  - name: raw.new\n    description: D"),
        ("tables: null", "tables:\n  - name: raw.new\n    description: D"),
        ("tables:", "tables:\n  - name: raw.new\n    description: D"),
        ("# nothing yet", "tables:\n  - name: raw.new\n    description: D\n# nothing yet"),
        ("tables:\n  - name: raw.a", "tables:\n  - name: raw.a\n  - name: raw.new\n    description: D"),
    ],
)
def test_a_new_entry_in_lists_of_other_forms(before: str, after: str) -> None:
    head = "version: 1\nkind: documentation\n"
    assert (
        set_entry(source(head + before), "documentation", NEW, {"name": "raw.new", "description": "D"}) == head + after
    )


def test_a_new_entry_goes_to_the_document_of_its_database() -> None:
    text = "version: 1\nkind: tags\ntables: [{name: raw.a}]\n---\nversion: 1\nkind: tags\ntables: [{name: mart.b}]\n"
    edited = set_entry(source(text), "tags", NEW, {"name": "raw.new", "tags": ["t"]})
    assert edited == text.replace("{name: raw.a}", "{name: raw.a}, {name: raw.new, tags: [t]}")


def test_tags_of_table_and_column() -> None:
    text = "version: 1\nkind: tags\ntables:\n  - name: raw.users\n    tags: [a, {name: b, propagate: never}]  # two\n"
    entry = with_field(entry_of(text, kind="tags"), "columns.cpf.tags", ["PII_CPF"])
    entry = with_field(entry, "tags", [{"name": "b", "propagate": "always"}, "c"])
    assert set_entry(source(text), "tags", USERS, entry) == (
        "version: 1\nkind: tags\ntables:\n  - name: raw.users\n    tags: [{name: b, propagate: always}, c]  # two\n"
        "    columns:\n      - {name: cpf, tags: [PII_CPF]}\n"
    )


def test_an_entry_with_unreadable_values_is_replaced_whole() -> None:
    text = BLOCK.replace("'Old text'", "yes")
    edited = set_entry(source(text), "documentation", USERS, {"name": "raw.users", "description": "D"})
    start, end = BLOCK.index("name: raw.USERS"), BLOCK.index("\n  - {name: raw.other")
    assert edited == BLOCK[:start] + "name: raw.users\n    description: D   # both" + BLOCK[end:]


SHARED = """\
version: 1
kind: documentation
tables:
  - &base
    name: raw.a
    owner: x
    meta: &meta {a: 1}
  - <<: *base
    name: raw.users
  - name: raw.b
    meta: *meta
"""


def test_an_alias_is_replaced_and_what_it_stands_for_stays() -> None:
    edited = set_entry(source(SHARED), "documentation", TableName("raw", "b"), {"name": "raw.b", "meta": {"a": 2}})
    assert edited == SHARED.replace("*meta", "{a: 2}")


def test_merged_keys_are_written_out() -> None:
    entry = {"name": "raw.users", "owner": "z", "meta": {"a": 1}}
    edited = set_entry(source(SHARED), "documentation", USERS, entry)
    assert edited == SHARED.replace("<<: *base\n    name: raw.users", "name: raw.users\n    owner: z\n    meta: {a: 1}")


def test_what_others_share_is_refused() -> None:
    wanted = {"name": "raw.a", "owner": "y", "meta": {"a": 1}}
    with pytest.raises(SpecError, match=r"a\.yaml:4:\d+: the entry of raw.a cannot be changed without changing others"):
        set_entry(source(SHARED), "documentation", TableName("raw", "a"), wanted)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"name": "raw.users", "descripton": "x"}, "unknown key 'descripton'"),
        ({"name": "raw.users", "description": float("inf")}, "inf cannot stand in a spec"),
        ({"name": "raw.users", "description": "\ud800"}, "half a character"),
    ],
)
def test_an_entry_that_is_not_valid_is_refused(entry: Entry, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        set_entry(source(BLOCK), "documentation", USERS, entry)


def test_a_file_without_the_kind_is_refused() -> None:
    assert not holds_kind(source(BLOCK), "tags")
    with pytest.raises(SpecError, match="no document of kind tags"):
        set_entry(source(BLOCK), "tags", USERS, {"name": "raw.users", "tags": ["a"]})


def test_a_new_file_is_valid() -> None:
    entry = {"name": "raw.users", "description": "a\nb\n", "columns": [{"name": "id", "description": "Key: id"}]}
    text = new_text("documentation", entry)
    assert text == (
        "version: 1\nkind: documentation\ntables:\n  - name: raw.users\n    description: |\n      a\n      b\n"
        '    columns:\n      - {name: id, description: "Key: id"}\n'
    )
    assert told(load(text)) == []
