"""Patterns over names, and selections made of them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metadata_assets.errors import SelectionError
from metadata_assets.model.pattern import NamePattern, Selection
from metadata_assets.model.table import TableName
from metadata_assets.sources.patterns import NamePatterns

USERS = TableName("raw", "users_2024")


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        ("raw", True), ("RAW", True), ("r*", True), ("raw.*", True), ("raw.users_????", True), ("*.users*", True),
        ("Raw.USERS_2024", True), ("*", True), ("raw.users", False), ("clean", False),
        ("raw.users_[0-9]*", False), ("r.w", False), ("users_2024", False),
    ],
)  # fmt: skip
def test_tables(pattern: str, matches: bool) -> None:
    """Wherever a table is named by pattern, the pattern means the same."""
    assert NamePattern.parse(pattern).matches_table(USERS) is matches
    assert Selection.parse((pattern,)).holds(USERS) is matches
    assert Selection.parse((f"!{pattern}",)).holds(USERS) is not matches
    assert NamePatterns(include=(pattern,)).admits_table(USERS) is matches
    assert NamePatterns(exclude=(pattern,)).admits_table(USERS) is not matches


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
    assert NamePattern.parse(pattern).columns_among(USERS, [column]) == [column] * matches


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
    assert Selection.parse(patterns).holds(USERS) is selected
    if selected:
        assert Selection.parse(patterns).may_hold_of("raw"), "a run is not kept from the shards of what it selects"


@pytest.mark.parametrize("text", ["", "!", ".", "raw.", ".users", "!raw.", "raw.users.id"])
def test_no_selections(text: str) -> None:
    with pytest.raises(SelectionError, match=re.escape(f"{text!r} is no selection")):
        Selection.parse((text,))


GLOBS = st.text("ab*?[].^$A", min_size=1, max_size=6)
NAMES = st.text("ab[].^$-\n", max_size=8)


def _brute(glob: str, name: str) -> bool:
    if not glob:
        return not name
    if glob[0] == "*":
        return _brute(glob[1:], name) or (bool(name) and _brute(glob, name[1:]))
    return bool(name) and glob[0] in ("?", name[0]) and _brute(glob[1:], name[1:])


@given(GLOBS, NAMES)
def test_only_the_star_and_the_question_mark_are_wild(glob: str, name: str) -> None:
    expected = _brute(glob.lower(), name)
    assert NamePattern("d", glob).matches_table(TableName("d", name)) is expected
    assert NamePattern(glob).matches_database(name.upper()) is expected
    assert NamePattern("d", "*", glob).columns_among(TableName("d", ""), [name.upper()]) == [name.upper()] * expected
