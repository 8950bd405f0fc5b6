"""Reads and writes the workbook: one read, one difference, one write of the whole file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from openpyxl import Workbook as Book
from openpyxl.worksheet.worksheet import Worksheet

from metadata_assets.catalog.rows import TABS, to_rows
from metadata_assets.catalog.tabs import compare_rows
from metadata_assets.destinations.workbook import sheet as sheets
from metadata_assets.destinations.workbook.about import ABOUT, write_about
from metadata_assets.destinations.workbook.file import parse_book, read_bytes, replace_file, unreadable
from metadata_assets.destinations.workbook.layout import KEY, Layout, find_tab, read_layout
from metadata_assets.destinations.workbook.links import set_links
from metadata_assets.destinations.workbook.sheet import Tab, no_room
from metadata_assets.destinations.workbook.texts import MAX_TEXT, to_cell_text, to_key_text
from metadata_assets.isolation import guarded
from metadata_assets.model.publication import (
    Change,
    Changes,
    FieldChange,
    Outcome,
    Published,
    Receipt,
    Refusal,
    Row,
    Wanted,
    parse_row_subject,
)


class Workbook:
    """A destination that is one XLSX file; it is replaced as a whole, so a reader never sees half of it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def diff(self, wanted: Wanted, published: Mapping[str, Published]) -> Changes:
        """Compares with the file itself: what people changed in our columns is put right at the next write."""
        layouts = self.read()
        held = {h.subject: h for layout in layouts.values() for h in layout.held}
        rows = [_as_stored(r) for r in to_rows(wanted.entries)]
        return _possible(_with_repairs(compare_rows(rows, wanted, held), rows, layouts), layouts)

    def read(self) -> dict[str, Layout]:
        """What the tabs of the file hold; a tab that is not there is left out."""
        content = read_bytes(self._path)
        if content is None:
            return {}
        book = parse_book(self._path, content, read_only=True)
        return guarded(unreadable(self._path), lambda: _read_layouts(book)).unwrap()

    def apply(self, changes: Changes) -> Receipt:
        """Write all changes in place and replace the file."""
        if not changes.changes:
            return Receipt()
        content = read_bytes(self._path)
        book = _new_book() if content is None else parse_book(self._path, content, read_only=False)
        tabs = {name: Tab(_sheet(book, name), name) for name in TABS}
        outcomes = tuple(Outcome(c.subject, _write(tabs, c)) for c in changes.changes)
        set_links(tabs)
        for tab in tabs.values():
            tab.finish()
        replace_file(self._path, book, content)
        return Receipt(outcomes)


def _read_layouts(book: Book) -> dict[str, Layout]:
    layouts = {}
    for name in TABS:
        sheet = _find(book, name)
        if sheet is not None:
            layouts[name] = read_layout(name, sheet.iter_rows())
    return layouts


def _find(book: Book, name: str) -> Worksheet | None:
    """The tab by its name, or where people renamed it by its headers."""
    by_name = {s.title: s for s in book.worksheets}
    for sheet in by_name.values():
        if hasattr(sheet, "reset_dimensions"):  # what other programs wrote there about the size may be wrong
            sheet.reset_dimensions()
    if name in by_name:
        return by_name[name]
    others = [s for title, s in by_name.items() if title not in TABS]
    return next((s for s in others if find_tab(s.iter_rows(max_row=20)) == name), None)


def _sheet(book: Book, name: str) -> Worksheet:
    found = _find(book, name)
    return found if found is not None else book.create_sheet(name)


def _new_book() -> Book:
    book = Book()
    for sheet in list(book.worksheets):
        book.remove(sheet)
    write_about(book.create_sheet(ABOUT))
    for name in ("Tables", "Columns", "Databases", "Glossary", "Lineage", "Coverage"):
        book.create_sheet(name)
    book.active = 1
    return book


def _write(tabs: Mapping[str, Tab], change: Change) -> str | None:
    name, key = parse_row_subject(change.subject)
    if name not in tabs:
        return f"the workbook has no tab {name}"
    if isinstance(change.wanted, Row):
        if change.previous:
            tabs[name].rename(parse_row_subject(change.previous)[1], key)
        return tabs[name].write(change.wanted)
    tabs[name].retire(key)
    return None


def _as_stored(row: Row) -> Row:
    """A row as the file will give it back, so that a text that had to be changed is not a difference for ever."""
    cells = tuple((name, to_cell_text(v) if isinstance(v, str) else v) for name, v in row.cells)
    return replace(row, cells=cells)


def _with_repairs(changes: Changes, rows: Sequence[Row], layouts: Mapping[str, Layout]) -> Changes:
    """The changes, with rows that say what they should and whose tab has lost something of ours: each whose hidden
    cells are to be put back, and one a tab for its headers."""
    changing = {c.subject for c in changes.changes}
    broken = {tab: _header_repairs(layout) for tab, layout in layouts.items() if layout.columns}
    done = {parse_row_subject(subject)[0] for subject in changing}  # a tab that is written to is put in order as well
    repairs: list[Change] = []
    for row in rows:
        fields = () if row.tab in done else broken.get(row.tab, ())
        if row.tab in layouts and row.key in layouts[row.tab].unmarked:
            fields += (FieldChange(KEY, None, row.key, "restored"),)
        if fields and row.subject not in changing:
            repairs.append(Change(row.subject, "update", row, fields, row.entry))
            done.add(row.tab)
    return replace(changes, changes=(*changes.changes, *repairs))


def _header_repairs(layout: Layout) -> tuple[FieldChange, ...]:
    return tuple(
        FieldChange(f"header {name}", found, name, "restored")
        for name, found in layout.headers.items()
        if found != name
    )


def _possible(changes: Changes, layouts: Mapping[str, Layout]) -> Changes:
    """The changes without those that the format or the state of a tab does not allow, which are refused."""
    refused = tuple(_refusals(changes, layouts))
    subjects = {r.subject for r in refused}
    return Changes(changes.listed, tuple(c for c in changes.changes if c.subject not in subjects), refused)


def _refusals(changes: Changes, layouts: Mapping[str, Layout]) -> Iterator[Refusal]:
    last = {name: max(layouts[name].last_row, 1) if name in layouts else 1 for name in TABS}
    for change in changes.changes:
        name, key = parse_row_subject(change.subject)
        problem = layouts[name].problem if name in layouts else None
        if problem is None and len(to_key_text(key)) > MAX_TEXT:
            problem = f"the name is too long: a cell holds {MAX_TEXT:,} characters"
        if problem is None and change.action == "create":
            last[name] += 1
            problem = no_room(name) if last[name] > sheets.MAX_ROWS else None
        if problem is not None:
            yield Refusal(change.subject, problem, change.entry)
