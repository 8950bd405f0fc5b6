"""Names and patterns."""

import pytest

from metadata_assets.model.table import TableName
from metadata_assets.model.types import nested_paths, parse_type
from metadata_assets.specs.names import NamePattern, normal_column
from metadata_assets.specs.suggestions import did_you_mean, listing, nearest

USERS = TableName("raw", "users")


COLUMNS = [
    "cpf",
    "address.street",
    "items[].price",
    "attrs{}.value",
    "m[][].x",
    "first name",
    "é",
    "a.`b.c`.d",
    "`a``b`",
]


@pytest.mark.parametrize("text", COLUMNS)
def test_columns(text: str) -> None:
    assert normal_column(f" {text.upper()} ") == text


@pytest.mark.parametrize("text", ["", ".", "a.", "a..b", "items[0]", "a[", "a{x}", "a*", "a?", "a`b", "`a", "a\nb"])
def test_no_columns(text: str) -> None:
    with pytest.raises(ValueError, match="not a column name"):
        normal_column(text)


def test_every_path_of_a_type_can_be_written() -> None:
    deep = "struct<a:array<struct<`b.c`:map<string,struct<d:int>>>>,e:map<string,array<int>>,`f g`:int>"
    for path, _ in nested_paths("col", parse_type(deep)):
        assert normal_column(path) == path


@pytest.mark.parametrize(
    ("pattern", "column", "matches"),
    [
        ("raw.*.email", "EMAIL", True), ("RAW.us?rs.e*", "email", True), ("*.*.*", "address.street", True),
        ("raw.*.items[].price", "items[].price", True), ("raw.*.items[].price", "items.price", False),
        ("raw.*.mail", "email", False), ("raw.*", "email", False), ("clean.*.email", "email", False),
    ],
)  # fmt: skip
def test_column_patterns(pattern: str, column: str, matches: bool) -> None:
    assert NamePattern.parse(pattern).matches_column(USERS, column) is matches


def test_table_patterns() -> None:
    assert NamePattern.parse("raw.*").matches_table(USERS)
    assert not NamePattern.parse("ra.*").matches_table(USERS)
    assert str(NamePattern.parse("Raw.*.A")) == "raw.*.a"


@pytest.mark.parametrize("text", ["", "raw", "raw.", ".x", "a.b.", "a b.c"])
def test_no_patterns(text: str) -> None:
    with pytest.raises(ValueError, match="not a pattern"):
        NamePattern.parse(text)


def test_suggestions() -> None:
    assert nearest("Colums", ["columns", "name"]) == "columns"
    assert did_you_mean("zzz", ["columns"], "else") == "else"
    assert [listing([]), listing("a"), listing("abc")] == ["", "a", "a, b or c"]
