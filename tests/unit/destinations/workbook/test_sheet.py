"""What the tabs look like, and single things that people do to them."""

from itertools import pairwise
from pathlib import Path

import pytest
from openpyxl import Workbook as Book
from openpyxl import load_workbook
from openpyxl.comments import Comment
from openpyxl.styles import PatternFill
from openpyxl.worksheet.worksheet import Worksheet

from metadata_assets.destinations.workbook import sheet as sheets
from metadata_assets.destinations.workbook.destination import Workbook
from metadata_assets.destinations.workbook.layout import KEY
from metadata_assets.model.publication import Wanted
from tests.conformance.catalog import everything, raw_users
from tests.unit.destinations.workbook.people import ALL, column, edit, publish


def row_of(sheet: Worksheet, key: str) -> int:
    return next(n for n in range(1, sheet.max_row + 1) if sheet.cell(n, column(sheet, KEY)).value == key)


def link(sheet: Worksheet, row: int, name: str) -> str:
    found = sheet.cell(row, column(sheet, name)).hyperlink
    assert found is not None
    return str(found.location)


def test_a_new_file_is_made_to_be_read(path: Path) -> None:
    book = load_workbook(path)
    assert book.sheetnames == ["About", "Tables", "Columns", "Databases", "Glossary", "Lineage", "Coverage"]
    assert book.active is not None
    assert book.active.title == "Tables"
    tables, coverage = book["Tables"], book["Coverage"]
    assert (tables.freeze_panes, tables.auto_filter.ref) == ("E2", "A1:U3")
    assert [c for c in "ABCDE" if tables.column_dimensions[c].hidden] == ["A", "B"]
    assert coverage.cell(2, column(coverage, "Share of columns")).number_format == "0%"
    assert link(tables, 2, "Database") == "'Databases'!C2"


def test_formats_comments_and_formulas_of_people_stay(path: Path) -> None:
    def dress(book: Book) -> None:
        sheet = book["Tables"]
        row = row_of(sheet, "raw.users")
        cell = sheet.cell(row, column(sheet, "Description"))
        cell.fill = PatternFill("solid", start_color="FF00FF00")
        cell.comment = Comment("look here", "ana")
        sheet.cell(row, column(sheet, "Mine"), "=1+2")
        sheet.column_dimensions["F"].width = 99
        sheet.freeze_panes = None
        book.create_sheet("Own").append(["mine", 1])

    edit(path, dress)
    publish(path, Wanted((raw_users("New."),)))
    book = load_workbook(path)
    sheet = book["Tables"]
    row = row_of(sheet, "raw.users")
    cell = sheet.cell(row, column(sheet, "Description"))
    assert cell.comment is not None
    assert (cell.value, cell.fill.start_color.rgb, cell.comment.text) == ("New.", "FF00FF00", "look here")
    mine = sheet.cell(row, column(sheet, "Mine"))
    assert (mine.value, mine.data_type) == ("=1+2", "f")
    assert (sheet.column_dimensions["F"].width, sheet.freeze_panes) == (99, None)
    assert [c.value for c in book["Own"][1]] == ["mine", 1]


def test_of_a_copied_row_the_first_is_ours(path: Path) -> None:
    def copy(book: Book) -> None:
        sheet = book["Tables"]
        sheet.append([c.value for c in sheet[row_of(sheet, "raw.users")]])

    edit(path, copy)
    assert not Workbook(path).diff(ALL, {}).changes
    changes = publish(path, Wanted((raw_users("New."),)))
    assert len(changes.changes) == 1
    sheet = load_workbook(path)["Tables"]
    place = column(sheet, "Description")
    texts = [sheet.cell(n, place).value for n in range(2, sheet.max_row + 1) if sheet.cell(n, 1).value == "raw.users"]
    assert texts == ["New.", "One row a user."]


def test_a_lost_header_refuses_its_rows_and_no_others(path: Path) -> None:
    edit(path, lambda book: book["Columns"].delete_rows(1))
    changes = Workbook(path).diff(Wanted(everything(), force=True), {})
    assert {r.subject.partition(":")[0] for r in changes.refused} == {"Columns"}
    assert {r.reason for r in changes.refused} == {
        "tab Columns has lost its header row: put the names of the columns back, or rename the tab"
    }
    assert {r.of_entry for r in changes.refused} == {"table:raw.users", "table:clean.user_clean"}
    assert changes.unchanged == 0
    before = [[c.value for c in row] for row in load_workbook(path)["Columns"]]
    assert not Workbook(path).apply(changes).failed
    assert [[c.value for c in row] for row in load_workbook(path)["Columns"]] == before


