"""Entries as rows. The golden file shows one rich catalog in all tabs; METADATA_UPDATE_GOLDEN=1 writes it anew."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from metadata_assets.catalog.rows import TABS, entry_of, key_of, to_rows
from metadata_assets.model.entity import (
    CategoryEntry,
    ColumnEntry,
    DatabaseEntry,
    Entry,
    ProcessEntry,
    TableEntry,
    TagEntry,
    TermEntry,
)
from metadata_assets.model.table import TableName
from tests.conformance.catalog import edge, everything, raw_users

GOLDEN = Path(__file__).parents[2] / "golden" / "rows" / "catalog.json"


def test_golden() -> None:
    found = [
        {"tab": r.tab, "key": r.key, "entry": r.entry, "cells": dict(r.cells), "sources": dict(r.sources)}
        for r in to_rows(everything())
    ]
    text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("METADATA_UPDATE_GOLDEN") == "1":
        GOLDEN.write_text(text)
    assert json.loads(text) == json.loads(GOLDEN.read_text())


def test_rows_have_the_columns_of_their_tab_and_tell_who_they_are() -> None:
    rows = to_rows(everything())
    assert {r.tab for r in rows} == set(TABS)
    assert len({r.subject for r in rows}) == len(rows)
    for row in rows:
        cells = dict(row.cells)
        assert tuple(cells) == TABS[row.tab]
        assert (key_of(row.tab, cells), entry_of(row.tab, cells)) == (row.key, row.entry)


def cells_of(*entries: Entry, tab: str) -> dict[str, dict[str, object]]:
    return {r.key: dict(r.cells) for r in to_rows(entries) if r.tab == tab}


def test_nothing_gives_no_rows() -> None:
    assert to_rows([]) == []


def test_columns_with_one_name_but_for_case_have_two_keys() -> None:
    rows = to_rows([raw_users(columns=(ColumnEntry("ID", "int"), ColumnEntry("id", "int"), ColumnEntry("Id", "int")))])
    assert [r.key for r in rows[1:]] == ["raw.users.id", "raw.users.id#2", "raw.users.id#3"]


@pytest.mark.parametrize(
    ("parents", "path"),
    [
        ({"c": "b", "b": "a", "a": None}, "a / b / c"),
        ({"c": "gone"}, "gone / c"),
        ({"c": None}, "c"),
        ({}, "c"),
        ({"c": "b", "b": "c"}, "b / c"),
        ({"c": "c"}, "c"),
    ],
)
def test_a_term_shows_all_categories_above(parents: dict[str, str | None], path: str) -> None:
    categories = [CategoryEntry(name, parent=parent) for name, parent in parents.items()]
    assert cells_of(TermEntry("t", category="c"), *categories, tab="Glossary")["term:t"]["Path"] == path


def test_tags_stand_where_their_verdict_and_origin_put_them() -> None:
    tags = (
        TagEntry("OWN"),
        TagEntry("SURE", band="certain"),
        TagEntry("CAME", inherited_from="a.b.c"),
        TagEntry("MAYBE", "suggested", band="likely"),
        TagEntry("MAYBE_CAME", "suggested", inherited_from="a.b.c"),
        TagEntry("NO", "rejected"),
        TagEntry("NO_CAME", "rejected", inherited_from="a.b.c"),
    )
    shown = cells_of(raw_users(columns=(ColumnEntry("c", "int", tags=tags),)), tab="Columns")["raw.users.c"]
    assert (shown["Tags"], shown["Inherited tags"]) == ("OWN, SURE (certain)", "CAME (from a.b.c)")
    assert shown["Suspected"] == "MAYBE (likely), MAYBE_CAME (from a.b.c)"


def test_a_job_shows_what_flows_from_each_table() -> None:
    one, two, to = (TableName("a", n) for n in ("one", "two", "to"))
    edges = (edge("a.one.x", "a.to.x"), replace(edge("a.one.y", "a.to.z"), masking=True))
    shown = cells_of(ProcessEntry("job", to, (one, two), edges, declared=True), tab="Lineage")
    assert shown["job a.one a.to"]["Column flow"] == "x → x; y → z (masking)"
    assert (shown["job a.one a.to"]["Columns"], shown["job a.two a.to"]["Columns"]) == (2, 0)
    many = tuple(edge(f"a.one.c{n}", f"a.to.c{n}") for n in range(40))
    flow = str(cells_of(ProcessEntry("job", to, (one,), many), tab="Lineage")["job a.one a.to"]["Column flow"])
    assert flow.endswith("c29 → c29; … 10 more")


def test_a_database_without_tables_covers_nothing() -> None:
    shown = cells_of(DatabaseEntry("empty"), tab="Coverage")["empty"]
    assert (shown["Tables"], shown["Share of tables"], shown["Share of columns"]) == (0, 0.0, 0.0)


def test_counts_are_of_whole_columns() -> None:
    entry = TableEntry(
        TableName("a", "t"), "view", (ColumnEntry("s", "struct"), ColumnEntry("s.x", "int", comment="c"))
    )
    assert cells_of(entry, tab="Tables")["a.t"]["Columns"] == 1
    assert cells_of(entry, tab="Tables")["a.t"]["Described columns"] == 0
    assert set(cells_of(entry, tab="Columns")) == {"a.t.s", "a.t.s.x"}
