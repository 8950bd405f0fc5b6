"""Several files together."""

import pytest

from metadata_assets.model.table import TableName
from metadata_assets.specs.collect import load_specs
from tests.unit.specs.files import TODAY, File, load, told

KEEP = "keep one of the two entries, and join what they say"


def document(kind: str, section: str, entry: str) -> str:
    return f"version: 1\nkind: {kind}\n{section}:\n  - {{{entry}}}\n"


@pytest.mark.parametrize(
    ("kind", "section", "first", "second", "what"),
    [
        ("documentation", "tables", "name: a.b", "name: A.B", "the table a.b is documented"),
        ("tags", "tables", "name: a.b", "name: A.B", "the table a.b is tagged"),
        ("lineage", "jobs", "name: j, outputs: [a.b]", "name: J, outputs: [a.c]", "the job 'J' is declared"),
        ("glossary", "terms", "name: t", "name: T", "the term 'T' is defined"),
        ("glossary", "categories", "name: c", "name: C", "the category 'C' is defined"),
        ("detectors", "detectors", "name: d, tag: A, words: [x]", "name: D, tag: B, words: [y]",
         "the detector 'D' is defined"),
        ("decisions", "decisions", "tag: A, scope: a.b, verdict: rejected, reason: r, by: me",
         "tag: A, scope: A.b, verdict: confirmed, reason: r, by: you", "the tag 'A' on a.b is decided on"),
    ],
)  # fmt: skip
def test_twice_names_both_places(kind: str, section: str, first: str, second: str, what: str) -> None:
    specs = load(document(kind, section, first), document(kind, section, second))
    assert told(specs) == [f"b.yaml:4:5: {what} twice, first in a.yaml:4 ({KEEP})"]
    assert [(d.kind, d.section, str(d.place)) for d in specs.dropped] == [(kind, section, "b.yaml:4")]


def test_a_column_twice_costs_only_the_second() -> None:
    columns = "columns: [{name: c, description: one}, {name: C}, {name: d}]"
    specs = load(document("documentation", "tables", f"name: a.b, {columns}"))
    assert told(specs) == [f"a.yaml:4:56: the column a.b.c is given twice, first in a.yaml:4 ({KEEP})"]
    entry = specs.documentation[TableName("a", "b")]
    assert [column.name for column in entry.value.columns] == ["c", "d"]
    assert len(entry.columns) == 2


def test_terms_are_found_without_case_and_across_files() -> None:
    specs = load(document("documentation", "tables", "name: a.b, terms: [CUSTOMER, custmer, gone]"),
                 document("glossary", "terms", "name: Customer") + "  - {name: gone, state: absent}\n")  # fmt: skip
    assert told(specs) == [
        "a.yaml:4:35: the term 'custmer' is not defined (did you mean 'Customer'?)",
        "a.yaml:4:44: the term 'gone' is not defined (define it in a spec of kind glossary)",
    ]
    assert {finding.severity for finding in specs.findings} == {"warning"}
    term = specs.glossary.term("cUSTOMER")
    assert term is not None
    assert term.value.name == "Customer"


def test_expired_decision_is_a_warning_from_the_day_after() -> None:
    entry = "tag: A, scope: a.b, verdict: rejected, reason: r, by: me, until: {}"
    assert load(document("decisions", "decisions", entry.format("2026-01-01"))).findings == ()
    specs = load(document("decisions", "decisions", entry.format("2025-12-31")))
    assert [(f.severity, f.message) for f in specs.findings] == [
        ("warning", "the decision on 'A' expired on 2025-12-31")
    ]
    assert len(specs.decisions) == 1


def test_order_of_files_does_not_matter() -> None:
    files = [
        File("b.yaml", document("documentation", "tables", "name: a.b, owner: late").encode()),
        File("a.yaml", document("documentation", "tables", "name: a.b, owner: early").encode()),
        File("c.yaml", document("tags", "rules", 'match: "a.*", tags: [x]').encode()),
    ]
    assert load_specs(files, today=TODAY) == load_specs(reversed(files), today=TODAY)
    assert load_specs(files, today=TODAY).documentation[TableName("a", "b")].value.owner == "early"
