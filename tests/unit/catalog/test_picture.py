"""The lineage picture is well-formed whatever names it is given."""

from xml.etree import ElementTree

import pytest

from metadata_assets.catalog.picture import MAX_EDGES, lineage_svg
from metadata_assets.model.entity import ColumnEntry, TableEntry
from metadata_assets.model.lineage import ColumnEdge, ColumnRef
from metadata_assets.model.table import TableName

SOURCE, TARGET = TableName("raw", "a"), TableName("clean", "b")


def entry(*names: str) -> TableEntry:
    edges = tuple(ColumnEdge(ColumnRef(SOURCE, n), ColumnRef(TARGET, n)) for n in names)
    return TableEntry(TARGET, "managed", tuple(ColumnEntry(n, "string") for n in names), column_lineage=edges)


@pytest.mark.parametrize("name", ["cpf", "<script>alert(1)</script>", "a&b", "nul\x00", "x" * 500, "😀", '"quoted"'])
def test_names_are_data(name: str) -> None:
    root = ElementTree.fromstring(lineage_svg(entry(name)))
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags == {"svg", "path", "rect", "text"}


def test_one_line_an_edge_and_a_legend_of_what_is_there() -> None:
    svg = lineage_svg(entry("cpf", "nome"))
    assert svg.count("<path") == 2
    assert "identity" in svg
    assert "masking" not in svg


def test_a_wide_table_is_cut() -> None:
    assert lineage_svg(entry(*(f"c{i}" for i in range(200)))).count("<path") == MAX_EDGES


def test_without_edges_there_is_no_picture() -> None:
    assert lineage_svg(entry()) == ""
