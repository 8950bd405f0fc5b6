"""Tags follow the value, stop where it can no longer be read, and can say which way they came."""

import pytest

from metadata_assets.catalog.graph import LineageGraph
from metadata_assets.catalog.propagation import plan_inherited, shortest_path
from metadata_assets.model.entity import Propagate, TagEntry
from metadata_assets.model.finding import Verdict
from metadata_assets.model.lineage import Transform
from tests.unit.catalog.made import edge, graph, ref


def tag(name: str = "CPF", *, verdict: Verdict = "confirmed", propagate: Propagate = "until_masked") -> TagEntry:
    return TagEntry(name, verdict, "t.yaml:1", propagate=propagate)


def spread(found: LineageGraph, **direct: TagEntry | list[TagEntry]) -> dict[str, list[str]]:
    """Column → `tag<origin`; the keyword `a_x` gives tags to column x of table a."""
    given = {ref(k.replace("_", ".")): t if isinstance(t, list) else [t] for k, t in direct.items()}
    return {
        str(c).removeprefix("raw."): [f"{t.name}<{(t.inherited_from or '').removeprefix('raw.')}" for t in tags]
        for c, tags in plan_inherited(given, found).items()
    }


@pytest.mark.parametrize(
    ("transform", "propagate", "arrives"),
    [
        ("identity", "until_masked", True),
        ("transformation", "until_masked", True),
        ("masking", "until_masked", False),
        ("aggregation", "until_masked", False),
        ("indirect", "until_masked", False),
        ("identity", "always", True),
        ("masking", "always", True),
        ("aggregation", "always", True),
        ("indirect", "always", False),
        ("identity", "never", False),
    ],
)
def test_where_a_tag_stops(transform: Transform, propagate: Propagate, arrives: bool) -> None:
    found = graph(edge("a.x>b.x", transform), "b.x>c.x")
    expected = {"b.x": ["CPF<a.x"], "c.x": ["CPF<a.x"]} if arrives else {}
    assert spread(found, a_x=tag(propagate=propagate)) == expected


@pytest.mark.parametrize("verdict", ["suggested", "rejected"])
def test_only_a_confirmed_tag_travels(verdict: Verdict) -> None:
    assert spread(graph("a.x>b.x"), a_x=tag(verdict=verdict)) == {}


@pytest.mark.parametrize(("verdict", "inherits"), [("confirmed", False), ("rejected", False), ("suggested", True)])
def test_what_is_decided_of_a_column_is_not_inherited(verdict: Verdict, inherits: bool) -> None:
    found = spread(graph("a.x>b.x", edge("b.x>c.x", "masking")), a_x=tag(), b_x=tag(verdict=verdict))
    assert found == ({"b.x": ["CPF<a.x"]} if inherits else {})


def test_tags_of_different_names_do_not_disturb_each_other() -> None:
    found = spread(graph("a.x>c.x", "b.x>c.x"), a_x=[tag("B"), tag("A")], b_x=tag("C"), c_x=tag("D"))
    assert found == {"c.x": ["A<a.x", "B<a.x", "C<b.x"]}


def test_a_diamond_gives_a_tag_once() -> None:
    assert spread(graph("a.x>b.x", "a.x>c.x", "b.x>d.x", "c.x>d.x"), a_x=tag())["d.x"] == ["CPF<a.x"]


def test_one_open_way_is_enough() -> None:
    found = graph(edge("a.x>b.x", "masking"), "b.x>d.x", "a.x>c.x", "c.x>d.x")
    assert spread(found, a_x=tag()) == {"c.x": ["CPF<a.x"], "d.x": ["CPF<a.x"]}


def test_of_two_sources_the_nearer_is_named() -> None:
    found = graph("a.x>b.x", "b.x>c.x", "c.x>d.x", "z.x>d.x")
    assert spread(found, a_x=tag(), z_x=tag())["d.x"] == ["CPF<z.x"]
    assert spread(graph("a.x>d.x", "z.x>d.x"), a_x=tag(), z_x=tag())["d.x"] == ["CPF<a.x"]


def test_a_circle_ends() -> None:
    assert spread(graph("a.x>b.x", "b.x>a.x", "b.x>b.y"), a_x=tag()) == {"b.x": ["CPF<a.x"], "b.y": ["CPF<a.x"]}


def test_an_inherited_tag_keeps_what_its_source_says() -> None:
    given = TagEntry("CPF", "confirmed", "t.yaml:3", band="certain", propagate="always")
    (inherited,) = plan_inherited({ref("a.x"): [given]}, graph("a.x>b.x"))[ref("b.x")]
    assert inherited == TagEntry("CPF", "confirmed", "t.yaml:3", "raw.a.x", "certain", "always")
    assert inherited.source == "t.yaml:3"


def path(found: LineageGraph, target: str, propagate: Propagate = "until_masked") -> list[str]:
    columns = shortest_path(found, ref("a.x"), ref(target), tag(propagate=propagate))
    return [str(c).removeprefix("raw.") for c in columns]


def test_the_path_is_a_shortest_one_that_is_open() -> None:
    found = graph(edge("a.x>d.x", "masking"), "a.x>b.x", "b.x>c.x", "c.x>d.x", "b.x>d.x", "d.x>a.x")
    assert path(found, "d.x") == ["a.x", "b.x", "d.x"]
    assert path(found, "d.x", "always") == ["a.x", "d.x"]


def test_there_may_be_no_path() -> None:
    found = graph(edge("a.x>b.x", "indirect"), "c.x>d.x")
    assert path(found, "b.x", "always") == []
    assert path(found, "d.x") == []
