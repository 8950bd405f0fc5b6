"""The lineage around some tables is complete, however little of it is decoded."""

import random
from dataclasses import replace

import pytest

from metadata_assets.catalog.graph import LineageGraph
from metadata_assets.model.claims import DeclaredJob
from metadata_assets.model.lineage import ColumnEdge, ColumnRef, Script, StatementLineage, StatementPlace
from metadata_assets.model.table import TableName
from metadata_assets.store import lineage_facts
from metadata_assets.store.facts import Facts, Reading
from metadata_assets.store.lineage_facts import LineageFacts, reached_by
from metadata_assets.store.store import Store


def name(text: str) -> TableName:
    return TableName("raw", text)


def edge(source: str, target: str) -> ColumnEdge:
    return ColumnEdge(ColumnRef(name(source), "x"), ColumnRef(name(target), "x"))


def store_script(facts: Facts, file: str, source: str, target: str) -> Script:
    place = StatementPlace(f"{file}.sql", 1, 0)
    statement = StatementLineage(place, "lineage", "INSERT", (name(source),), (name(target),), (edge(source, target),))
    script = Script((statement,))
    facts.put("script", [Reading(f"script:{file}", script, 1, "t")], "r")
    return script


def test_only_what_leads_into_the_tables_is_decoded(store: Store) -> None:
    facts = store.facts
    for file, (source, target) in enumerate([("a", "b"), ("b", "c"), ("c", "d"), ("y", "z")]):
        store_script(facts, str(file), source, target)
    job = DeclaredJob("job", (name('q"\n é'),), (name("a"),), (edge('q"\n é', "a"),))
    facts.put("declared_lineage", [Reading("job:job", job, 1, "t")], "r")
    found = LineageFacts(facts)
    assert found.upstream([name("c")]) == {name("c"), name("b"), name("a"), name('q"\n é')}
    assert {t.table for t in found.graph().tables_into} == {"a", "b", "c", "d"}, "and not z"
    assert found.downstream([name("b")]) == {name("b"), name("c"), name("d")}
    assert LineageFacts(facts).downstream([]) == set()


@pytest.mark.parametrize("few", [0, 3, 50])
def test_it_is_what_the_whole_graph_says(store: Store, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lineage_facts, "_FEW", few)
    chance = random.Random(few)
    tables = [f"t{i}" for i in range(15)]
    pairs = [chance.sample(tables, 2) for _ in range(20)]
    facts = store.facts
    whole = LineageGraph.of([store_script(facts, str(i), *pair) for i, pair in enumerate(pairs)], ())
    for table in map(name, tables):
        found = LineageFacts(facts)
        above = {e.source for _, e in whole.reached(table, upstream=True)}
        below = {e.target for _, e in whole.reached(table)}
        assert (found.upstream([table]), found.downstream([table])) == (above | {table}, below | {table})
        assert found.feeding([table]) == above | {table}, "here each table that is read gives a column"
        part = found.graph()
        assert part.upstream_of(table) == whole.upstream_of(table)
        assert part.into_columns_of(table, ["x"]) == whole.into_columns_of(table, ["x"])


def test_a_table_that_gives_no_column_feeds_all_the_same(store: Store) -> None:
    statement = StatementLineage(StatementPlace("j.sql", 1, 0), "table_only", "INSERT", (name("a"),), (name("b"),))
    store.facts.put("script", [Reading("script:j.sql", Script((statement,)), 1, "t")], "r")
    found = LineageFacts(store.facts)
    assert (found.upstream([name("b")]), found.feeding([name("b")])) == ({name("b")}, {name("a"), name("b")})


def test_what_a_change_reaches_is_downstream_of_the_edges_that_differ(store: Store) -> None:
    first = store_script(store.facts, "1", "a", "b")
    store_script(store.facts, "2", "b", "c")
    lineage = LineageFacts(store.facts)
    same = Script((replace(first.statements[0], verb="MERGE"),))
    assert reached_by(lineage, first, same) == {"table:raw.b"}
    assert reached_by(lineage, first, None) == {"table:raw.b", "table:raw.c"}
    assert reached_by(lineage, None, DeclaredJob("j", (), (name("b"),), (edge("z", "b"),))) == {
        "table:raw.b",
        "table:raw.c",
    }
