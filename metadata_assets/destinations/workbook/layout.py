"""Where things stand in a tab: our columns are found by their headers and our rows by the hidden key.

A row whose key was taken away is known by its hidden entry; where both columns are gone, rows are known by what they
show. Where none of that says which row it is, nothing is written to the tab: written anew, all rows would be doubled.

So people may sort, filter, hide, move and add columns, put lines above the header, add rows of their own and rename
tabs. Where a key stands in several rows (people copy rows) the first row is ours and the others are theirs.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from metadata_assets.catalog.rows import TABS, entry_of, identity_of, key_of, shown_of
from metadata_assets.catalog.tabs import HeldRow
from metadata_assets.destinations.workbook.headers import HeaderCell, find_columns
from metadata_assets.destinations.workbook.texts import parse_key_text, parse_raw
from metadata_assets.model.entity import Scalar

KEY, ENTRY, STATUS = "catalog key", "catalog entry", "Status"
REMOVED = "removed"
HUMAN_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "Tables": ("Proposed description", "Proposed owner", "Note"),
    "Columns": ("Proposed description", "Note"),
}
_LINES_ABOVE = 20  # how far down a header is looked for


AnyRow = Sequence[HeaderCell]


@dataclass(slots=True)
class Layout:
    """What a tab holds. `columns` and `rows` count from 1. `problem`: why nothing can be written there.

    `headers` are the texts above our columns, by what they should be, None where one is missing; `unmarked` are keys of
    rows that lack a hidden cell.
    """

    header: int = 1
    columns: dict[str, int] = field(default_factory=dict)
    headers: dict[str, str | None] = field(default_factory=dict)
    unmarked: set[str] = field(default_factory=set)
    rows: dict[str, int] = field(default_factory=dict)
    held: list[HeldRow] = field(default_factory=list)
    last_row: int = 0
    problem: str | None = None


def read_layout(tab: str, lines: Iterable[AnyRow]) -> Layout:
    """Read a tab from its rows, the first of them being row 1."""
    remaining = iter(lines)
    top = list(islice(remaining, _LINES_ABOVE))
    found = Layout()
    header = next((n for n, line in enumerate(top) if _is_header(tab, line)), None)
    if header is None:
        if any(c.value is not None for line in chain(top, remaining) for c in line):
            found.problem = f"tab {tab} has lost its header row: put the names of the columns back, or rename the tab"
        return found
    found.header = found.last_row = header + 1
    ours = columns_of(tab)
    found.columns.update(find_columns(top[header], ours))
    found.headers = {n: str(top[header][found.columns[n] - 1].value) if n in found.columns else None for n in ours}
    _read_rows(tab, enumerate(chain(top[header + 1 :], remaining), header + 2), found)
    return found


def columns_of(tab: str) -> tuple[str, ...]:
    """Our columns, hidden ones too."""
    return (KEY, ENTRY, *TABS[tab], STATUS)


def _is_header(tab: str, line: AnyRow) -> bool:
    names = find_columns(line, columns_of(tab))
    return KEY in names or len(names.keys() & set(TABS[tab])) * 2 > len(TABS[tab])


def find_tab(lines: Iterable[AnyRow]) -> str | None:
    """Which tab a sheet with another name holds: the one whose columns it has, even if people deleted some."""
    for line in islice(lines, _LINES_ABOVE):
        names = {tab: find_columns(line, columns_of(tab)).keys() for tab in TABS}
        if any(KEY in found for found in names.values()):
            scores = {tab: 2 * len(names[tab] & set(ours)) - len(ours) for tab, ours in TABS.items()}
            best = max(scores, key=lambda tab: scores[tab])
            return best if scores[best] > 0 else None
    return None


def _read_rows(tab: str, lines: Iterator[tuple[int, AnyRow]], found: Layout) -> None:
    places = {name: found.columns[name] - 1 for name in columns_of(tab) if name in found.columns}
    read: list[tuple[int, dict[str, Scalar]]] = []
    for number, line in lines:
        if any(c.value is not None for c in line):
            found.last_row = number
            read.append((number, {name: _value(line, place) for name, place in places.items()}))
    nothing_hidden = not any(values.get(KEY) or values.get(ENTRY) for _, values in read)
    if nothing_hidden and read and (lacking := [n for n in identity_of(tab) if n not in found.columns]):
        found.problem = _lost(tab, f"the columns {', '.join((KEY, ENTRY, *lacking))}")
        return
    rows = [(number, _to_held(tab, values, by_what_it_shows=nothing_hidden)) for number, values in read]
    # A row with its key comes before one that has lost it: of copies, the others are people's.
    for number, held in sorted(rows, key=lambda row: row[1] is not None and not row[1].marked):
        if isinstance(held, HeldRow) and held.key == "":
            found.problem = found.problem or _lost(
                tab, f"`{KEY}` and the name in row {number} (empty `{ENTRY}` there to make the row yours)"
            )
        elif held is not None and held.key not in found.rows:
            found.rows[held.key] = number
            found.held.append(held)
            if not held.marked:
                found.unmarked.add(held.key)


def _lost(tab: str, what: str) -> str:
    return (
        f"tab {tab} has lost {what}, and nothing else says which row is which: undo that, take an older copy of the "
        "file, or delete the tab to have it written anew; till then nothing is written to it"
    )


def _value(line: AnyRow, place: int) -> Scalar:
    if place >= len(line):
        return None
    cell = line[place]
    return parse_raw(cell.value, getattr(cell, "data_type", "n"))


def _to_held(tab: str, values: Mapping[str, Scalar], *, by_what_it_shows: bool) -> HeldRow | None:
    """A row of ours, or None for people's; with an empty key where it is ours and nobody can tell which."""
    cells = {name: values.get(name) for name in TABS[tab]}
    key = parse_key_text(str(values.get(KEY) or ""))
    entry = parse_key_text(str(values.get(ENTRY) or ""))
    marked = bool(key.strip(" .:")) and bool(entry)
    if by_what_it_shows and all(cells[name] for name in identity_of(tab)):
        key = key_of(tab, cells)
    elif entry and not key.strip(" .:"):
        named = {**cells, **shown_of(tab, entry)}
        key = key_of(tab, named) if all(named[name] for name in identity_of(tab)) else ""
    elif not key.strip(" .:"):
        return None
    retired = str(values.get(STATUS) or "").startswith(REMOVED)
    return HeldRow(tab, key, entry or entry_of(tab, cells), cells, retired, marked)
