"""The lineage graph: what reaches what, in both directions."""

from metadata_assets.catalog.graph import LineageGraph, TableEdge
from metadata_assets.model.entity import Upstream
from tests.unit.catalog.made import declared, edge, graph, name, ref, script, statement, table_graph


def reached(found: LineageGraph, start: str, *, upstream: bool = False) -> list[str]:
    return [f"{n} {e.job}" for n, e in found.reached(name(start), upstream=upstream)]


def test_the_walk_is_breadth_first_in_both_directions() -> None:
    found = table_graph("a>b", "b>c", "a>d", "d>c", "c>e")
    assert reached(found, "a") == ["1 ab", "1 ad", "2 bc", "2 dc", "3 ce"]
    assert reached(found, "e", upstream=True) == ["1 ce", "2 bc", "2 dc", "3 ab", "3 ad"]
    assert reached(found, "unknown") == []


def test_a_cycle_ends_the_walk() -> None:
    found = table_graph("a>b", "b>c", "c>a", "c>d")
    assert reached(found, "a") == ["1 ab", "2 bc", "3 ca", "3 cd"]
    assert reached(found, "a", upstream=True) == ["1 ca", "2 bc", "3 ab"]


def test_an_edge_to_itself_is_left_out() -> None:
    found = LineageGraph.of([script(statement("a", "a b", edge("a.x>a.x"), edge("a.x>a.y")))], [])
    assert [e.source for e in found.tables_into[name("a")]] == [name("b")]
    assert found.into_columns_of(name("a"), ["x", "y"]) == (edge("a.x>a.y"),), "between two columns the value does flow"


def test_an_edge_that_two_statements_make_is_one() -> None:
    found = LineageGraph.of([script(statement("b", "a", edge("a.x>b.x"))) for _ in range(2)], [])
    assert len(found.tables_from[name("a")]) == 1
    assert [n for n, _ in found.reached_columns(ref("a.x"))] == [1]


def test_declared_stands_beside_inferred() -> None:
    found = LineageGraph.of([script(statement("b", "a c"))], [declared("spark", "b", "a"), declared("again", "b", "a")])
    assert found.upstream_of(name("b")) == (
        Upstream(name("a"), ("job",)),
        Upstream(name("a"), ("again", "spark"), declared=True),
        Upstream(name("c"), ("job",)),
    )
    assert found.tables_from[name("a")] == (
        TableEdge(name("a"), name("b"), "job"),
        TableEdge(name("a"), name("b"), "spark", declared=True),
        TableEdge(name("a"), name("b"), "again", declared=True),
    )
    assert found.upstream_of(name("a")) == ()


def test_columns_are_walked_in_both_directions() -> None:
    found = graph("a.x>b.x", "b.x>c.x", "b.x>a.x", "z.q>c.x")
    assert [str(e.target) for _, e in found.reached_columns(ref("a.x"))] == ["raw.b.x", "raw.c.x", "raw.a.x"]
    assert [(n, str(e.source)) for n, e in found.reached_columns(ref("c.x"), upstream=True)] == [
        (1, "raw.b.x"), (1, "raw.z.q"), (2, "raw.a.x"), (3, "raw.b.x"),
    ]  # fmt: skip


def test_edges_into_a_table_are_ordered_and_of_its_columns_only() -> None:
    found = graph("z.q>c.y", "b.x>c.x", "a.x>c.x", "a.x>c.gone", "a.x>d.x")
    assert found.into_columns_of(name("c"), ["y", "x"]) == (edge("a.x>c.x"), edge("b.x>c.x"), edge("z.q>c.y"))
