"""How the workbook looks. Only new headers, tabs and cells are dressed, so what people changed stays."""

from collections.abc import Mapping

from openpyxl.cell import Cell
from openpyxl.formatting.rule import ColorScale, FormatObject, Rule
from openpyxl.styles import Alignment, Color, Font, PatternFill
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.dimensions import ColumnDimension
from openpyxl.worksheet.worksheet import Worksheet

from metadata_assets.destinations.workbook.headers import to_mark
from metadata_assets.destinations.workbook.layout import ENTRY, KEY, REMOVED, STATUS
from metadata_assets.model.entity import Scalar

_DARK, _ORANGE, _GREY, _BLUE = "FF1F3B57", "FFF2B05E", "FFE7E6E6", "FF1F5FA8"
_AMBER, _ROSE = "FFFFF2CC", "FFFBE0DD"
_TAB_COLOURS = {
    "Tables": _DARK, "Columns": _DARK, "Databases": _BLUE, "Glossary": "FF4F8A5B", "Lineage": "FF7A5C99",
    "Coverage": _ORANGE,
}  # fmt: skip
_WIDTHS = {
    "Database": 16, "Table": 28, "Column": 26, "Kind": 12, "Key": 11, "Type": 22, "Description": 60, "Owner": 18,
    "Tags": 22, "Inherited tags": 32, "Suspected": 22, "Terms": 18, "Format": 10, "Columns": 12, "Filled from": 34,
    "Comes from": 40, "Location": 44, "More": 26, "Remarks": 44, "Job": 40, "From": 30, "To": 30, "Known from": 16,
    "Column flow": 60, "Name": 26, "Category": 20, "Path": 30, STATUS: 20, "Proposed description": 50, "Note": 34,
    "Tables with suspected PII": 20,
}  # fmt: skip
_WRAPPED = {
    "Description", "Remarks", "Filled from", "Comes from", "Column flow", "Tags", "Inherited tags", "Suspected", "Type",
    "More", "Job", "Path",
}  # fmt: skip
_SHARES = ("Share of tables", "Share of columns")
# The first column that scrolls: what names a row stays in sight.
_FROZEN = {"Tables": "Kind", "Columns": "Type", "Glossary": "Category", "Lineage": "From"}
# Cells that lead to a row of another tab.
LINKED = {
    ("Columns", "Table"),
    ("Tables", "Database"),
    ("Lineage", "From"),
    ("Lineage", "To"),
    ("Coverage", "Database"),
}
_NUMBERS = {
    "Tables", "Columns", "Described tables", "Described columns", "Tables with an owner", "Tables with PII",
    "Tables with suspected PII", *_SHARES,
}  # fmt: skip
_FONT = "Calibri"
_LINE_HEIGHT, _SHOWN_LINES = 15.0, 8
_LAST_ROW = 1_048_576


def dress_header(sheet: Worksheet, row: int, column: int, name: str, *, human: bool) -> None:
    head = sheet.cell(row, column)
    assert isinstance(head, Cell)
    head.value = name
    head.font = Font(name=_FONT, size=11, bold=True, color="FF000000" if human else "FFFFFFFF")
    head.fill = PatternFill("solid", start_color=_ORANGE if human else _DARK)
    head.alignment = Alignment(vertical="center", wrap_text=True)
    if not human:
        mark_header(head, name)
    dimension = _own_dimension(sheet, column)
    dimension.width = _WIDTHS.get(name, 14)
    dimension.hidden = name in (KEY, ENTRY)


def mark_header(head: Cell, name: str) -> None:
    """Give a header of ours its name and the mark by which it is found whatever people call it."""
    head.value = name
    head.number_format = to_mark(name)


def _own_dimension(sheet: Worksheet, column: int) -> ColumnDimension:
    """The dimension of one column alone. Programs store runs of equal columns as one, and runs may not overlap."""
    for first, run in list(sheet.column_dimensions.items()):
        low, high = run.min or 0, run.max or 0
        if low <= column <= high and low != high:
            del sheet.column_dimensions[first]
            for begin, end in ((low, column - 1), (column + 1, high)):
                if begin <= end:
                    part = ColumnDimension(sheet, get_column_letter(begin), width=run.width, hidden=run.hidden)
                    part.min, part.max = begin, end
                    sheet.column_dimensions[get_column_letter(begin)] = part
    return sheet.column_dimensions[get_column_letter(column)]


