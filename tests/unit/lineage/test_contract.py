"""Lineage by lines of JSON: an answer a case, in order, whatever the case is like."""

import json
from typing import Any

import pytest
from click.testing import CliRunner

from metadata_assets.cli import main
from metadata_assets.lineage.contract import answer, parse_case
from metadata_assets.lineage.script import infer_text

SCHEMA: dict[str, Any] = {"shop.orders": {"id": "int", "amount": "double"}, "shop.users": ["id", "name"]}
TARGET: dict[str, Any] = {"mart.out": {"a": "int", "b": "double"}}


def answered(case: object, *, expand_views: bool = True) -> dict[str, Any]:
    line = case if isinstance(case, str) else json.dumps(case)
    read = parse_case(line, expand_views=expand_views)
    return answer(read, infer_text(read.script, {}))


def net_edges(document: dict[str, Any]) -> set[str]:
    return {
        f"{e['from_table']}.{e['from_column']} > {e['to_table']}.{e['to_column']} "
        f"{e['kind']} {e['type']} {e['subtype']}"
        for e in document["net"]["columns"]
    }


def test_the_form_of_an_answer() -> None:
    sql = "\nINSERT INTO mart.out SELECT id, sha2(amount, 256) FROM shop.orders WHERE amount > 1"
    assert answered({"id": "x", "dialect": "spark", "sql": sql, "schema": SCHEMA | TARGET}) == {
        "id": "x",
        "statements": [
            {
                "index": 0,
                "line": 2,
                "status": "lineage",
                "reason": "",
                "inputs": ["shop.orders"],
                "outputs": ["mart.out"],
                "columns": (
                    columns := [
                        {
                            "from_table": "shop.orders", "from_column": "amount", "to_table": "mart.out",
                            "to_column": "b", "kind": "EXPRESSION", "type": "DIRECT", "subtype": "TRANSFORMATION",
                            "masking": True,
                        },
                        {
                            "from_table": "shop.orders", "from_column": "id", "to_table": "mart.out",
                            "to_column": "a", "kind": "SIMPLE", "type": "DIRECT", "subtype": "IDENTITY",
                            "masking": False,
                        },
                    ]
                ),
                "indirect": (
                    indirect := [
                        {
                            "from_table": "shop.orders", "from_column": "amount", "to_table": "mart.out",
                            "to_column": None, "kind": "EXPRESSION", "type": "INDIRECT", "subtype": "FILTER",
                            "masking": False,
                        }
                    ]
                ),
            }
        ],
        "net": {"inputs": ["shop.orders"], "outputs": ["mart.out"], "columns": columns, "indirect": indirect},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "identity", "reason"),
    [
        ("{", None, "no JSON"),
        ("[1]", None, "must be an object"),
        ('{"id": 7}', 7, "`sql` must be there"),
        ('{"id": 7, "sql": 5}', 7, "be a text"),
        ('{"id": {"a": 1}, "sql": "select 1", "schema": [1]}', {"a": 1}, "must be objects"),
        ('{"id": "x", "sql": "select 1", "schema": {"t": 5}}', "x", "columns of t"),
        ("[" * 100_000, None, "no JSON"),
    ],
)
def test_a_line_that_is_no_case_is_answered_with_the_reason(line: str, identity: object, reason: str) -> None:
    document = answered(line)
    (statement,) = document["statements"]
    assert document["id"] == identity
    assert statement["status"] == "unparsed"
    assert reason in statement["reason"]
    assert document["net"] == {"inputs": [], "outputs": [], "columns": [], "indirect": []}


def test_a_dialect_that_nobody_knows_is_the_reason_of_each_statement() -> None:
    document = answered({"id": 1, "dialect": "klingon", "sql": "select a from b; select c from d"})
    assert [s["status"] for s in document["statements"]] == ["unparsed", "unparsed"]
    assert all("klingon" in s["reason"] for s in document["statements"])


def test_a_bare_query_goes_into_no_table_and_names_stay_bare_where_no_database_is_known() -> None:
    case = {"id": 1, "sql": "WITH t AS (SELECT a FROM t) SELECT a AS b, upper(a) AS c FROM t ORDER BY 1"}
    document = answered(case)
    assert net_edges(document) == {
        "t.a > None.b SIMPLE DIRECT IDENTITY",
        "t.a > None.c EXPRESSION DIRECT TRANSFORMATION",
    }
    assert document["net"]["inputs"] == ["t"]
    assert document["net"]["outputs"] == []
    (sort,) = document["net"]["indirect"]
    assert (sort["from_table"], sort["to_table"], sort["to_column"], sort["subtype"]) == ("t", None, None, "SORT")


