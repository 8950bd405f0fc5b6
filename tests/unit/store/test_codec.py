"""Every kind of fact comes back from its JSON as it went in, and equal values have equal hashes."""

import pytest

from metadata_assets.model.claims import (
    Claim,
    DeclaredJob,
    Documentation,
    TagClaim,
    TagRule,
    TagRules,
    Tags,
    TermClaim,
)
from metadata_assets.model.entity import CategoryEntry, ColumnEntry, Scalar, TableEntry, TagEntry, TermEntry, Upstream
from metadata_assets.model.finding import ColumnProfile, Finding, TableProfile
from metadata_assets.model.lineage import ColumnEdge, ColumnRef, IndirectEdge, Script, StatementLineage, StatementPlace
from metadata_assets.model.table import Column, Database, Table, TableName, ViewText
from metadata_assets.store.codec import parse_json, storable, to_hash, to_json
from metadata_assets.store.facts import KINDS

T, U = TableName("raw", "a"), TableName("clean", "é🚀")
EDGE = ColumnEdge(ColumnRef(T, "x"), ColumnRef(U, "items[].y"), "EXPRESSION", "TRANSFORMATION", masking=True)
INDIRECT = IndirectEdge(ColumnRef(T, "x"), U, "", "FILTER")
TAG = TagEntry("PII_CPF", "suggested", "rule x", "raw.a.x", "likely", "always")
STATEMENT = StatementLineage(
    StatementPlace("j.sql", 3, 0), "unresolved", "INSERT", (T,), (U,), (EDGE,), ("z",), "why", (INDIRECT,)
)
EXAMPLES = {
    "database": Database("raw", "a\x00b", None, "s3://x"),
    "schema": Table(
        T, "view", (Column("x", "int", "c\n"),), (Column("ds", "string"),), created_at=2**40, view=ViewText("select 1")
    ),
    "documentation": Documentation((Claim("meta.a", 1.0, "p"), Claim("b", None)), (TermClaim("t", "x", "p"),), "p"),
    "tags": Tags((TagClaim("t", None, "never", "p"), TagClaim("u", "x"))),
    "declared_lineage": DeclaredJob("j", (T,), (U,), (EDGE,), "p"),
    "category": CategoryEntry("c", None, "d", {"description": "p"}),
    "term": TermEntry("t", "d", None, None, {}),
    "script": Script((STATEMENT,)),
    "profile": TableProfile(
        (ColumnProfile("x", 5, 1, 4, None, 3),),
        (Finding("x", "PII_CPF", "r", "certain", 1, 2, 0.1, name_hit=True, shapes=("9",)),),
        5,
    ),
    "entry": TableEntry(
        T,
        "managed",
        (ColumnEntry("x", "int", tags=(TAG,), terms=("t",)),),
        meta=(("a", True), ("b", 1), ("c", 1.0), ("d", None), ("e", "1")),
        upstream=(Upstream(U, ("j",), declared=True),),
        column_lineage=(EDGE,),
        sources={"schema": "x"},
    ),
    "tag_rules": TagRules((TagRule("raw.*", "t", "always", "p"),)),
}


def test_every_kind_has_an_example() -> None:
    assert EXAMPLES.keys() == KINDS.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_a_fact_comes_back_as_it_went_in(kind: str) -> None:
    value = EXAMPLES[kind]
    found: object = parse_json(to_json(value), KINDS[kind])
    assert repr(found) == repr(value), "places and the types of scalars included"
    assert to_hash(found) == to_hash(value)


def test_places_do_not_count() -> None:
    assert to_hash(Claim("a", "x", "here")) == to_hash(Claim("a", "x", "there"))
    assert to_hash(CategoryEntry("c", sources={"a": "b"})) == to_hash(CategoryEntry("c"))


@pytest.mark.parametrize("pair", [(1, True), (1, 1.0), (0, None), ("1", 1), ("", None), ("null", None), ("a", "A")])
def test_values_that_differ_have_different_hashes(pair: tuple[Scalar, Scalar]) -> None:
    one, other = pair
    assert to_hash(Claim("a", one)) != to_hash(Claim("a", other))


def test_a_field_of_a_later_version_has_its_default() -> None:
    assert parse_json('{"name": "c"}', CategoryEntry) == CategoryEntry("c")


def test_half_characters_are_replaced_and_the_rest_is_kept() -> None:
    table = Table(T, "managed", (Column("a\ud800", "int", "é\x00"),))
    found = parse_json(to_json(table), Table)
    assert found.columns == (Column("a\ufffd", "int", "é\x00"),)
    assert storable("a\x00\udcff\n🚀") == "a\ufffd\ufffd\n🚀"
