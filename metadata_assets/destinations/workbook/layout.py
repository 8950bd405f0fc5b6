"""Where things stand in a tab: our columns are found by their headers and our rows by the hidden key.

So people may sort, filter, hide, move and add columns, put lines above the header, add rows of their own and rename
tabs. Where a key stands in several rows (people copy rows) the first row is ours and the others are theirs.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Protocol

from metadata_assets.catalog.rows import TABS, entry_of, key_of
from metadata_assets.catalog.tabs import HeldRow
from metadata_assets.destinations.workbook.texts import parse_key_text, parse_raw
from metadata_assets.model.entity import Scalar

KEY, ENTRY, STATUS = "catalog key", "catalog entry", "Status"
REMOVED = "removed"
HUMAN_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "Tables": ("Proposed description", "Proposed owner", "Note"),
    "Columns": ("Proposed description", "Note"),
}
_LINES_ABOVE = 20  # how far down a header is looked for


class AnyCell(Protocol):
    """What cells of read-only and of writable sheets have in common."""

    @property
    def value(self) -> object: ...


AnyRow = Sequence[AnyCell]


@dataclass(slots=True)
class Layout:
    """What a tab holds. `columns` and `rows` count from 1. `problem`: why nothing can be written there."""

    header: int = 1
    columns: dict[str, int] = field(default_factory=dict)
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
    for number, cell in enumerate(top[header], 1):
        if cell.value is not None:
            found.columns.setdefault(str(cell.value), number)
    _read_rows(tab, enumerate(chain(top[header + 1 :], remaining), header + 2), found)
    return found


def _is_header(tab: str, line: AnyRow) -> bool:
    names = {str(c.value) for c in line if c.value is not None}
    return KEY in names or len(names & set(TABS[tab])) * 2 > len(TABS[tab])


def find_tab(lines: Iterable[AnyRow]) -> str | None:
    """Which tab a sheet with another name holds: the one whose columns it has, even if people deleted some."""
    for line in islice(lines, _LINES_ABOVE):
        names = {str(c.value) for c in line if c.value is not None}
        if KEY in names:
            scores = {tab: 2 * len(names & set(ours)) - len(ours) for tab, ours in TABS.items()}
            best = max(scores, key=lambda tab: scores[tab])
            return best if scores[best] > 0 else None
    return None


def _read_rows(tab: str, lines: Iterator[tuple[int, AnyRow]], found: Layout) -> None:
    places = {name: found.columns[name] - 1 for name in (*TABS[tab], KEY, ENTRY, STATUS) if name in found.columns}
    for number, line in lines:
        if all(c.value is None for c in line):
            continue
        found.last_row = number
        values = {name: _value(line, place) for name, place in places.items()}
        row = _to_held(tab, values)
        if row is not None and row.key not in found.rows:
            found.rows[row.key] = number
            found.held.append(row)


def _value(line: AnyRow, place: int) -> Scalar:
    if place >= len(line):
        return None
    cell = line[place]
    return parse_raw(cell.value, getattr(cell, "data_type", "n"))


def _to_held(tab: str, values: Mapping[str, Scalar]) -> HeldRow | None:
    """A row of ours, or None for people's. Where the key column was deleted, rows are known by what they show."""
    cells = {name: values.get(name) for name in TABS[tab]}
    key = parse_key_text(str(values[KEY] or "")) if KEY in values else key_of(tab, cells)
    if not key.strip(" .:"):
        return None
    entry = parse_key_text(str(values.get(ENTRY) or "")) or entry_of(tab, cells)
    return HeldRow(tab, key, entry, cells, str(values.get(STATUS) or "").startswith(REMOVED))
