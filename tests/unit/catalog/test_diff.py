"""Entries compared field by field: every difference is named, nothing else is."""

import dataclasses
from dataclasses import replace
from typing import Any

import pytest

from metadata_assets.catalog.diff import compare, diff_entries, to_fields
from metadata_assets.model.entity import (
    CategoryEntry,
    ColumnEntry,
    DatabaseEntry,
    Entry,
    ProcessEntry,
    TableEntry,
    TagEntry,
    TermEntry,
    Upstream,
)
from metadata_assets.model.lineage import ColumnEdge, ColumnRef
from metadata_assets.model.publication import FieldChange, Wanted
from metadata_assets.model.table import TableName
from tests.conformance.catalog import edge, raw_users

NAME = TableName("raw", "t")
TAG, COLUMN = TagEntry("A"), ColumnEntry("c", "int")
UPSTREAM = Upstream(TableName("raw", "s"), ("job",))
EDGE = edge("raw.s.a", "raw.t.c")


def table(**fields: Any) -> TableEntry:
    return TableEntry(NAME, "managed", **fields)


# A changed value for every field that counts. A field that is added to the model needs a line here.
NEW: dict[type, dict[str, Any]] = {
    TagEntry: {"name": "B", "verdict": "suggested", "inherited_from": "raw.s.a", "band": "weak", "propagate": "never"},
    ColumnEntry: {"name": "d", "type_text": "string", "partition_key": True, "comment": "c", "description": "d",
                  "tags": (TAG,), "terms": ("x",)},
    Upstream: {"table": TableName("raw", "z"), "jobs": ("a", "b"), "declared": True},
    ColumnEdge: {"source": ColumnRef.parse("raw.s.b"), "target": ColumnRef.parse("raw.t.d"), "kind": "EXPRESSION",
                 "subtype": "AGGREGATION", "masking": True},
    TableEntry: {"kind": "view", "columns": (COLUMN,), "comment": "c", "description": "", "owner": "o",
                 "location": "l", "provider": "orc", "created_at": 1, "schema_origin": "query", "view_text": "v",
                 "tags": (TAG,), "terms": ("x",), "meta": (("k", None),), "upstream": (UPSTREAM,),
                 "column_lineage": (EDGE,), "notes": ("n",)},
    DatabaseEntry: {"comment": "c", "owner": "o", "location": "l"},
    CategoryEntry: {"description": "d", "parent": "p"},
    TermEntry: {"description": "d", "category": "c", "owner": "o"},
    ProcessEntry: {"inputs": (NAME,), "columns": (EDGE,), "declared": True},
}  # fmt: skip
IDENTITY = {"name", "job", "output"}
HOLDERS: dict[type, Any] = {
    TagEntry: lambda part: table(tags=(part,)),
    ColumnEntry: lambda part: table(columns=(part,)),
    Upstream: lambda part: table(upstream=(part,)),
    ColumnEdge: lambda part: table(column_lineage=(part,)),
}
PLAIN = {
    TagEntry: TAG, ColumnEntry: COLUMN, Upstream: UPSTREAM, ColumnEdge: EDGE, TableEntry: table(),
    DatabaseEntry: DatabaseEntry("d"), CategoryEntry: CategoryEntry("c"), TermEntry: TermEntry("t"),
    ProcessEntry: ProcessEntry("j", NAME),
}  # fmt: skip


@pytest.mark.parametrize(("kind", "field"), [(k, f) for k, fields in NEW.items() for f in fields])
def test_no_change_goes_unnamed(kind: type, field: str) -> None:
    hold = HOLDERS.get(kind, lambda entry: entry)
    old: Any = PLAIN[kind]
    before, after = hold(old), hold(replace(old, **{field: NEW[kind][field]}))
    assert before != after
    assert diff_entries(before, after)
    assert diff_entries(after, after) == ()


@pytest.mark.parametrize("kind", NEW)
def test_every_field_is_covered_above(kind: Any) -> None:
    counted = {f.name for f in dataclasses.fields(kind) if f.compare}
    assert counted - (IDENTITY if kind not in HOLDERS else set()) == set(NEW[kind])


def c(*names: str) -> tuple[ColumnEntry, ...]:
    return tuple(ColumnEntry(n, "int") for n in names)


