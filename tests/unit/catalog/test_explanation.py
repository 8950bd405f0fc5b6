"""Why a column has its tags."""

from metadata_assets.catalog.explanation import Explanation, explain_tags
from metadata_assets.model.entity import TagEntry
from metadata_assets.model.finding import Finding
from tests.unit.catalog.made import graph, ref

WAY = graph("a.x>b.x", "b.x>c.x", "a.x>d.x")


def test_an_inherited_tag_names_its_way_and_a_direct_one_has_none() -> None:
    inherited, direct = TagEntry("PII_CPF", inherited_from="raw.a.x"), TagEntry("tier_1")
    assert explain_tags(ref("c.x"), [inherited, direct], [], WAY) == [
        Explanation(ref("c.x"), inherited, None, (ref("a.x"), ref("b.x"), ref("c.x"))),
        Explanation(ref("c.x"), direct),
    ]


def test_findings_count_for_their_tag_on_their_column_alone() -> None:
    mail, elsewhere = Finding("X", "PII_EMAIL", "email", "certain"), Finding("y", "PII_CPF", "cpf", "certain")
    tags = [TagEntry("PII_EMAIL"), TagEntry("PII_CPF")]
    assert [e.finding for e in explain_tags(ref("a.x"), tags, [mail, elsewhere], WAY)] == [mail, None]


def test_a_way_that_is_there_no_more_is_empty() -> None:
    (explanation,) = explain_tags(ref("z.x"), [TagEntry("PII_CPF", inherited_from="raw.a.x")], [], WAY)
    assert explanation.path == ()