def dress_cell(cell: Cell, tab: str, name: str) -> None:
    across = "center" if name in _NUMBERS else None
    cell.alignment = Alignment(horizontal=across, vertical="top", wrap_text=name in _WRAPPED)
    if name in _SHARES:
        cell.number_format = "0%"
    if (tab, name) in LINKED:
        cell.font = Font(name=_FONT, size=11, color=_BLUE)


def line_count(name: str, value: Scalar) -> int:
    """How many lines a value takes, about: programs do not all work out the height of rows by themselves."""
    if name not in _WRAPPED or not isinstance(value, str):
        return 1
    return sum(max(1, -(-len(line) // (_WIDTHS[name] - 2))) for line in value.split("\n"))


def fit_height(sheet: Worksheet, row: int, lines: int) -> None:
    """Make a row high enough, up to some lines; never lower than it is."""
    height = _LINE_HEIGHT * min(lines, _SHOWN_LINES)
    if lines > 1 and height > (sheet.row_dimensions[row].height or 0):
        sheet.row_dimensions[row].height = height


def dress_tab(sheet: Worksheet, tab: str, columns: Mapping[str, int]) -> None:
    """Everything that a new tab gets once: frozen header, colours by rule, page set-up."""
    scrolls = columns.get(_FROZEN.get(tab, ""), 4)
    sheet.freeze_panes = f"{get_column_letter(scrolls)}2"
    sheet.row_dimensions[1].height = 32
    sheet.sheet_properties.tabColor = _TAB_COLOURS[tab]
    last = get_column_letter(max(columns.values()))
    status = get_column_letter(columns[STATUS])
    gone = Rule(
        type="expression",
        formula=[f'LEFT(${status}2,{len(REMOVED)})="{REMOVED}"'],
        dxf=DifferentialStyle(Font(strike=True, color="FF7F7F7F"), fill=_filled(_GREY)),
        stopIfTrue=True,
    )
    sheet.conditional_formatting.add(f"A2:{last}{_LAST_ROW}", gone)
    for name, colour in (("Suspected", _AMBER), ("Tags", _ROSE), ("Inherited tags", _ROSE)):
        if name in columns:
            _colour_where_filled(sheet, get_column_letter(columns[name]), colour, pii_only=name != "Suspected")
    for name in _SHARES:
        if name in columns:
            letter = get_column_letter(columns[name])
            sheet.conditional_formatting.add(f"{letter}2:{letter}{_LAST_ROW}", _scale())
    _set_up_page(sheet)


def _colour_where_filled(sheet: Worksheet, letter: str, colour: str, *, pii_only: bool) -> None:
    formula = f'ISNUMBER(SEARCH("PII_",{letter}2))' if pii_only else f"LEN({letter}2)>0"
    rule = Rule(type="expression", formula=[formula], dxf=DifferentialStyle(fill=_filled(colour)))
    sheet.conditional_formatting.add(f"{letter}2:{letter}{_LAST_ROW}", rule)


def _filled(colour: str) -> PatternFill:
    """Both colours: a rule shows the background, a cell the foreground."""
    return PatternFill("solid", start_color=colour, end_color=colour)


def _scale() -> Rule:
    """Red at 0 %, yellow at 50 %, green at 100 %."""
    stops = ((0, "FFF8A5A0"), (0.5, "FFFFE9A8"), (1, "FF9BD3A4"))
    places = [FormatObject(type="num", val=value) for value, _ in stops]
    return Rule(type="colorScale", colorScale=ColorScale(cfvo=places, color=[Color(rgb=c) for _, c in stops]))


def _set_up_page(sheet: Worksheet) -> None:
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToHeight = 0
    properties = sheet.sheet_properties.pageSetUpPr
    if properties is not None:
        properties.fitToPage = True
    sheet.print_title_rows = "1:1"
