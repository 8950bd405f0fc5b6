"""What every destination does. How a new one joins: see harness.py."""

from dataclasses import replace

import pytest

from metadata_assets.destinations.base import Destination
from metadata_assets.model.entity import ColumnEntry, Entry, Scalar
from metadata_assets.model.publication import Changes, FieldChange, Receipt, Wanted
from tests.conformance.catalog import SPEC, clean_users, everything, raw_users, wanted
from tests.conformance.harness import Harness

USERS = "table:raw.users"


def publish(destination: Destination, asked: Wanted) -> Changes:
    """Diff and apply, and what holds for every pair of them."""
    changes = destination.diff(asked, {})
    subjects = [c.subject for c in changes.changes] + [r.subject for r in changes.refused]
    assert len(subjects) == len(set(subjects))
    assert changes.listed == len(subjects) + changes.unchanged
    assert changes.unchanged >= 0
    assert_answered(changes, destination.apply(changes))
    return changes


def assert_answered(changes: Changes, receipt: Receipt) -> None:
    assert [o.subject for o in receipt.outcomes] == [c.subject for c in changes.changes]
    assert not receipt.failed


def assert_settled(harness: Harness, asked: Wanted) -> None:
    again = harness.open().diff(replace(asked, force=False), {})
    assert (again.changes, again.listed) == ((), again.unchanged + len(again.refused))


def test_everything_is_created_once(harness: Harness) -> None:
    destination, asked = harness.open(), wanted(*everything())
    changes = publish(destination, asked)
    assert {c.action for c in changes.changes} == {"create"}
    assert changes.unchanged == 0
    assert {c.of_entry for c in changes.changes} == {e.subject for e in everything()}
    assert set(harness.read()) == {c.subject for c in changes.changes}
    assert destination.diff(asked, {}).changes == ()
    assert_settled(harness, asked)


def test_nothing_wanted_is_nothing_written(harness: Harness) -> None:
    before = harness.state()
    changes = publish(harness.open(), wanted())
    assert (changes.listed, changes.changes, changes.refused) == (0, (), ())
    assert harness.state() == before


def test_diff_writes_nothing(harness: Harness) -> None:
    empty = harness.state()
    harness.open().diff(wanted(*everything()), {})
    assert harness.state() == empty
    publish(harness.open(), wanted(*everything()))
    before = harness.state()
    for asked in (wanted(*everything()), wanted(raw_users("New.")), wanted(removed=frozenset({USERS}))):
        harness.open().diff(asked, {})
    assert harness.state() == before


def test_changes_can_be_applied_by_another_instance(harness: Harness) -> None:
    changes = harness.open().diff(wanted(*everything()), {})
    assert_answered(changes, harness.open().apply(changes))
    assert_settled(harness, wanted(*everything()))


@pytest.mark.parametrize(
    ("field", "changed", "old", "new", "source"),
    [
        ("description", raw_users("Two rows a user."), "One row a user.", "Two rows a user.", SPEC),
        ("owner", replace(raw_users(), owner="crm", sources={"owner": "crm.yaml:1"}), "growth", "crm", "crm.yaml:1"),
        ("location", replace(raw_users(), location="s3://b/u"), "s3://lake/raw/users", "s3://b/u", "metastore"),
    ],
)  # fmt: skip
def test_one_changed_field_is_that_change(
    harness: Harness, field: str, changed: Entry, old: str, new: str, source: str
) -> None:
    publish(harness.open(), wanted(*everything()))
    before = harness.read()
    changes = publish(harness.open(), wanted(changed))
    subject, name = harness.place(USERS, field)
    assert [(c.subject, c.action, c.of_entry) for c in changes.changes] == [(subject, "update", USERS)]
    assert changes.changes[0].fields == (FieldChange(name, old, new, source),)
    before[subject][name] = new
    assert harness.read() == before


def test_a_changed_column_is_that_change(harness: Harness) -> None:
    publish(harness.open(), wanted(*everything()))
    columns = raw_users().columns
    changed = raw_users(columns=(*columns[:2], replace(columns[2], description="Whole name."), *columns[3:]))
    changes = publish(harness.open(), wanted(changed))
    subject, name = harness.place(USERS, "columns.name.description")
    assert [c.subject for c in changes.changes] == [subject]
    assert changes.changes[0].fields == (FieldChange(name, "Full name.", "Whole name.", SPEC),)


def test_a_text_that_is_withdrawn_goes(harness: Harness) -> None:
    publish(harness.open(), wanted(*everything()))
    publish(harness.open(), wanted(replace(raw_users(), description=None, owner=None)))
    shown = harness.read()
    for field in ("description", "owner"):
        subject, name = harness.place(USERS, field)
        assert name not in shown[subject]


