"""What `--json` prints of each answer."""

import json
from collections import Counter

import pytest

from metadata_assets.catalog.explanation import Explanation
from metadata_assets.catalog.impact import Reached
from metadata_assets.cli import shapes
from metadata_assets.model.counts import Counts
from metadata_assets.model.entity import ColumnEntry, TableEntry, TagEntry, Upstream
from metadata_assets.model.finding import Finding
from metadata_assets.model.lineage import ColumnEdge, ColumnRef
from metadata_assets.model.publication import FieldChange
from metadata_assets.model.table import TableName
from metadata_assets.stages.planning import PlannedField
from metadata_assets.store.queries import Impact

RAW, CLEAN = TableName("raw", "users"), TableName("clean", "users")
CPF = ColumnRef(CLEAN, "cpf")
CONFIRMED = TagEntry("PII_CPF", source="tags.yaml:4")


def test_an_entry_is_plain_json_with_all_that_it_holds() -> None:
    columns = (
        ColumnEntry("cpf", "string", comment="theirs", description="ours", tags=(CONFIRMED,), terms=("person",)),
    )
    entry = TableEntry(
        CLEAN,
        "managed",
        columns,
        meta=(("sla_hours", 6),),
        upstream=(Upstream(RAW, ("job",)),),
        column_lineage=(ColumnEdge(ColumnRef(RAW, "cpf"), CPF),),
        sources={"description": "docs.yaml:3"},
    )
    shape = shapes.entry_shape(entry)
    assert json.loads(json.dumps(shape)) == shape
    assert shape["meta"] == {"sla_hours": 6}
    assert shape["lineage"] == {
        "upstream": [{"table": "raw.users", "jobs": ["job"], "declared": False}],
        "columns": [{"to": "cpf", "from": "raw.users.cpf", "kind": "SIMPLE", "transform": "identity"}],
    }


@pytest.mark.parametrize(
    ("description", "comment", "docs"), [("ours", "theirs", "ours"), (None, "theirs", "theirs"), ("", "theirs", "")]
)
def test_docs_of_a_column_are_ours_where_we_say_anything(description: str, comment: str, docs: str) -> None:
    entry = TableEntry(CLEAN, "managed", (ColumnEntry("a", "int", comment=comment, description=description),))
    (column,) = json.loads(json.dumps(shapes.entry_shape(entry)))["columns"]
    assert (column["docs"], column["comment"], column["description"]) == (docs, comment, description)


@pytest.mark.parametrize(
    ("tag", "finding", "evidence"),
    [
        (CONFIRMED, None, "written in tags.yaml:4"),
        (
            TagEntry("PII_CPF", "suggested", "profile"),
            Finding("cpf", "PII_CPF", "cpf", "certain", 48, 50, 0.01, shapes=("999.999.999-99", "99999999999")),
            "profile; 48 of 50 distinct values passed, 1.00% would by chance; shapes 999.999.999-99, 99999999999",
        ),
        (
            TagEntry("PII_CPF", "suggested", "profile"),
            Finding("cpf", "PII_CPF", "cpf", "weak", name_hit=True),
            "profile; judged by its name",
        ),
    ],
)
def test_the_evidence_of_a_tag_is_told_in_words(tag: TagEntry, finding: Finding | None, evidence: str) -> None:
    shape = shapes.explanation_shape(Explanation(CPF, tag, finding))
    assert (shape["evidence"], shape["origin"], shape["path"]) == (evidence, "direct", "")


def test_an_inherited_tag_tells_its_path() -> None:
    tag = TagEntry("PII_CPF", inherited_from="raw.users.cpf")
    shape = shapes.explanation_shape(Explanation(CPF, tag, path=(ColumnRef(RAW, "cpf"), CPF)))
    assert (shape["origin"], shape["path"]) == ("inherited", "raw.users.cpf → clean.users.cpf")


def test_impact() -> None:
    impact = Impact(Reached(2, CPF, ColumnRef(RAW, "cpf"), "SIMPLE identity", ("job",)), "growth", ("local",))
    assert shapes.impact_shape(impact) == {
        "distance": 2,
        "name": "clean.users.cpf",
        "through": "raw.users.cpf",
        "kind": "SIMPLE identity",
        "jobs": ["job"],
        "owner": "growth",
        "destinations": ["local"],
    }


def test_counts_add_up_to_numbers_alone() -> None:
    counts = Counts(4, 1, 1, Counter({"view": 1}), {"table:raw.a": "refused"})
    assert shapes.counts_shape(counts) == {
        "listed": 4,
        "written": 1,
        "unchanged": 1,
        "skipped": {"view": 1},
        "failed": 1,
    }


def test_a_planned_field() -> None:
    planned = PlannedField("local", "table:raw.users", "update", FieldChange("owner", "a", "b", "docs.yaml:3"))
    assert shapes.planned_shape(planned) == {
        "destination": "local",
        "entity": "table:raw.users",
        "field": "owner",
        "old": "a",
        "new": "b",
        "source": "docs.yaml:3",
        "action": "update",
    }
