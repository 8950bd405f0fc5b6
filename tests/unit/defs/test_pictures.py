"""Pictures of lineage in metadata: a section a table, bounded, and names are text."""

import base64
import re
from xml.etree import ElementTree

from metadata_assets.catalog.picture import MAX_EDGES
from metadata_assets.defs.pictures import lineage_pictures
from metadata_assets.model.entity import TableEntry, Upstream
from metadata_assets.model.lineage import ColumnEdge, ColumnRef
from metadata_assets.model.table import TableName


def entry(name: str, edges: int = 1) -> TableEntry:
    source, target = TableName("raw", "u_1"), TableName("clean", name)
    return TableEntry(
        target,
        "managed",
        upstream=(Upstream(source, ("job <1>",)),),
        column_lineage=tuple(
            ColumnEdge(ColumnRef(source, f"<a{i}>"), ColumnRef(target, f"b{i}")) for i in range(edges)
        ),
    )


def test_nothing_to_draw() -> None:
    assert lineage_pictures([]) == "None of the changed tables has lineage."
    assert lineage_pictures([TableEntry(TableName("a", "b"), "view")]) == "None of the changed tables has lineage."


def test_a_section_names_jobs_and_holds_a_picture() -> None:
    shown = lineage_pictures([entry("t")])
    assert "**clean.t**" in shown
    assert "- raw.u\\_1 through job \\<1\\>" in shown
    (picture,) = re.findall(r"data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)", shown)
    tree = ElementTree.fromstring(base64.b64decode(picture))
    assert tree.tag.endswith("svg")
    assert any("<a0>" in (node.text or "") for node in tree.iter()), "names are text in the picture too"


def test_it_is_bounded() -> None:
    shown = lineage_pictures([entry(f"t{i}") for i in range(10)])
    assert shown.count("![lineage]") == 8
    assert shown.endswith("… and 2 more tables")
    assert "… and 3 more edges" in lineage_pictures([entry("t", MAX_EDGES + 3)])


def test_a_table_without_columns_has_no_picture() -> None:
    assert "![" not in lineage_pictures([entry("t", 0)])
