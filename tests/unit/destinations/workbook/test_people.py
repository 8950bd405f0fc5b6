"""Whatever people do to the file between two runs: nothing of theirs is lost, nothing of ours is doubled."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from metadata_assets.destinations.workbook.destination import Workbook
from metadata_assets.destinations.workbook.layout import KEY
from metadata_assets.model.entity import Entry, TableEntry
from metadata_assets.model.publication import Wanted
from metadata_assets.model.table import TableName
from tests.unit.destinations.workbook import people

NAMES = ("raw.a", "raw.b", "raw.c", "clean.d")
EDITS = st.lists(st.tuples(st.sampled_from(people.EDITS), st.integers(0, 40)), max_size=5)
CATALOGS = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(["", "one", "two\nlines", "=1+1"]), min_size=1)


def entries(catalog: dict[str, str]) -> tuple[Entry, ...]:
    return tuple(TableEntry(TableName.parse(n), "managed", description=catalog[n]) for n in sorted(catalog))


def run(path: Path, catalog: dict[str, str]) -> None:
    removed = frozenset(f"table:{n}" for n in NAMES if n not in catalog)
    asked = Wanted(entries(catalog), removed)
    changes = Workbook(path).diff(asked, {})
    assert not changes.refused
    assert not Workbook(path).apply(changes).failed
    again = Workbook(path).diff(asked, {})
    assert (again.changes, again.refused) == ((), ())


def theirs(path: Path) -> Counter[tuple[str, str]]:
    """Every text of people, with the key of the row that it stands in."""
    sheet = people.tables(load_workbook(path))
    key_column = people.column(sheet, KEY)
    return Counter(
        (str(cell.value), str(row[key_column - 1].value))
        for row in sheet.iter_rows()
        for cell in row
        if str(cell.value).startswith(("human", "Left human", "Mine "))
    )


def ours(path: Path) -> Counter[str]:
    """How often each key stands in the tab."""
    sheet = people.tables(load_workbook(path))
    key_column = people.column(sheet, KEY)
    keys = (sheet.cell(n, key_column).value for n in range(people.header(sheet) + 1, sheet.max_row + 1))
    return Counter(str(k) for k in keys if k)


# A failure is shown as it was found: shrinking it would take minutes of reading and writing files.
@settings(max_examples=25, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(rounds=st.lists(st.tuples(EDITS, CATALOGS), min_size=1, max_size=4))
def test_random_edits_between_runs(
    tmp_path_factory: pytest.TempPathFactory, rounds: list[tuple[list[tuple[people.Edit, int]], dict[str, str]]]
) -> None:
    path = tmp_path_factory.mktemp("people") / "catalog.xlsx"
    run(path, dict.fromkeys(NAMES, "one"))
    for turn, (edits, catalog) in enumerate(rounds):
        for step, (change, number) in enumerate(edits):
            people.edit(path, lambda book, c=change, n=number, t=f"human {turn}.{step}": c(people.tables(book), n, t))  # type: ignore[misc]
        before, keys = theirs(path), ours(path)
        run(path, catalog)
        assert theirs(path) == before
        after = ours(path)
        assert {k: n for k, n in after.items() if k in keys} == keys
        assert all(n == 1 for k, n in after.items() if k not in keys)
        assert set(catalog) <= set(after)
        book = load_workbook(path)
        assert len([s for s in book.worksheets if s.title in people.TABLES]) == 1
