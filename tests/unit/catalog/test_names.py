"""Patterns over names, and selections made of them."""

import pytest

from metadata_assets.catalog.names import is_selected, matches_column, matches_table
from metadata_assets.model.table import TableName
from metadata_assets.specs.names import NamePattern

USERS = TableName("raw", "users_2024")


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        ("raw", True), ("RAW", True), ("r*", True), ("raw.*", True), ("raw.users_????", True), ("*.users*", True),
        ("Raw.USERS_2024", True), ("*", True), ("raw.users", False), ("clean", False), ("raw.", False), ("", False),
        ("raw.users_2024.id", False), ("raw.users_[0-9]*", False), ("r.w", False), ("users_2024", False),
    ],
)  # fmt: skip
def test_tables(pattern: str, matches: bool) -> None:
    assert matches_table(pattern, USERS) is matches


@pytest.mark.parametrize(
    ("pattern", "column", "matches"),
    [
        ("raw.*.email", "EMAIL", True),
        ("raw.*.*", "address.street", True),
        ("raw.*.address.*", "address.street", True),
        ("raw.*.items[].price", "items[].price", True),
        ("raw.*.a[].b[].c", "a[].b[].c", True),
        ("raw.*.items[].*", "items[].price", True),
        ("raw.*.items[ab]", "itemsa", False),
        ("raw.*.attrs{}.value", "attrs{}.value", True),
        ("raw.*.e?ail", "email", True),
        ("raw.*.mail", "email", False),
        ("raw.*", "email", False),
        ("raw", "email", False),
        ("clean.*.email", "email", False),
    ],
)
def test_columns(pattern: str, column: str, matches: bool) -> None:
    assert matches_column(pattern, USERS, column) is matches
    if pattern.count(".") >= 2:
        assert NamePattern.parse(pattern).matches_column(USERS, column) is matches, "specs read patterns the same way"


@pytest.mark.parametrize(
    ("patterns", "selected"),
    [
        ((), True),
        (("raw",), True),
        (("clean", "raw.users*"), True),
        (("clean",), False),
        (("!clean",), True),
        (("!raw.users*",), False),
        (("raw", "!*.users*"), False),
        (("!raw", "raw.users_2024"), False),
    ],
)
def test_selections(patterns: tuple[str, ...], selected: bool) -> None:
    assert is_selected(patterns, USERS) is selected