@pytest.mark.parametrize(
    ("old", "new", "fields"),
    [
        (table(owner="a"), table(owner="b"), [("owner", "a", "b")]),
        (table(owner="a"), table(), [("owner", "a", None)]),
        (table(description="a"), table(description=""), [("description", "a", "")]),
        (table(columns=c("a", "b")), table(columns=c("b", "a")), [("columns", "a, b", "b, a")]),
        (table(columns=c("a", "b", "d")), table(columns=c("b", "d")),
         [("columns.a.name", "a", None), ("columns.a.type", "int", None)]),
        (table(columns=c("b")), table(columns=c("a", "b")),
         [("columns.a.name", None, "a"), ("columns.a.type", None, "int")]),
        (table(columns=c("A", "a")), table(columns=c("A")),
         [("columns.a#2.name", "a", None), ("columns.a#2.type", "int", None)]),
        (table(tags=(TAG,)), table(tags=(TAG, TagEntry("B", "suggested", band="weak", inherited_from="x.y.z"))),
         [("tags", "A", "A, B (suggested; weak; from x.y.z)")]),
        (table(), table(column_lineage=(EDGE, replace(EDGE, masking=True))),
         [("lineage.c ← raw.s.a", None, "SIMPLE identity, SIMPLE masking")]),
        (table(upstream=(UPSTREAM,)), table(upstream=(replace(UPSTREAM, declared=True),)),
         [("lineage.raw.s", "job", "job (declared)")]),
        (None, DatabaseEntry("d", "c"), [("comment", None, "c")]),
        (TermEntry("t", "d"), None, [("description", "d", None)]),
    ],
)  # fmt: skip
def test_differences(old: Entry | None, new: Entry | None, fields: list[tuple[str, Any, Any]]) -> None:
    assert [(f.field, f.old, f.new) for f in diff_entries(old, new)] == fields


def test_the_source_of_a_change_is_who_says_the_new_value_or_said_the_old() -> None:
    sources = {"description": "docs.yaml:3", "schema": "metastore"}
    tagged = ColumnEntry("c", "int", tags=(TagEntry("A", source="tags.yaml:1"), TagEntry("B", source="rule")))
    full = table(description="d", owner="o", columns=(tagged,), upstream=(UPSTREAM,), sources=sources)
    expected = {
        "description": "docs.yaml:3",
        "owner": "metastore",
        "columns.c.type": "metastore",
        "columns.c.tags": "rule, tags.yaml:1",
        "lineage.raw.s": "lineage",
    }
    for old, new in ((None, full), (full, None)):
        found = {f.field: f.source for f in diff_entries(old, new)}
        assert {name: found[name] for name in expected} == expected


def test_fields_leave_out_what_nobody_says() -> None:
    assert to_fields(table(description="")) == {"kind": "managed", "description": "", "schema_origin": "metastore"}


@pytest.mark.parametrize(
    ("held", "wanted", "actions"),
    [
        ({}, Wanted((table(),)), ["create"]),
        ({"table:raw.t": None}, Wanted((table(),)), ["restore"]),
        ({"table:raw.t": table()}, Wanted((table(),)), []),
        ({"table:raw.t": table()}, Wanted((table(),), force=True), ["update"]),
        ({"table:raw.t": table()}, Wanted((table(owner="o"),)), ["update"]),
        ({"table:raw.t": table()}, Wanted(removed=frozenset({"table:raw.t"})), ["delete"]),
        ({"table:raw.t": None}, Wanted(removed=frozenset({"table:raw.t"})), []),
        ({}, Wanted(removed=frozenset({"table:raw.t"})), []),
        ({"table:raw.t": table()}, Wanted((table(),), frozenset({"table:raw.t"})), []),
        ({"table:raw.t": table()}, Wanted(), []),
    ],
)
def test_what_is_held_and_wanted_decides_the_action(
    held: dict[str, Entry | None], wanted: Wanted, actions: list[str]
) -> None:
    changes = compare(wanted, held)
    assert [c.action for c in changes.changes] == actions
    assert changes.listed == len(wanted.entries) + len(wanted.removed - {e.subject for e in wanted.entries})


def test_a_deletion_shows_what_goes() -> None:
    changes = compare(Wanted(removed=frozenset({raw_users().subject})), {raw_users().subject: raw_users()})
    assert FieldChange("owner", "growth", None, "metastore") in changes.changes[0].fields
