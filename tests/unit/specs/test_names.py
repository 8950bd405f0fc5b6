"""Names and patterns."""

import pytest
from pydantic import TypeAdapter, ValidationError

from metadata_assets.model.pattern import NamePattern
from metadata_assets.model.suggestions import did_you_mean, listing, nearest
from metadata_assets.model.types import nested_paths, parse_type
from metadata_assets.specs.names import Pattern, normal_column

PATTERN: TypeAdapter[NamePattern] = TypeAdapter(Pattern)


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


def test_patterns_of_tables_and_of_columns() -> None:
    assert PATTERN.validate_python(" Raw.* ") == NamePattern("raw", "*")
    assert PATTERN.validate_python("raw.us?rs.Items[].price") == NamePattern("raw", "us?rs", "items[].price")


@pytest.mark.parametrize("text", ["", "raw", "raw.", ".x", "a.b.", "a b.c"])
def test_no_patterns(text: str) -> None:
    with pytest.raises(ValidationError, match="not a pattern"):
        PATTERN.validate_python(text)


def test_suggestions() -> None:
    assert nearest("Colums", ["columns", "name"]) == "columns"
    assert did_you_mean("zzz", ["columns"], "else") == "else"
    assert [listing([]), listing("a"), listing("abc")] == ["", "a", "a, b or c"]
