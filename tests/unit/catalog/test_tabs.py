"""Rows compared with what a tab holds."""

import pytest

from metadata_assets.catalog.tabs import HeldRow, compare_rows, same_cell
from metadata_assets.model.entity import Scalar, TableEntry
from metadata_assets.model.publication import FieldChange, Row, Wanted
from metadata_assets.model.table import TableName

ENTRY = TableEntry(TableName("raw", "t"), "managed")
SUBJECT = ENTRY.subject


def row(key: str = "k", **cells: Scalar) -> Row:
    return Row("Tables", key, SUBJECT, tuple(cells.items()), {"A": "a.yaml:1"})


def held(key: str = "k", entry: str = SUBJECT, *, retired: bool = False, **cells: Scalar) -> dict[str, HeldRow]:
    return {f"Tables:{key}": HeldRow("Tables", key, entry, cells, retired)}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (None, "", True), ("", None, True), (3, 3.0, True), (True, 1, True), ("3", 3, False), ("a", "A", False),
        (None, 0, False), ("", False, False), ("é", "e\u0301", False),
    ],
)  # fmt: skip
def test_same_cell(one: Scalar, other: Scalar, same: bool) -> None:
    assert same_cell(one, other) is same


@pytest.mark.parametrize(
    ("rows", "wanted", "there", "expected"),
    [
        ([row(A="x")], Wanted((ENTRY,)), {}, [("create", "Tables:k")]),
        ([row()], Wanted((ENTRY,)), {}, [("create", "Tables:k")]),
        ([row(A="x")], Wanted((ENTRY,)), held(A="x"), []),
        ([row(A="x")], Wanted((ENTRY,), force=True), held(A="x"), [("update", "Tables:k")]),
        ([row(A="x")], Wanted((ENTRY,)), held(A="y"), [("update", "Tables:k")]),
        ([row(A="x")], Wanted((ENTRY,)), held(A="x", retired=True), [("restore", "Tables:k")]),
        ([], Wanted(removed=frozenset({SUBJECT})), held(A="x"), [("delete", "Tables:k")]),
        ([], Wanted(removed=frozenset({SUBJECT})), held(A="x", retired=True), []),
        ([], Wanted(), held(A="x"), []),
        ([row("new")], Wanted((ENTRY,)), held("old"), [("create", "Tables:new"), ("delete", "Tables:old")]),
        ([row("new")], Wanted((ENTRY,)), held("old", entry="table:raw.other"), [("create", "Tables:new")]),
    ],
)
def test_changes(rows: list[Row], wanted: Wanted, there: dict[str, HeldRow], expected: list[tuple[str, str]]) -> None:
    changes = compare_rows(rows, wanted, there)
    assert [(c.action, c.subject) for c in changes.changes] == expected
    assert {c.of_entry for c in changes.changes} <= {SUBJECT}
    assert changes.listed == len(changes.changes) + changes.unchanged


def test_only_cells_that_differ_are_named_with_their_source() -> None:
    changes = compare_rows([row(A="x", B=1, C=None)], Wanted((ENTRY,)), held(A="y", B=1.0, C="", Theirs="z"))
    assert changes.changes[0].fields == (FieldChange("A", "y", "x", "a.yaml:1"),)


def test_a_retired_row_says_what_goes() -> None:
    changes = compare_rows([], Wanted(removed=frozenset({SUBJECT})), held(A="x", B="", C=None))
    assert changes.changes[0].fields == (FieldChange("A", "x", None, "removed"),)
