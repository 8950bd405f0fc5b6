"""Subjects: their text leads back to them, whatever a name holds; and only a table's is taken for a table."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metadata_assets.lineage.script import infer_script
from metadata_assets.model.entity import CategoryEntry, DatabaseEntry, ProcessEntry, TableEntry, TermEntry
from metadata_assets.model.lineage import view_of, view_script
from metadata_assets.model.subject import Subject, SubjectKind, prefix_of
from metadata_assets.model.table import Database, Table, TableName, tables_among

USERS = TableName("raw", "users")
NAMES = st.text(max_size=12)


@given(st.sampled_from(get_args(SubjectKind)), NAMES)
def test_the_text_of_a_subject_leads_back_to_it(kind: SubjectKind, name: str) -> None:
    subject = Subject(kind, name)
    assert Subject.parse(str(subject)) == subject
    assert [k for k in get_args(SubjectKind) if str(subject).startswith(prefix_of(k))] == [kind]


@given(NAMES.filter(lambda name: "." not in name), NAMES)
def test_a_table_is_found_again_whatever_its_own_name_holds(database: str, table: str) -> None:
    name = TableName(database, table)
    assert TableName.of_subject(name.subject) == name
    assert list(tables_among([name.subject])) == [name]
    assert view_of(view_script(name)) == name


@pytest.mark.parametrize("text", ["", "rules", "raw.users", "tables:raw.users", "Table:raw.users"])
def test_what_begins_with_no_kind_is_no_subject(text: str) -> None:
    with pytest.raises(ValueError, match="no subject"):
        Subject.parse(text)


def test_the_subject_of_something_else_is_no_table() -> None:
    with pytest.raises(ValueError, match="not the subject of a table"):
        TableName.of_subject("term:raw.users")
    assert list(tables_among(["term:raw.users", "table:raw.users", "rules", "tables"])) == [USERS]


# These texts are the keys of stores that exist: another text would be another thing.
@pytest.mark.parametrize(
    ("thing", "text"),
    [
        (USERS, "table:raw.users"),
        (Table(USERS, "managed"), "table:raw.users"),
        (TableEntry(USERS, "managed"), "table:raw.users"),
        (Database("raw"), "database:raw"),
        (DatabaseEntry("raw"), "database:raw"),
        (CategoryEntry("person"), "category:person"),
        (TermEntry("customer"), "term:customer"),
        (ProcessEntry("daily/load", USERS), "process:daily/load->raw.users"),
    ],
)
def test_what_has_a_subject_has_the_same_one_for_ever(
    thing: TableName | Table | Database | TableEntry | DatabaseEntry | CategoryEntry | TermEntry | ProcessEntry,
    text: str,
) -> None:
    assert thing.subject == text


def test_a_view_with_dots_in_its_name_is_read_as_a_view() -> None:
    """Some sources let a table's own name hold dots."""
    view = TableName("mart", "report.v2")
    (statement,) = infer_script(view_script(view), "SELECT id FROM raw.users", "hive", {}).statements
    assert (statement.outputs, statement.job) == ((view,), "view:mart.report.v2")
