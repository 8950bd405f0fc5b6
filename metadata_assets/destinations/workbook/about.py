"""The first tab: what the others hold, and whose cells are whose. It is written once, with a new file."""

from openpyxl.styles import Alignment, Font
from openpyxl.worksheet.worksheet import Worksheet

ABOUT = "About"
_LINES = (
    ("This workbook", "The data catalog: which tables exist, what their columns mean, where they come from."),
    ("", "It is written by a program. Dark headers: its columns; what you change there is put right at its next run."),
    ("", "Orange headers, columns that you add, rows without a key, formats, comments and filters: yours, and kept."),
    ("Tables", "One row a table or view. Write better texts into “Proposed description” and “Proposed owner”."),
    (
        "Columns",
        "One row a column. “Inherited tags” came along the lineage; “Suspected” waits for somebody's decision.",
    ),
    ("Databases", "One row a database."),
    ("Glossary", "Business terms and their categories; “Path” shows all categories above, outermost first."),
    ("Lineage", "One row a job and a pair of tables: from where to where data flows, and column by column."),
    ("Coverage", "How much is documented, by database: tables and columns counted apart."),
    ("Removed things", "A table or column that is gone stays, struck out, with a date in “Status”; so do your notes."),
    ("Moving things", "Sort, filter, hide, move and insert columns as you like, also rename tabs. Sort whole rows:"),
    ("", "the hidden columns “catalog key” and “catalog entry” say which row is which. Of copied rows the first is"),
    ("", "kept up to date; the others are yours, and so is a row whose two hidden cells you clear. A dark header that"),
    ("", "you rename gets its name back. Blue cells lead to the table; after sorting, from the next run on."),
)


def write_about(sheet: Worksheet) -> None:
    for number, (what, text) in enumerate(_LINES, 1):
        head, body = sheet.cell(number, 1, what or None), sheet.cell(number, 2, text)
        head.font = Font(name="Calibri", bold=True, size=14 if number == 1 else 11, color="FF1F3B57")
        body.font = Font(name="Calibri", size=11)
        head.alignment = body.alignment = Alignment(vertical="top", wrap_text=True)
    sheet.column_dimensions["A"].width = 22
    sheet.column_dimensions["B"].width = 120
    sheet.page_setup.orientation, sheet.page_setup.fitToHeight = "landscape", 0
    if sheet.sheet_properties.pageSetUpPr is not None:
        sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet.sheet_view.showGridLines = False
    sheet.sheet_properties.tabColor = "FF7F7F7F"
