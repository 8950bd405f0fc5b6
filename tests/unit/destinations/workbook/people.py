"""People at work in the file: edits that somebody makes in a spreadsheet program, as functions of a sheet."""

from collections.abc import Callable
from pathlib import Path

from openpyxl import Workbook as Book
from openpyxl import load_workbook
from openpyxl.styles import PatternFill
from openpyxl.worksheet.worksheet import Worksheet

from metadata_assets.destinations.workbook.destination import Workbook
from metadata_assets.destinations.workbook.layout import KEY
from metadata_assets.model.publication import Changes, Wanted
from tests.conformance.catalog import everything

ALL = Wanted(everything())
Edit = Callable[[Worksheet, int, str], None]  # the sheet, a number that chooses where, a text of their own
TABLES = {"Tables", "Mine"}


def publish(path: Path, wanted: Wanted) -> Changes:
    """Write all that is wanted; nothing is refused and nothing fails."""
    changes = Workbook(path).diff(wanted, {})
    assert not changes.refused
    assert not Workbook(path).apply(changes).failed
    return changes


def edit(path: Path, change: Callable[[Book], None]) -> None:
    book = load_workbook(path, rich_text=True)
    change(book)
    book.save(path)


def tables(book: Book) -> Worksheet:
    found: Worksheet = next(s for s in book.worksheets if s.title in TABLES)
    return found


def header(sheet: Worksheet) -> int:
    return next(n for n in range(1, 20) if any(c.value == KEY for c in sheet[n]))


def column(sheet: Worksheet, name: str) -> int:
    """The column of that name; a new one behind all others where there is none."""
    top = header(sheet)
    for cell in sheet[top]:
        if cell.value == name:
            return cell.column
    place = sheet.max_column + 1
    sheet.cell(top, place, name)
    return place


def some_row(sheet: Worksheet, number: int) -> int:
    first = header(sheet) + 1
    return first + number % max(sheet.max_row - first + 1, 1)


def notes(sheet: Worksheet, number: int, text: str) -> None:
    sheet.cell(some_row(sheet, number), column(sheet, "Note"), text)


def adds_a_column(sheet: Worksheet, number: int, text: str) -> None:
    sheet.cell(some_row(sheet, number), column(sheet, f"Mine {number % 3}"), text)


def adds_a_row(sheet: Worksheet, number: int, text: str) -> None:
    row = some_row(sheet, number)
    sheet.insert_rows(row)
    sheet.cell(row, column(sheet, "Table"), text)


def adds_a_row_at_the_end(sheet: Worksheet, number: int, text: str) -> None:
    sheet.cell(sheet.max_row + 1, column(sheet, "Description"), text)


def copies_a_row(sheet: Worksheet, number: int, text: str) -> None:
    source = some_row(sheet, number)
    values = [c.value for c in sheet[source]]
    sheet.append(values)
    sheet.cell(sheet.max_row, column(sheet, "Note"), text)


def sorts(sheet: Worksheet, number: int, text: str) -> None:
    first, last = header(sheet) + 1, sheet.max_row
    lines = [[c.value for c in sheet[n]] for n in range(first, last + 1)]
    by = number % len(lines[0]) if lines else 0
    lines.sort(key=lambda line: str(line[by]), reverse=bool(number % 2))
    for n, line in enumerate(lines, first):
        for place, value in enumerate(line, 1):
            sheet.cell(n, place).value = value


def scribbles(sheet: Worksheet, number: int, text: str) -> None:
    sheet.cell(some_row(sheet, number), column(sheet, "Description"), "scribbled")


def inserts_a_column(sheet: Worksheet, number: int, text: str) -> None:
    top = header(sheet)
    sheet.insert_cols(1 + number % 8)
    sheet.cell(top, 1 + number % 8, f"Left {text}")


def writes_a_title(sheet: Worksheet, number: int, text: str) -> None:
    if header(sheet) < 5:
        sheet.insert_rows(1)
        sheet.cell(1, 3, text)


def deletes_a_column(sheet: Worksheet, number: int, text: str) -> None:
    names = ("Owner", "Description", "Status", "Kind", "catalog entry", "Remarks")
    sheet.delete_cols(column(sheet, names[number % len(names)]))


def deletes_a_row(sheet: Worksheet, number: int, text: str) -> None:
    row = some_row(sheet, number)
    if not any(str(c.value).startswith("human") for c in sheet[row]):
        sheet.delete_rows(row)


def paints(sheet: Worksheet, number: int, text: str) -> None:
    for cell in sheet[some_row(sheet, number)]:
        cell.fill = PatternFill("solid", start_color="FF00FF00")


def merges(sheet: Worksheet, number: int, text: str) -> None:
    row, first = some_row(sheet, number), column(sheet, "Description")
    if not any(str(sheet.cell(row, first + n).value).startswith("human") for n in range(2)):
        sheet.merge_cells(start_row=row, end_row=row, start_column=first, end_column=first + 1)


def renames(sheet: Worksheet, number: int, text: str) -> None:
    sheet.title = ("Tables", "Mine")[number % 2]


def only_unmerged(change: Edit) -> Edit:
    """Spreadsheet programs refuse to move cells through merged ones, or move them in ways that openpyxl cannot."""

    def made(sheet: Worksheet, number: int, text: str) -> None:
        if not sheet.merged_cells.ranges:
            change(sheet, number, text)

    made.__name__ = change.__name__
    return made


_MOVING = (adds_a_row, sorts, inserts_a_column, writes_a_title, deletes_a_column, deletes_a_row)
EDITS: tuple[Edit, ...] = (
    notes, adds_a_column, adds_a_row_at_the_end, copies_a_row, scribbles, paints, merges, renames,
    *(only_unmerged(change) for change in _MOVING),
)  # fmt: skip