def test_rows_beyond_the_format_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "MAX_ROWS", 5)
    path = tmp_path / "catalog.xlsx"
    changes = Workbook(path).diff(ALL, {})
    assert not Workbook(path).apply(changes).failed
    assert [r.subject for r in changes.refused] == ["Columns:raw.users.name", "Columns:raw.users.day"]
    assert changes.refused[0].reason == "tab Columns is full: a sheet holds 5 rows"
    assert changes.listed == len(changes.changes) + len(changes.refused)
    assert len(Workbook(path).diff(ALL, {}).refused) == 2


def test_rows_that_no_longer_fit_are_named_in_the_receipt(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changes = Workbook(path.with_name("none.xlsx")).diff(ALL, {})
    edit(path, lambda book: book["Glossary"].delete_rows(2, 9))
    monkeypatch.setattr(sheets, "MAX_ROWS", 1)
    receipt = Workbook(path).apply(changes)
    assert {o.error for o in receipt.failed} == {"tab Glossary is full: a sheet holds 1 rows"}
    assert len(receipt.outcomes) == len(changes.changes)


def test_a_number_shown_as_a_date_is_put_right_once(path: Path) -> None:
    def date(book: Book) -> None:
        sheet = book["Tables"]
        sheet.cell(row_of(sheet, "raw.users"), column(sheet, "Columns")).number_format = "yyyy-mm-dd"

    edit(path, date)
    assert [f.field for c in publish(path, ALL).changes for f in c.fields] == ["Columns"]
    assert not Workbook(path).diff(ALL, {}).changes


def test_a_formula_in_our_cell_is_put_right(path: Path) -> None:
    wanted = Wanted((raw_users("=1+1"),))
    publish(path, wanted)

    def calculate(book: Book) -> None:
        sheet = book["Tables"]
        sheet.cell(row_of(sheet, "raw.users"), column(sheet, "Description")).data_type = "f"

    edit(path, calculate)
    assert publish(path, wanted).changes[0].fields[0].old == "formula =1+1"
    sheet = load_workbook(path)["Tables"]
    cell = sheet.cell(row_of(sheet, "raw.users"), column(sheet, "Description"))
    assert (cell.value, cell.data_type, cell.quotePrefix) == ("=1+1", "s", True)


def test_a_run_of_columns_stored_as_one_is_parted(path: Path) -> None:
    def widen(book: Book) -> None:
        sheet = book["Tables"]
        sheet.delete_cols(column(sheet, "Owner"))
        for letter in "STU":
            del sheet.column_dimensions[letter]
        run = sheet.column_dimensions["R"]
        run.min, run.max, run.width = 18, 1025, 12

    edit(path, widen)
    publish(path, ALL)
    spans = sorted((d.min or 0, d.max or 0) for d in load_workbook(path)["Tables"].column_dimensions.values())
    assert all(end < start for (_, end), (start, _) in pairwise(spans))


def test_a_renamed_tab_keeps_its_name_and_its_links(path: Path) -> None:
    def rename(book: Book) -> None:
        book["Tables"].title = "Ana's tables"

    edit(path, rename)
    publish(path, Wanted(everything(), force=True))
    book = load_workbook(path)
    assert "Tables" not in book.sheetnames
    assert link(book["Columns"], 2, "Table").startswith("'Ana''s tables'!D")


def test_a_removed_row_is_struck_out_with_its_notes_and_comes_back(path: Path) -> None:
    def note(book: Book) -> None:
        sheet = book["Tables"]
        sheet.cell(row_of(sheet, "raw.users"), column(sheet, "Note"), "ask Ana")

    edit(path, note)
    for asked, status in ((Wanted(removed=frozenset({"table:raw.users"})), "removed "), (ALL, "")):
        publish(path, asked)
        sheet = load_workbook(path)["Tables"]
        row = row_of(sheet, "raw.users")
        assert sheet.cell(row, column(sheet, "Note")).value == "ask Ana"
        assert str(sheet.cell(row, column(sheet, "Status")).value or "").startswith(status)
