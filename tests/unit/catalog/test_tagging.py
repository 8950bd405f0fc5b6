"""Tags of a table's own: what people write, then rules, then what profiling suggests."""

import pytest

from metadata_assets.catalog.tagging import TABLE, DirectTags, by_reference, column_paths, direct_tags
from metadata_assets.model.claims import TagClaim, TagRule, TagRules, Tags
from metadata_assets.model.finding import Finding, TableProfile
from metadata_assets.model.table import Column, Table
from tests.lake import table
from tests.unit.catalog.made import ref

USERS = table(
    "raw.users",
    "Email string",
    "address struct<street:string,geo:struct<lat:double>>",
    "items array<struct<price:int>>",
    "attrs map<string,string>",
)
NO_RULES = TagRules()


def shown(found: DirectTags) -> dict[str, list[str]]:
    return {c: [f"{t.name} {t.verdict} {t.source}" for t in tags] for c, tags in found.by_column.items()}


def finding(column: str, tag: str = "PII_EMAIL") -> Finding:
    return Finding(column, tag, "email", "likely", 9, 10)


def test_every_nested_field_has_a_path_in_lower_case() -> None:
    assert list(column_paths(USERS)) == [
        "email", "address", "address.street", "address.geo", "address.geo.lat", "items", "items[].price", "attrs",
        "attrs{}.value",
    ]  # fmt: skip
    assert column_paths(USERS)["address.geo"] == "struct<lat:double>"


def test_partition_keys_are_columns() -> None:
    with_key = Table(USERS.name, "managed", (Column("a", "int"),), (Column("DS", "string"),))
    assert list(column_paths(with_key)) == ["a", "ds"]


def test_of_two_for_one_tag_the_first_source_stands() -> None:
    tags = Tags(
        (TagClaim("PII_EMAIL", "email", "never", "t.yaml:1"), TagClaim("PII_EMAIL", "email", "always", "t.yaml:2"))
    )
    rules = TagRules(
        (TagRule("raw.*.email", "PII_EMAIL", "always", "t.yaml:9"), TagRule("raw.*.email", "b", place="t:8"))
    )
    profile = TableProfile(findings=(finding("Email"), finding("email", "b"), finding("email", "c")))
    found = direct_tags(USERS, tags, rules, profile)
    assert shown(found) == {
        "email": [
            "PII_EMAIL confirmed t.yaml:1",
            "b confirmed t:8 (rule raw.*.email)",
            "c suggested rule email",
        ]
    }
    assert found.by_column["email"][0].propagate == "never"
    assert found.by_column["email"][2].band == "likely"


def test_table_tags_are_apart_from_column_tags() -> None:
    tags = Tags((TagClaim("tier_1", None, place="t:1"),))
    rules = TagRules((TagRule("raw.*", "r", place="t:2"), TagRule("clean.*", "no", place="t:3")))
    found = direct_tags(USERS, tags, rules, None)
    assert shown(found) == {TABLE: ["r confirmed t:2 (rule raw.*)", "tier_1 confirmed t:1"]}
    assert by_reference(USERS.name, found) == {}


@pytest.mark.parametrize("column", ["address.street", "address.geo.lat", "items[].price", "attrs{}.value", "EMAIL"])
def test_nested_fields_can_be_tagged(column: str) -> None:
    found = direct_tags(USERS, Tags((TagClaim("t", column, place="p"),)), NO_RULES, None)
    assert shown(found) == {column.lower(): ["t confirmed p"]}
    assert by_reference(USERS.name, found).keys() == {ref(f"users.{column.lower()}")}
    assert found.orphans == ()


def test_a_rule_names_nested_fields_too() -> None:
    found = direct_tags(
        USERS, None, TagRules((TagRule("raw.users.*.street", "t"), TagRule("raw.*.items[].*", "u"))), None
    )
    assert found.by_column.keys() == {"address.street", "items[].price"}


def test_a_claim_on_a_column_that_is_not_there_is_an_orphan() -> None:
    tags = Tags((TagClaim("t", "gone", place="t:1"), TagClaim("t", "address.zip", place="t:2"), TagClaim("t", "email")))
    found = direct_tags(USERS, tags, TagRules((TagRule("raw.*.gone", "t"),)), TableProfile(findings=(finding("gone"),)))
    assert found.orphans == (("gone", "t:1"), ("address.zip", "t:2"))
    assert found.by_column.keys() == {"email"}
