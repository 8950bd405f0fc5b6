"""What people take away of ours by accident: hidden columns and headers come back, and no row is ever doubled."""

from collections.abc import Callable
from pathlib import Path

import pytest
from openpyxl import Workbook as Book
from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from metadata_assets.catalog.rows import TABS, identity_of
from metadata_assets.destinations.workbook.destination import Workbook
from metadata_assets.destinations.workbook.headers import parse_mark, to_mark
from metadata_assets.destinations.workbook.layout import ENTRY, KEY
from metadata_assets.model.publication import Wanted
from tests.conformance.catalog import everything, raw_users
from tests.unit.destinations.workbook.people import ALL, edit, publish

Damage = Callable[[Worksheet], None]


def place(sheet: Worksheet, name: str) -> int:
    return next(cell.column for cell in sheet[1] if cell.value == name)


def damage(path: Path, change: Damage) -> None:
    def change_all(book: Book) -> None:
        for name in TABS:
            change(book[name])

    edit(path, change_all)


def shown(path: Path) -> dict[str, list[dict[str, object]]]:
    """Every row of every tab by the names of its columns, whatever their order."""
    book = load_workbook(path)
    return {name: _rows(book[name]) for name in TABS}


def _rows(sheet: Worksheet) -> list[dict[str, object]]:
    head, *rows = sheet.iter_rows(values_only=True)
    return [{str(n): v for n, v in zip(head, row, strict=True)} for row in rows]


def delete(*names: str) -> Damage:
    def change(sheet: Worksheet) -> None:
        for name in names:
            sheet.delete_cols(place(sheet, name))

    change.__name__ = f"deletes {' and '.join(names)}"
    return change


def clear(*names: str) -> Damage:
    def change(sheet: Worksheet) -> None:
        for name in names:
            for row in range(2, sheet.max_row + 1):
                sheet.cell(row, place(sheet, name)).value = None

    change.__name__ = f"clears {' and '.join(names)}"
    return change


def rename(name: str) -> Damage:
    def change(sheet: Worksheet) -> None:
        sheet.cell(1, place(sheet, name)).value = "Team"

    change.__name__ = f"renames {name}"
    return change


REPAIRED = (
    delete(KEY), delete(ENTRY), delete(KEY, ENTRY), clear(KEY), clear(ENTRY), clear(KEY, ENTRY), rename(KEY),
    rename(ENTRY), rename("Status"),
)  # fmt: skip


@pytest.mark.parametrize("change", REPAIRED, ids=lambda c: c.__name__)
@pytest.mark.parametrize("later", [ALL, Wanted(everything(), force=True), Wanted((raw_users("New."),))])
def test_what_is_hidden_comes_back_with_the_next_write(path: Path, change: Damage, later: Wanted) -> None:
    before = shown(path)
    damage(path, change)
    assert publish(path, later).changes
    publish(path, ALL)  # whatever came first, and where that was only one table
    assert shown(path) == before
    assert not Workbook(path).diff(ALL, {}).changes


@pytest.mark.parametrize("tab", TABS)
def test_every_header_of_ours_is_found_whatever_people_call_it(path: Path, tab: str) -> None:
    before = shown(path)
    names = [n for n in TABS[tab] if n in before[tab][0]]

    def rename_all(book: Book) -> None:
        for number, name in enumerate(names):
            book[tab].cell(1, place(book[tab], name)).value = f"Other {number}"
        book[tab].insert_cols(4)
        book[tab].cell(1, 4, "Mine")

    edit(path, rename_all)
    changes = publish(path, ALL)
    (repaired,) = changes.changes  # one row a tab stands for its headers: the counts show it
    assert {f.field: (f.old, f.new) for f in repaired.fields} == {
        f"header {name}": (f"Other {number}", name) for number, name in enumerate(names)
    }
    after = shown(path)
    assert [{n: v for n, v in row.items() if n != "Mine"} for row in after.pop(tab)] == before.pop(tab)
    assert after == before
    assert not Workbook(path).diff(ALL, {}).changes


def test_a_header_with_the_name_of_another_one_keeps_its_own_values(path: Path) -> None:
    before = shown(path)

    def rename_as_tags(book: Book) -> None:
        book["Tables"].cell(1, place(book["Tables"], "Owner")).value = "Tags"

    edit(path, rename_as_tags)
    publish(path, ALL)
    assert shown(path) == before


def test_a_copied_column_that_people_renamed_is_theirs(path: Path) -> None:
    def copy(book: Book) -> None:
        sheet = book["Tables"]
        source, target = place(sheet, "Owner"), sheet.max_column + 1
        for row in range(1, sheet.max_row + 1):
            sheet.cell(row, target, "theirs").number_format = sheet.cell(row, source).number_format
        sheet.cell(1, target, "Former owner")

    edit(path, copy)
    assert not Workbook(path).diff(ALL, {}).changes
    publish(path, Wanted(everything(), force=True))
    rows = shown(path)["Tables"]
    assert {row["Former owner"] for row in rows} == {"theirs"}
    assert {row["Owner"] for row in rows} != {"theirs"}


@pytest.mark.parametrize("tab", ["Columns", "Lineage"])
def test_a_tab_whose_rows_nobody_can_tell_apart_is_refused_and_left_alone(path: Path, tab: str) -> None:
    part = identity_of(tab)[1 if tab == "Lineage" else -1]
    edit(path, lambda book: delete(KEY, ENTRY, part)(book[tab]))
    before = shown(path)[tab]
    changes = Workbook(path).diff(Wanted(everything(), force=True), {})
    assert {r.subject.partition(":")[0] for r in changes.refused} == {tab}
    told = f"tab {tab} has lost the columns {KEY}, {ENTRY}, {part}, and nothing else says which row is which: undo that"
    assert all(r.reason.startswith(told) for r in changes.refused)
    assert not Workbook(path).apply(changes).failed
    assert shown(path)[tab] == before
    edit(path, lambda book: book.remove(book[tab]))  # the last of the ways out that the message names
    publish(path, ALL)
    assert shown(path)[tab]


def test_a_row_with_an_entry_and_no_name_is_told_by_its_number(path: Path) -> None:
    def clear_one(book: Book) -> None:
        sheet = book["Columns"]
        for name in (KEY, "Column"):
            sheet.cell(3, place(sheet, name)).value = None

    edit(path, clear_one)
    assert {"row 3" in r.reason and "make the row yours" in r.reason for r in Workbook(path).diff(ALL, {}).refused} == {
        True
    }
    edit(path, lambda book: clear_entry(book["Columns"]))
    assert len(publish(path, ALL).changes) == 1


def clear_entry(sheet: Worksheet) -> None:
    sheet.cell(3, place(sheet, ENTRY)).value = None


@pytest.mark.parametrize("text", ["table:no name", "table:", "nonsense", "process:x"])
def test_an_entry_that_people_scribbled_over_breaks_nothing(path: Path, text: str) -> None:
    def scribble(book: Book) -> None:
        for name in TABS:
            book[name].cell(2, place(book[name], KEY)).value = None
            book[name].cell(2, place(book[name], ENTRY)).value = text

    edit(path, scribble)
    Workbook(path).diff(ALL, {})


def test_marks_are_read_as_they_are_written() -> None:
    assert {name: parse_mark(to_mark(name)) for tab in TABS.values() for name in tab} == {
        name: name for tab in TABS.values() for name in tab
    }
    assert [parse_mark(other) for other in (None, "General", "@", '0.00" catalog: x"', '"catalog: x')] == [None] * 5
