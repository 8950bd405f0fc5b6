"""Counts as metadata and checks; text from outside is never markup."""

from collections import Counter

import dagster as dg
import pytest

from metadata_assets.catalog.limits import FailurePolicy
from metadata_assets.defs.report import (
    Check,
    StageReport,
    escape,
    to_check_results,
    to_metadata,
    to_table,
)
from metadata_assets.model.counts import Counts


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("a | b", "a \\| b"),
        ("two\nlines\tand  more", "two lines and more"),
        ("[x](javascript:alert)", "\\[x\\]\\(javascript:alert\\)"),
        ("&lt;script&gt;", "\\&lt;script\\&gt;"),
        ("see https://evil.example", "see https:\u200b//evil.example"),
        ("www.evil.example", "www\u200b.evil.example"),
        ("HTTP://x", "HTTP:\u200b//x"),
        ("mail ana@example.com", "mail ana@\u200bexample.com"),
        ("- item", "\\- item"),
        ("1. item", "1\\. item"),
        ("===", "\\==="),
        ("1.5", "1\\.5"),
        ("esc\x1b[2J", "esc\ufffd\\[2J"),
        ("half \ud800", "half \ufffd"),
        ("db.table", "db.table"),
    ],
)
def test_escape(text: str, literal: str) -> None:
    assert escape(text) == literal


def test_a_table_shows_the_first_rows_and_counts_the_rest() -> None:
    shown = to_table(("a", "b"), [(i, "|") for i in range(60)])
    assert shown.splitlines()[:3] == ["| a | b |", "| --- | --- |", "| 0 | \\| |"]
    assert shown.endswith("… and 10 more")


def test_metadata_and_checks_of_a_stage() -> None:
    found = Counts(4, 1, 1, Counter({"a | view": 1}), {"table:x": "no <b>"})
    report = StageReport(found, checks=(Check("own", passed=False, description="why"),))
    metadata = to_metadata(report)
    assert [metadata[n].value for n in ("listed", "written", "unchanged", "skipped", "failed")] == [4, 1, 1, 1, 1]
    assert "| a \\| view | 1 |" in str(metadata["skipped_why"].value)
    assert "no \\<b\\>" in str(metadata["failures"].value)
    results = to_check_results(dg.AssetKey("a"), report, FailurePolicy(0.02))
    assert [(r.check_name, r.passed) for r in results] == [
        ("counts_add_up", True),
        ("few_failures", False),
        ("own", False),
    ]
    lost = to_check_results(dg.AssetKey("a"), StageReport(Counts(4, 1)), FailurePolicy(0.02))
    assert not lost[0].passed, "three are in no count"
