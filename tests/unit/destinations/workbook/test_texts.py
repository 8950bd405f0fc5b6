"""Texts made fit for cells, and keys that come back as they were."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metadata_assets.destinations.workbook.texts import (
    MAX_TEXT,
    parse_key_text,
    parse_raw,
    to_cell_text,
    to_key_text,
)

ANY = st.text(st.characters(exclude_categories=()), max_size=60)


@given(text=ANY)
def test_keys_come_back(text: str) -> None:
    assert parse_key_text(to_key_text(text)) == text


@given(text=ANY)
def test_making_a_text_fit_twice_changes_nothing_more(text: str) -> None:
    once = to_cell_text(text)
    assert to_cell_text(once) == once
    once.encode()


@pytest.mark.parametrize(
    ("text", "stored"),
    [("a\r\nb\rc", "a\nb\nc"), ("a\0b", "a�b"), ("\ud83d", "�"), ("\ufffe", "�"), ("🐝", "🐝"), ("\t", "\t"), ("", "")],
)
def test_what_xml_cannot_hold(text: str, stored: str) -> None:
    assert to_cell_text(text) == stored


@pytest.mark.parametrize("text", ["x" * 40_000, "🐝" * 20_000, "_x0041_" * 6_000, "a" + "🐝" * 16_400])
def test_long_texts_say_that_they_were_cut(text: str) -> None:
    stored = to_cell_text(text)
    assert stored.endswith("(cut: a cell holds 32,767 characters)")
    assert len(stored.encode("utf-16-le")) // 2 <= MAX_TEXT
    assert to_cell_text(stored) == stored


def test_texts_that_just_fit_are_whole() -> None:
    for text in ("x" * MAX_TEXT, "🐝" * (MAX_TEXT // 2)):
        assert to_cell_text(text) == text


@pytest.mark.parametrize(
    ("value", "data_type", "read"),
    [("=1", "s", "=1"), ("=1", "f", "formula =1"), ("_x005F_x0041_", "s", "_x0041_"), (1, "n", 1), (None, "n", None)],
)
def test_cells_as_they_are_compared(value: object, data_type: str, read: object) -> None:
    assert parse_raw(value, data_type) == read