def test_columns_of_a_target_that_is_not_known_are_called_as_in_the_query_and_that_is_said() -> None:
    sql = "insert into t select max(a), b + c, d as e from s"
    document = answered({"id": 1, "sql": sql})
    assert {e["to_column"] for e in document["net"]["columns"]} == {"max(a)", "b + c", "e"}
    assert [s["status"] for s in document["statements"]] == ["unresolved"]
    assert "they are taken to be called as in the query" in document["statements"][0]["reason"]


VIEWS = {
    "shop.big": "CREATE VIEW big AS SELECT id AS i FROM named WHERE name = 'x'",
    "shop.named": "select * from users",
}


def test_views_are_read_through() -> None:
    case = {"id": 1, "sql": "select i from big", "default_db": "shop", "schema": SCHEMA, "views": VIEWS}
    document = answered(case)
    assert net_edges(document) == {"shop.users.id > None.i SIMPLE DIRECT IDENTITY"}
    assert document["net"]["inputs"] == ["shop.users"]
    assert [(e["from_column"], e["subtype"]) for e in document["net"]["indirect"]] == [("name", "FILTER")]


def test_or_lineage_stops_at_them() -> None:
    case = {"id": 1, "sql": "select * from big", "default_db": "shop", "schema": SCHEMA, "views": VIEWS}
    document = answered(case, expand_views=False)
    assert net_edges(document) == {"shop.big.i > None.i SIMPLE DIRECT IDENTITY"}
    assert document["net"]["inputs"] == ["shop.big"]


@pytest.mark.parametrize("text", ["select no such thing !", "select * from big", "", "create view big"])
def test_a_view_that_cannot_be_read_is_trouble_of_the_columns_read_from_it(text: str) -> None:
    document = answered({"id": 1, "sql": "select i, 1 as one from big", "views": {"big": text}})
    (statement,) = document["statements"]
    assert statement["status"] == "unresolved"
    assert "1 of 2 columns not traced: i: of big: " in statement["reason"]
    assert document["net"]["inputs"] == ["big"]


def test_temporary_tables_are_folded_away_and_statements_merge() -> None:
    sql = """
        CREATE TEMPORARY TABLE t AS SELECT id, amount FROM shop.orders;
        INSERT INTO mart.out SELECT id, amount FROM t;
        INSERT INTO mart.out SELECT id + 1, amount FROM t;
    """
    document = answered({"id": 1, "dialect": "hive", "sql": sql, "schema": SCHEMA | TARGET})
    assert net_edges(document) == {
        "shop.orders.id > mart.out.a EXPRESSION DIRECT IDENTITY",
        "shop.orders.amount > mart.out.b SIMPLE DIRECT IDENTITY",
    }
    assert (document["net"]["inputs"], document["net"]["outputs"]) == (["shop.orders"], ["mart.out"])


def test_what_decides_about_a_value_is_direct_to_hive_and_indirect_to_openlineage() -> None:
    sql = "select case when name = 'x' then id end as a, rank() over (order by name) as r from shop.users"
    assert net_edges(answered({"id": 1, "sql": sql, "schema": SCHEMA})) == {
        "shop.users.id > None.a EXPRESSION DIRECT IDENTITY",
        "shop.users.name > None.a EXPRESSION INDIRECT CONDITIONAL",
        "shop.users.name > None.r SCRIPT INDIRECT WINDOW",
    }


def test_the_command_answers_each_line_in_order() -> None:
    lines = [json.dumps({"id": n, "sql": f"select a{n} from t"}).encode() for n in range(20)]
    lines[3], lines[7] = b"\xff\xfe", b""
    lines[9] = b'{"id": 9, "sql": "select `\\ud800` from t"}'  # half a character
    result = CliRunner().invoke(main, ["lineage", "--jsonl"], input=b"\n".join(lines))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 0
    assert [a["id"] for a in answers] == [None if n == 3 else n for n in range(20) if n != 7]
    assert answers[5]["net"]["columns"][0]["from_column"] == "a5"


@pytest.mark.parametrize("arguments", [[], ["--jsonl", __file__]])
def test_files_or_cases_but_not_both(arguments: list[str]) -> None:
    assert CliRunner().invoke(main, ["lineage", *arguments]).exit_code == 2
