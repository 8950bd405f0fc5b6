"""Reads and writes the workbook: one read, one difference, one write of the whole file."""

import os
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from openpyxl import Workbook as Book
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.worksheet.hyperlink import Hyperlink

from metadata_assets.catalog.rows import TABS, to_rows
from metadata_assets.catalog.tabs import HeldRow, compare_rows
from metadata_assets.destinations.workbook.sheet import Tab, to_cell_text
from metadata_assets.errors import Permanent, Transient
from metadata_assets.model.entity import Changes, Outcome, Published, Receipt, Row, Scalar, Wanted

# Cells that lead to the row of the same key in another tab: (tab, column, target tab, key from the row's cells).
_LINKS = (
    ("Columns", "Table", "Tables", ("Database", "Table")),
    ("Tables", "Database", "Databases", ("Database",)),
    ("Lineage", "From", "Tables", ("From",)),
    ("Lineage", "To", "Tables", ("To",)),
    ("Coverage", "Database", "Databases", ("Database",)),
)


class Workbook:
    """A destination that is one XLSX file; it is replaced as a whole, so a reader never sees half of it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def diff(self, wanted: Wanted, published: Mapping[str, Published]) -> Changes:
        """Compares with the file itself: what people changed in our columns is put right at the next write."""
        rows = [_as_stored(r) for r in to_rows(wanted.entries)]
        return compare_rows(rows, wanted, self._held())

    def _held(self) -> dict[str, HeldRow]:
        if not self._path.exists():
            return {}
        book = self._load()
        tabs = [Tab(book[name], name) for name in TABS if name in book.sheetnames]
        return {f"{h.tab}:{h.key}": h for tab in tabs for h in tab.held()}

    def _load(self) -> Book:
        try:
            return load_workbook(self._path)
        except (zipfile.BadZipFile, InvalidFileException, KeyError, OSError) as error:
            raise Permanent(
                f"{self._path} cannot be read as a workbook ({type(error).__name__}); move it away or repair it: it is "
                "not overwritten, since people's notes may be in it"
            ) from error

    def apply(self, changes: Changes) -> Receipt:
        """Write all changes in place and replace the file."""
        book = self._load() if self._path.exists() else _new_book()
        tabs = {name: _tab(book, name) for name in TABS}
        for change in changes.changes:
            name, _, key = change.subject.partition(":")
            if isinstance(change.wanted, Row):
                tabs[name].write(change.wanted)
            else:
                tabs[name].retire(key)
        _link(tabs)
        for tab in tabs.values():
            tab.finish()
        self._save(book)
        return Receipt(tuple(Outcome(c.subject) for c in changes.changes))

    def _save(self, book: Book) -> None:
        beside = self._path.with_name(f".{self._path.name}.{os.getpid()}.tmp")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            book.save(beside)
            beside.replace(self._path)
        except OSError as error:
            beside.unlink(missing_ok=True)
            raise Transient(f"cannot write {self._path}: {error.strerror}; is it open in a program?") from error


def _as_stored(row: Row) -> Row:
    """A row as the file will give it back, so that a text that had to be changed is not a difference for ever."""
    cells = tuple((name, to_cell_text(v) if isinstance(v, str) else v) for name, v in row.cells)
    return Row(row.tab, to_cell_text(row.key), row.entry, cells, row.sources)


def _new_book() -> Book:
    book = Book()
    for sheet in list(book.worksheets):
        book.remove(sheet)
    return book


def _tab(book: Book, name: str) -> Tab:
    sheet = book[name] if name in book.sheetnames else book.create_sheet(name)
    tab = Tab(sheet, name)
    tab.lay_out()
    return tab


def _link(tabs: Mapping[str, Tab]) -> None:
    for name, column, target, key_columns in _LINKS:
        for key in tabs[name].row_keys:
            parts = [tabs[name].cell(key, c) for c in key_columns]
            row = tabs[target].row_of(_joined(p.value for p in parts if p is not None))
            cell = tabs[name].cell(key, column)
            if cell is not None and row is not None:
                cell.hyperlink = Hyperlink(ref=cell.coordinate, location=f"'{target}'!C{row}")
            elif cell is not None:
                cell.hyperlink = None


def _joined(values: Iterable[object]) -> str:
    return ".".join(_text(v) for v in values)


def _text(value: object) -> str:
    found: Scalar = value if isinstance(value, (str, int, float)) else None
    return "" if found is None else str(found)
