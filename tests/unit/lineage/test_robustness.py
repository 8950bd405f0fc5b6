"""Whatever the text, nothing raises, nothing is lost and nothing is logged."""

import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metadata_assets.lineage.script import infer_script
from metadata_assets.lineage.split import split_script
from metadata_assets.lineage.words import word_set
from metadata_assets.model.lineage import StatementLineage
from tests.unit.lineage.golden import read_cases, read_tables

TABLES = read_tables()
WORDS = word_set(
    "SELECT FROM INSERT INTO OVERWRITE TABLE VIEW CREATE TEMPORARY AS WITH PARTITION MERGE USING WHEN MATCHED THEN "
    "UPDATE SET ON LATERAL explode UNION ALL TRANSFORM MAP USE ALTER RENAME TO CACHE shop.customers mart.pairs name "
    "email k v ( ) , ; ' \" ` -- /* */ \\ * . = ${x} ${ {{ }} {% %} ! <> 1 'a;b' `c` [ ] {"
)
DIALECTS = st.sampled_from(["hive", "spark", "trino"])
SCRIPTS = st.one_of(st.text(max_size=200), st.lists(st.sampled_from(["\n", *sorted(WORDS)]), max_size=40).map(" ".join))


def infer(text: str, dialect: str = "hive") -> tuple[StatementLineage, ...]:
    return infer_script("jobs/x.sql", text, dialect, TABLES).statements


@given(SCRIPTS, DIALECTS)
@settings(deadline=None, max_examples=300)
def test_any_text_is_read(text: str, dialect: str) -> None:
    statements = infer(text, dialect)
    lines = [statement.place.line for statement in statements]
    assert lines == sorted(lines)
    assert [statement.place.index for statement in statements] == list(range(len(statements)))
    assert all((s.reason == "") == (s.status == "lineage") for s in statements)
    assert len(statements) == sum(piece.is_statement for piece in split_script(text, dialect))


@given(SCRIPTS, DIALECTS)
@settings(deadline=None, max_examples=300)
def test_pieces_joined_are_the_script(text: str, dialect: str) -> None:
    pieces = split_script(text, dialect)
    assert "".join(piece.text for piece in pieces) == text
    for piece in pieces:
        assert text.startswith(piece.text, piece.start)
        assert all(text.startswith(token.text, token.start) for token in piece.tokens)
        if piece.is_statement:
            assert piece.line == text.count("\n", 0, piece.tokens[0].start) + 1
            cleaned, tokens = piece.cleaned()
            assert [token.text for token in tokens] == [token.text for token in piece.tokens]
            assert all(cleaned.startswith(token.text, token.start) for token in tokens)


@given(st.sampled_from(list(read_cases())), st.data())
@settings(deadline=None, max_examples=300)
def test_a_broken_script_is_read(case: object, data: st.DataObject) -> None:
    text = getattr(case, "sql", "")
    at = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(at, min(at + 12, len(text))))
    for statement in infer(text[:at] + text[end:], getattr(case, "dialect", "hive")):
        assert statement.status != "lineage" or statement.outputs


def test_a_view_ends_as_one_statement_whatever_its_text() -> None:
    for text in ("", "  -- nothing", "SELECT", "SELECT 1; SELECT 2", "{% x %}"):
        assert len(infer_script("view:mart.pairs", text, "hive", TABLES).statements) == 1


def test_the_parser_logs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        for case in read_cases():
            infer(case.sql, case.dialect)
        infer("create table t as selec a from b; select a from b lateral view;", "hive")
    assert not caplog.records


def test_deep_nesting_is_a_reason() -> None:
    deep = "(" * 3000 + "name" + ")" * 3000
    found = infer(f"INSERT INTO mart.pairs SELECT {deep}, email FROM shop.customers; USE x;")
    assert [s.status for s in found] == ["unparsed", "no_lineage"]
    assert "nested too deeply" in found[0].reason


def test_a_very_long_statement_keeps_its_tables() -> None:
    values = ", ".join(str(i) for i in range(150_000))
    found = infer(f"INSERT INTO mart.pairs SELECT name, email FROM shop.customers WHERE id IN ({values})")
    assert [(s.status, str(s.inputs[0]), str(s.outputs[0])) for s in found] == [
        ("table_only", "shop.customers", "mart.pairs")
    ]


@pytest.mark.parametrize("width", [1000])
def test_wide_tables_do_not_hang(width: int) -> None:
    columns = ", ".join(f"max(name) AS c{i}" for i in range(width))
    found = infer(f"CREATE TABLE mart.big AS SELECT {columns} FROM shop.customers", "spark")
    assert (found[0].status, len(found[0].columns)) == ("lineage", width)


def test_unions_of_hundreds_are_followed() -> None:
    union = " UNION ALL ".join(["SELECT name, email FROM shop.customers"] * 300)
    assert [(s.status, len(s.columns)) for s in infer(f"INSERT INTO mart.pairs {union}")] == [("lineage", 2)]
