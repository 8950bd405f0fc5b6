"""One tab of the workbook, for writing: our cells of a row, and the looks of what is new."""

from copy import copy
from datetime import UTC, datetime

from openpyxl.cell import Cell
from openpyxl.styles.cell_style import StyleArray
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from metadata_assets.destinations.workbook import looks
from metadata_assets.destinations.workbook.layout import (
    ENTRY,
    HUMAN_COLUMNS,
    KEY,
    REMOVED,
    STATUS,
    columns_of,
    read_layout,
)
from metadata_assets.destinations.workbook.texts import put, to_key_text
from metadata_assets.model.entity import Scalar
from metadata_assets.model.publication import Row

MAX_ROWS = 1_048_576


class Tab:
    """A worksheet with our layout: what people took away of it, headers, columns and hidden keys, is put back."""

    def __init__(self, sheet: Worksheet, name: str) -> None:
        self.sheet = sheet
        self.name = name
        self.layout = read_layout(name, sheet.iter_rows())
        self._is_new = not self.layout.columns
        self._styles: dict[str, StyleArray] = {}
        if self.layout.problem is None:
            self._lay_out()

    def _lay_out(self) -> None:
        """Write headers that are missing, after the last column in use, and in order on a new tab; name the others."""
        columns, header = self.layout.columns, self.layout.header
        human = HUMAN_COLUMNS.get(self.name, ()) if self._is_new else ()
        last = 0 if self._is_new else self.sheet.max_column
        for name in (*columns_of(self.name), *human):
            if name in columns:
                looks.mark_header(self._cell(header, name), name)
            else:
                last += 1
                columns[name] = last
                looks.dress_header(self.sheet, header, last, name, human=name in human)
        self.layout.last_row = max(self.layout.last_row, header)
        if self._is_new:
            looks.dress_tab(self.sheet, self.name, columns)
        for held in self.layout.held:
            if not held.marked:
                self._put_hidden(self.layout.rows[held.key], held.key, held.entry)

    def _put_hidden(self, number: int, key: str, entry: str) -> None:
        put(self._cell(number, KEY), to_key_text(key))
        put(self._cell(number, ENTRY), to_key_text(entry))

    def write(self, row: Row) -> str | None:
        """Write our cells of a row, where it stands or at the end. Returns why that is impossible."""
        if self.layout.problem is not None:
            return self.layout.problem
        number = self.layout.rows.get(row.key)
        if number is None and self.layout.last_row >= MAX_ROWS:
            return no_room(self.name)
        if number is None:
            number = self.layout.last_row = self.layout.last_row + 1
            self.layout.rows[row.key] = number
            self._add(number, row)
        else:
            self._update(number, row)
        looks.fit_height(self.sheet, number, max(looks.line_count(name, value) for name, value in row.cells))
        return None

    def _add(self, number: int, row: Row) -> None:
        for name, value in ((KEY, to_key_text(row.key)), (ENTRY, to_key_text(row.entry)), *row.cells):
            if value is not None and value != "":
                cell = self._cell(number, name)
                self._dress(cell, name)
                put(cell, value)

    def _update(self, number: int, row: Row) -> None:
        """Only values: the formats that people gave our cells stay."""
        everything: tuple[tuple[str, Scalar], ...] = (
            (KEY, to_key_text(row.key)),
            (ENTRY, to_key_text(row.entry)),
            *row.cells,
            (STATUS, None),
        )
        for name, value in everything:
            cell = self._cell(number, name)
            if not cell.has_style:
                self._dress(cell, name)
            put(cell, value)

    def rename(self, key: str, new: str) -> None:
        """Let the row of a key have another one from now on; people's cells go with it."""
        number = self.layout.rows.pop(key, None)
        if number is not None and new not in self.layout.rows:
            self.layout.rows[new] = number

    def retire(self, key: str) -> None:
        """Mark a row as removed; people's cells stay. One that people deleted themselves needs no mark."""
        number = self.layout.rows.get(key)
        if number is not None:
            cell = self._cell(number, STATUS)
            if not str(cell.value or "").startswith(REMOVED):
                put(cell, f"{REMOVED} {datetime.now(UTC):%Y-%m-%d}")

    def _cell(self, number: int, name: str) -> Cell:
        """A cell of ours. People may have merged it with others: merged cells cannot be written, so they are parted."""
        column = self.layout.columns[name]
        cell = self.sheet.cell(number, column)
        if not isinstance(cell, Cell):
            for merged in [m for m in self.sheet.merged_cells.ranges if cell.coordinate in m]:
                self.sheet.unmerge_cells(merged.coord)
            cell = self.sheet.cell(number, column)
            assert isinstance(cell, Cell)
        return cell

    def _dress(self, cell: Cell, name: str) -> None:
        """Looks of a new cell, worked out once a column: an openpyxl style costs far more than a copy of it."""
        if name not in self._styles:
            model = Cell(self.sheet, row=1, column=1)
            looks.dress_cell(model, self.name, name)
            self._styles[name] = model._style  # type: ignore[attr-defined]  # missing in the stubs
        cell._style = copy(self._styles[name])  # type: ignore[attr-defined]

    def cell(self, key: str, name: str) -> Cell:
        return self._cell(self.layout.rows[key], name)

    def finish(self) -> None:
        """The filter reaches over everything in use. Where people took it away or made a table of it, it stays so."""
        if self.layout.problem is None and not self.sheet.tables and (self._is_new or self.sheet.auto_filter.ref):
            last = get_column_letter(max(self.sheet.max_column, 1))
            bottom = max(self.layout.last_row, self.layout.header + 1)
            self.sheet.auto_filter.ref = f"A{self.layout.header}:{last}{bottom}"


def no_room(tab: str) -> str:
    return f"tab {tab} is full: a sheet holds {MAX_ROWS:,} rows"
