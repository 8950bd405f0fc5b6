"""External assets of the lake: odd tables load, text from outside is text."""

import dagster as dg

from metadata_assets.defs.tables import table_event, table_specs
from metadata_assets.model.entity import ColumnEntry, TableEntry, TagEntry, Upstream
from metadata_assets.model.lineage import ColumnEdge, ColumnRef
from metadata_assets.model.table import TableName


def entry(database: str, name: str, **more: object) -> TableEntry:
    return TableEntry(TableName(database, name), "managed", **more)  # type: ignore[arg-type]  # fields by name


LONG_TAG = "a tag with blanks " * 5
ODD = [
    entry("d-1", "a-b", owner="hive/h1@EXAMPLE.COM", tags=(TagEntry(LONG_TAG),)),
    entry("d-1", "a_b", owner="joão@x.com", columns=(ColumnEntry("c", "", tags=(TagEntry("é"),)),)),
    entry("meta", "dict", owner="o'neil@x.com", location="s3a://x/y"),
    entry("日本", "t" * 300, owner="x" * 999, upstream=(Upstream(TableName("d-1", "a-b"), ("j",)),)),
]


def test_odd_tables_make_a_location_that_loads() -> None:
    specs = table_specs(ODD)
    definitions = dg.Definitions(assets=specs)
    dg.Definitions.validate_loadable(definitions)
    assert len({s.key for s in specs}) == len(ODD), "none is dropped"
    assert [d.asset_key for d in specs[3].deps] == [specs[0].key]


def test_events_and_assets_have_the_same_keys() -> None:
    assert [table_event(e).asset_key for e in ODD] == [s.key for s in table_specs(ODD)]


def test_comments_of_the_metastore_are_text_and_our_descriptions_are_markdown() -> None:
    nasty = "![x](http://evil.example/p.png) <b>&lt;"
    (comment, ours, empty) = table_specs(
        [entry("d", "a", comment=nasty), entry("d", "b", description="**bold**", comment=nasty),
         entry("d", "c", description="", comment=nasty)]
    )  # fmt: skip
    assert comment.description == "\\!\\[x\\]\\(http:\u200b//evil.example/p.png\\) \\<b\\>\\&lt;"
    assert ours.description == "**bold**"
    assert empty.description == "", "empty on purpose: the comment does not show through"
    assert table_event(entry("d", "a", comment=nasty)).description == comment.description


def test_columns_and_their_lineage() -> None:
    source, target = ColumnRef(TableName("d", "a"), "x"), ColumnRef(TableName("d", "b"), "y")
    columns = (
        ColumnEntry("y", "", comment="<i>", tags=(TagEntry(LONG_TAG), TagEntry("PII_CPF"))),
        ColumnEntry("z", "int", comment="<i>", description="*ours*"),
    )
    event = table_event(entry("d", "b", columns=columns, column_lineage=(ColumnEdge(source, target),)))
    schema = event.metadata["dagster/column_schema"]
    assert isinstance(schema, dg.TableSchemaMetadataValue)
    first, second = schema.schema.columns
    assert (first.type, first.description, first.tags["pii_cpf"]) == ("unknown", "\\<i\\>", "confirmed")
    assert second.description == "*ours*"
    lineage = event.metadata["dagster/column_lineage"].value
    assert isinstance(lineage, dg.TableColumnLineage)
    assert [d.asset_key for d in lineage.deps_by_column["y"]] == [dg.AssetKey(["hive", "d", "a"])]


def test_two_jobs_that_fill_a_column_from_the_same_one_are_one_dependency() -> None:
    source, target = ColumnRef(TableName("raw", "a"), "id"), ColumnRef(TableName("clean", "b"), "id")
    edges = (ColumnEdge(source, target), ColumnEdge(source, target, "EXPRESSION", "TRANSFORMATION"))
    event = table_event(TableEntry(TableName("clean", "b"), "managed", column_lineage=edges))
    lineage = event.metadata["dagster/column_lineage"].value
    assert isinstance(lineage, dg.TableColumnLineage)
    assert [(d.asset_key.path[-1], d.column_name) for d in lineage.deps_by_column["id"]] == [("a", "id")]
