"""One tab of the workbook: where our columns are, what our rows hold, and how a row is written.

Our columns are found by their header, our rows by the hidden key, so that people may sort, filter and add columns.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from openpyxl.cell import Cell
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from metadata_assets.catalog.rows import TABS
from metadata_assets.catalog.tabs import HeldRow
from metadata_assets.model.entity import Row, Scalar

KEY, ENTRY, STATUS = "catalog key", "catalog entry", "Status"
HUMAN_COLUMNS = {
    "Tables": ("Proposed description", "Proposed owner", "Note"),
    "Columns": ("Proposed description", "Note"),
}
MAX_TEXT = 32_767  # characters in a cell of the XLSX format
_CUT = " … (cut: a cell holds 32,767 characters)"
_ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_HEAD = PatternFill("solid", start_color="FF1F3B57")
_HUMAN_HEAD = PatternFill("solid", start_color="FFE8A33D")
_RETIRED = PatternFill("solid", start_color="FFE7E6E6")
_PLAIN = PatternFill(fill_type=None)
_WIDTHS = {"Description": 60, "Location": 40, "Notes": 40, "Filled from": 40, "Comes from": 40, "Type": 30, "Job": 40}
_SHARES = ("Share of tables", "Share of columns")


class Tab:
    """A worksheet with our layout. Raises KeyError nowhere: a missing column of ours is added."""

    def __init__(self, sheet: Worksheet, name: str) -> None:
        self.sheet = sheet
        self.name = name
        self._columns = self._find_columns()
        self._rows = {key: number for number, key in self._keys()}
        self._next = max(self._rows.values(), default=1) + 1 if self._rows else 2

    def _find_columns(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for cell in self.sheet[1]:
            if isinstance(cell.value, str) and cell.value not in found:
                found[cell.value] = cell.column
        return found

    def _keys(self) -> Iterator[tuple[int, str]]:
        column = self._columns.get(KEY)
        if column is not None:
            for number in range(2, self.sheet.max_row + 1):
                value = self.sheet.cell(number, column).value
                if isinstance(value, str) and value:
                    yield number, value

    @property
    def last_row(self) -> int:
        """The last row in use, people's rows without a key included."""
        return int(self.sheet.max_row)

    def held(self) -> Iterator[HeldRow]:
        """Our rows as they stand."""
        for key, number in self._rows.items():
            cells = {name: self._value(number, name) for name in TABS[self.name]}
            status = self._value(number, STATUS)
            entry = str(self._value(number, ENTRY) or "")
            yield HeldRow(self.name, key, entry, cells, str(status or "").startswith("removed"))

    def _value(self, number: int, name: str) -> Scalar:
        column = self._columns.get(name)
        value = None if column is None else self.sheet.cell(number, column).value
        return value if isinstance(value, (str, int, float, bool)) or value is None else str(value)

    def lay_out(self) -> None:
        """Write headers that are missing: ours in front on a new tab, otherwise after the last column in use."""
        names = [KEY, ENTRY, *TABS[self.name], STATUS, *HUMAN_COLUMNS.get(self.name, ())]
        for name in names:
            if name not in self._columns:
                column = max(self._columns.values(), default=0) + 1
                self._columns[name] = column
                head = self.sheet.cell(1, column, name)
                human = name in HUMAN_COLUMNS.get(self.name, ())
                head.font = Font(bold=True, color="FF000000" if human else "FFFFFFFF")
                head.fill = _HUMAN_HEAD if human else _HEAD
                letter = get_column_letter(column)
                self.sheet.column_dimensions[letter].width = _WIDTHS.get(name, max(len(name) + 4, 18))
                self.sheet.column_dimensions[letter].hidden = name in (KEY, ENTRY)
        self.sheet.freeze_panes = self.sheet.cell(2, 5 if self.name in ("Tables", "Columns") else 4).coordinate

    def write(self, row: Row) -> None:
        """Write our cells of a row, where it stands or at the end."""
        number = self._rows.get(row.key)
        if number is None:
            number = self._next = max(self._next, self.last_row + 1) if self.last_row > 1 else self._next
            self._rows[row.key] = number
            self._next += 1
        for name, value in ((KEY, row.key), (ENTRY, row.entry), *row.cells, (STATUS, None)):
            put(self.sheet.cell(number, self._columns[name]), value)
        for name in _SHARES:
            if name in self._columns:
                self.sheet.cell(number, self._columns[name]).number_format = "0%"
        self._paint(number, _PLAIN, retired=False)

    def retire(self, key: str) -> None:
        """Mark a row as removed; people's cells stay."""
        number = self._rows[key]
        put(self.sheet.cell(number, self._columns[STATUS]), f"removed {datetime.now(UTC):%Y-%m-%d}")
        self._paint(number, _RETIRED, retired=True)

    def _paint(self, number: int, fill: PatternFill, *, retired: bool) -> None:
        for name in (*TABS[self.name], STATUS):
            cell = self.sheet.cell(number, self._columns[name])
            cell.fill = fill
            cell.font = Font(strike=retired, color="FF7F7F7F" if retired else None)
            cell.alignment = Alignment(vertical="top", wrap_text=name in ("Description", "Notes"))

    def row_of(self, key: str) -> int | None:
        return self._rows.get(key)

    def cell(self, key: str, name: str) -> Cell | None:
        number = self._rows.get(key)
        found = None if number is None else self.sheet.cell(number, self._columns[name])
        return found if isinstance(found, Cell) else None

    @property
    def row_keys(self) -> Sequence[str]:
        return list(self._rows)

    def finish(self) -> None:
        """Filters over everything in use."""
        last = get_column_letter(max(self._columns.values()))
        self.sheet.auto_filter.ref = f"A1:{last}{max(self.last_row, 2)}"


def put(cell: object, value: Scalar) -> None:
    """Write a value as data. A text never becomes a formula or a link, whatever it begins with."""
    assert isinstance(cell, Cell)
    if not isinstance(value, str):
        cell.value = value
        return
    text = to_cell_text(value)
    cell.value = text or None
    if text:
        cell.data_type = "s"
        cell.quotePrefix = text.startswith(_FORMULA_STARTS)


def to_cell_text(value: str) -> str:
    """Text as a cell can hold it: characters that XML forbids become �, and what is too long says that it was cut."""
    text = _ILLEGAL.sub("�", value)
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - len(_CUT)] + _CUT
