"""What a change reaches, by which way."""

from metadata_assets.catalog.graph import LineageGraph, TableEdge
from metadata_assets.catalog.impact import reached_from
from tests.unit.catalog.made import declared, edge, name, ref, script, statement, table_graph


def ways(graph: LineageGraph, start: str, *, upstream: bool = False) -> list[tuple[int, str, str, str]]:
    found = reached_from(graph, name(start), upstream=upstream)
    return [(r.distance, str(r.name), str(r.through), " ".join(r.jobs)) for r in found]


def test_tables_are_reached_nearest_first() -> None:
    graph = table_graph("a>b", "b>c", "a>c", "z>a")
    assert ways(graph, "a") == [
        (1, "raw.b", "raw.a", "ab"),
        (1, "raw.c", "raw.a", "ac"),
        (2, "raw.c", "raw.b", "bc"),
    ]
    assert ways(graph, "c", upstream=True) == [
        (1, "raw.a", "raw.c", "ac"),
        (1, "raw.b", "raw.c", "bc"),
        (2, "raw.a", "raw.b", "ab"),
        (2, "raw.z", "raw.a", "za"),
    ]


def test_jobs_that_do_the_same_are_one_answer_and_what_people_declared_is_another() -> None:
    a, b = name("a"), name("b")
    edges = [TableEdge(a, b, "two"), TableEdge(a, b, "one"), TableEdge(a, b, "by_hand", declared=True)]
    found = reached_from(LineageGraph(edges, []), a, upstream=False)
    assert {r.kind: r.jobs for r in found} == {"inferred": ("one", "two"), "declared": ("by_hand",)}


def test_columns_are_reached_with_what_happens_to_them_and_the_jobs_between_their_tables() -> None:
    graph = LineageGraph.of(
        [script(statement("b", "a", edge("a.x>b.y", "masking"), file="jobs/mask.sql"))],
        [declared("copy", "c", "b", edge("b.y>c.y"))],
    )
    found = reached_from(graph, ref("a.x"), upstream=False)
    assert [(str(r.name), r.kind, r.jobs, str(r.table)) for r in found] == [
        ("raw.b.y", "EXPRESSION masking", ("jobs/mask",), "raw.b"),
        ("raw.c.y", "SIMPLE identity", ("copy",), "raw.c"),
    ]


def test_a_circle_ends() -> None:
    assert [w[1] for w in ways(table_graph("a>b", "b>a"), "a")] == ["raw.b", "raw.a"]