def test_a_removed_table_goes_alone_and_comes_back(harness: Harness) -> None:
    publish(harness.open(), wanted(*everything()))
    before = harness.read()
    gone = publish(harness.open(), wanted(removed=frozenset({USERS})))
    assert {(c.action, c.of_entry, c.wanted) for c in gone.changes} == {("delete", USERS, None)}
    assert all(f.new is None for c in gone.changes for f in c.fields)
    subjects = {c.subject for c in gone.changes}
    assert harness.read() == {s: f for s, f in before.items() if s not in subjects}
    assert_settled(harness, wanted(removed=frozenset({USERS})))
    back = publish(harness.open(), wanted(raw_users()))
    assert {(c.subject, c.action) for c in back.changes} == {(s, "restore") for s in subjects}
    assert harness.read() == before


def test_removing_what_never_was_there_changes_nothing(harness: Harness) -> None:
    publish(harness.open(), wanted(*everything()))
    before = harness.state()
    changes = publish(harness.open(), wanted(removed=frozenset({"table:no.where", "term:none"})))
    assert (changes.changes, harness.state()) == ((), before)


def test_what_is_not_mentioned_stays(harness: Harness) -> None:
    publish(harness.open(), wanted(*everything()))
    before = harness.read()
    for some in (wanted(raw_users()), wanted(clean_users()), wanted(*everything()[:2]), wanted()):
        publish(harness.open(), some)
        assert harness.read() == before


@pytest.mark.parametrize("dropped", range(4))
def test_a_dropped_column_goes_and_its_neighbours_stay(harness: Harness, dropped: int) -> None:
    publish(harness.open(), wanted(*everything()))
    before = harness.read()
    columns = raw_users().columns
    left = raw_users(columns=columns[:dropped] + columns[dropped + 1 :])
    changes = publish(harness.open(), wanted(left))
    name = columns[dropped].name
    touched = [f.field for c in changes.changes for f in c.fields if c.action != "delete"]
    assert not [f for f in touched if f.startswith("columns.") and not f.startswith(f"columns.{name}.")]
    after = harness.read()
    for column in left.columns:
        subject, _ = harness.place(USERS, f"columns.{column.name}.type")
        mine = f"columns.{column.name}."
        assert _of(after[subject], mine) == _of(before[subject], mine)
    subject, field = harness.place(USERS, f"columns.{name}.type")
    assert field not in after.get(subject, {})
    assert_settled(harness, wanted(left))


def _of(fields: dict[str, Scalar], prefix: str) -> dict[str, Scalar]:
    """Of an entry written whole the fields of one column; of a row all."""
    return {n: v for n, v in fields.items() if n.startswith(prefix) or ("." not in n and n[0].isupper())}


def test_columns_that_differ_in_case_only_are_both_kept(harness: Harness) -> None:
    twins = raw_users(
        columns=(ColumnEntry("ID", "int", description="one"), ColumnEntry("id", "int", description="two"))
    )
    publish(harness.open(), wanted(twins))
    texts = {str(v) for fields in harness.read().values() for v in fields.values()}
    assert {"one", "two", "ID", "id"} <= texts
    assert_settled(harness, wanted(twins))


def test_force_writes_again_and_ends_in_the_same_state(harness: Harness) -> None:
    publish(harness.open(), wanted(*everything()))
    before = harness.read()
    changes = publish(harness.open(), wanted(*everything(), force=True))
    assert (changes.unchanged, {c.action for c in changes.changes}) == (0, {"update"})
    assert not [f for c in changes.changes for f in c.fields]
    assert harness.read() == before


def test_changes_applied_twice_end_in_the_same_state(harness: Harness) -> None:
    publish(harness.open(), wanted(*everything()))
    asked = wanted(raw_users("New."), removed=frozenset({"table:clean.user_clean", "term:customer"}))
    changes = harness.open().diff(asked, {})
    assert_answered(changes, harness.open().apply(changes))
    once = harness.read()
    assert_answered(changes, harness.open().apply(changes))
    assert harness.read() == once
    assert_settled(harness, asked)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7])
def test_what_an_interrupted_apply_left_is_made_up_for(harness: Harness, share: float) -> None:
    asked = wanted(*everything())
    changes = harness.open().diff(asked, {})
    done = changes.changes[: int(len(changes.changes) * share)]
    harness.open().apply(Changes(len(done), done))
    rest = publish(harness.open(), asked)
    assert {c.subject for c in rest.changes} == {c.subject for c in changes.changes[len(done) :]}
    assert_settled(harness, asked)
