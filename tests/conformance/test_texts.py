"""Texts and names as they occur: every destination holds them as data, or says why it cannot."""

from dataclasses import replace

import pytest

from metadata_assets.model.entity import CategoryEntry, ColumnEntry, ProcessEntry, TableEntry, TermEntry
from metadata_assets.model.table import TableName
from tests.conformance.catalog import raw_users, wanted
from tests.conformance.harness import Harness
from tests.conformance.test_destinations import assert_settled, publish

TEXTS = {
    "accents": "Número do usuário: ação, ï, ß",
    "emoji": "🐝 👩‍👩‍👧‍👦 flag 🇧🇷",
    "cjk": "顧客の氏名",
    "rtl": "שם מלא ‮override‬ الاسم",
    "long": "x" * 40_000,
    "long emoji": "🐝" * 20_000,
    "control": "a\x01b\x0bc\x1fd\x7f",
    "nul": "before\x00after",
    "lone surrogate": "half \ud83d of a pair",
    "noncharacter": "\ufffe\uffff",
    "newlines": "one\ntwo\r\nthree\rfour\n",
    "spaces": "  in front and behind  ",
    "tab in front": "\tindented",
    "hyperlink": '=HYPERLINK("http://evil.example","click")',
    "command": "=cmd|' /C calc'!A0",
    "plus": "+1+1",
    "minus": "-2-3",
    "at": "@SUM(1)",
    "quote": "'quoted",
    "url": "https://example.com/?a=1&b=<2>",
    "markup": "<b>bold</b> & ]]> <!-- no --> \"quotes\"",
    "escape": "_x0041_ is not A",
    "escaped escape": "_x005F_x0041_ neither",
    "number": "007",
    "date": "2024-01-01",
    "error": "#N/A",
    "true": "TRUE",
    "combining": "e\u0301 and \u00e9",
}  # fmt: skip


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_a_text_is_held_as_it_is_or_refused(harness: Harness, text: str) -> None:
    entry = replace(raw_users(text), owner=text)
    changes = publish(harness.open(), wanted(entry))
    subject, name = harness.place(entry.subject, "description")
    held = harness.as_held(text)
    if held is None:
        assert [r.subject for r in changes.refused] == [subject]
        assert changes.refused[0].reason
    else:
        assert not changes.refused
        assert harness.read()[subject][name] == held
    assert_settled(harness, wanted(entry))


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_a_text_replaces_another_and_is_replaced(harness: Harness, text: str) -> None:
    publish(harness.open(), wanted(raw_users("before")))
    publish(harness.open(), wanted(raw_users(text)))
    assert_settled(harness, wanted(raw_users(text)))
    publish(harness.open(), wanted(raw_users("after")))
    subject, name = harness.place(raw_users().subject, "description")
    assert harness.read()[subject][name] == "after"


NAMES = ["UPPER", "with space", "com:colon", "dotted.name", "ação", "🐝", "=1+1", "a'b\"c", "back\\slash", "\\u0041",
         "_x0041_", "a\x01b", "a\nb", "a\r\nb", "nul\x00name", "half \ud83d", "x" * 5000]  # fmt: skip


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_odd_names_are_kept_apart_and_removed(harness: Harness, name: str) -> None:
    table = TableEntry(TableName("raw", name), "managed", (ColumnEntry(name, "int"), ColumnEntry("other", "int")))
    entries = (
        table,
        CategoryEntry(name, "d"),
        TermEntry(name, "d", name),
        ProcessEntry(name, table.name, (table.name,)),
    )
    changes = publish(harness.open(), wanted(*entries))
    assert_settled(harness, wanted(*entries))
    kept = {e.subject for e in entries} - {r.of_entry for r in changes.refused}
    assert kept == {e.subject for e in entries} or any("\ud800" <= c <= "\udfff" or c == "\0" for c in name)
    publish(harness.open(), wanted(removed=frozenset(e.subject for e in entries)))
    assert harness.read() == {}
