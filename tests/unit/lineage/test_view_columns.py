"""Names and types of view columns, one row an expression."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metadata_assets.lineage.view_columns import ViewColumns, view_columns, view_tables
from metadata_assets.model.table import Column, Table, TableName

ORDERS = Table(
    TableName("d", "orders"),
    "managed",
    (
        Column("amount", "decimal(12,2)"), Column("Rate", "decimal(38,18)"), Column("n", "int"), Column("id", "BIGINT"),
        Column("s", "string"), Column("v", "varchar(10)"), Column("f", "float"), Column("day", "date"),
        Column("at", "timestamp"), Column("st", "struct<x:int,y:array<string>>"), Column("m", "map<string,int>"),
        Column("u", "uniontype<int,string>"), Column("nº doc", "char(3)"),
    ),
    (Column("ds", "string"),),
)  # fmt: skip
KNOWN = {ORDERS.name: ORDERS}


def infer(sql: str, dialect: str = "hive") -> ViewColumns:
    return view_columns(sql, dialect, KNOWN, "d")


@pytest.mark.parametrize(
    ("expression", "type_text"),
    [
        ("amount", "decimal(12,2)"), ("`nº doc`", "char(3)"), ("id", "bigint"), ("orders.DS", "string"),
        ("sum(amount)", "decimal(22,2)"), ("sum(DISTINCT amount)", "decimal(22,2)"), ("avg(amount)", "decimal(16,6)"),
        ("sum(n)", "bigint"), ("sum(f)", "double"), ("avg(n)", "double"), ("count(*)", "bigint"),
        ("max(v)", "varchar(10)"),
        ("amount + amount", "decimal(13,2)"), ("amount - n", "decimal(13,2)"), ("amount + id", "decimal(22,2)"),
        ("amount * n", "decimal(23,2)"), ("amount / amount", "decimal(27,15)"), ("amount % n", "decimal(12,2)"),
        ("rate * rate", "decimal(38,6)"), ("amount * f", "double"), ("amount * s", "double"),
        ("-amount", "decimal(12,2)"),
        ("n / n", "double"), ("n + id", "bigint"), ("n > 1", "boolean"), ("1.50", "decimal(2,1)"),
        ("0.5", "decimal(1,1)"), ("2.0", "decimal(1,0)"), ("1e3", "double"),
        ("coalesce(n, 0)", "int"), ("coalesce(amount, 0)", "decimal(12,2)"), ("coalesce(amount, id)", "decimal(21,2)"),
        ("CASE WHEN n = 1 THEN amount ELSE n END", "decimal(12,2)"), ("if(n = 1, NULL, id)", "bigint"),
        ("CASE n WHEN 1 THEN 'a' ELSE v END", "string"), ("greatest(n, id)", "bigint"),
        ("collect_set(s)", "array<string>"), ("m['k']", "int"), ("st.y[0]", "string"), ("st.x", "int"),
        ("date_add(day, 1)", "date"), ("year(day)", "int"), ("datediff(at, day)", "int"), ("to_date(at)", "date"),
        ("percentile(n, 0.5)", "double"), ("concat(s, 'x')", "string"), ("substr(s, 1, 7)", "string"),
        ("cast(s AS decimal(5))", "decimal(5,0)"), ("row_number() OVER (ORDER BY n)", "int"),
        ("round(amount, 1)", "unknown"), ("u", "unknown"), ("my_udf(n)", "unknown"), ("nope", "unknown"),
    ],
)  # fmt: skip
def test_types(expression: str, type_text: str) -> None:
    assert infer(f"SELECT {expression} AS x FROM orders").columns == (Column("x", type_text),)


def test_spark_counts_the_digits_of_literals() -> None:
    sql = "SELECT amount * 2 AS x, amount + id AS y, 1.50 AS z FROM d.orders"
    types = [column.type_text for column in infer(sql, "spark").columns]
    assert types == ["decimal(14,2)", "decimal(23,2)", "decimal(3,2)"]


@pytest.mark.parametrize(
    ("sql", "columns"),
    [
        ("SELECT * FROM orders", [column.name.lower() for column in ORDERS.all_columns]),
        ("SELECT o.n, count(1), o.s AS `Até Já` FROM orders o GROUP BY n, s", ["n", "_c1", "até já"]),
        ("WITH t AS (SELECT n AS k FROM orders) SELECT * FROM t", ["k"]),
        ("SELECT x.k FROM (SELECT n AS k, s FROM orders) x", ["k"]),
        ("SELECT n, w FROM orders LATERAL VIEW explode(st.y) t AS w", ["n", "w"]),
        ("SELECT n FROM orders UNION ALL SELECT id FROM orders", ["n"]),
    ],
)
def test_names(sql: str, columns: list[str]) -> None:
    assert [column.name for column in infer(sql).columns] == columns


def test_a_union_takes_the_wider_type() -> None:
    assert infer("SELECT n FROM orders UNION ALL SELECT id FROM orders").columns == (Column("n", "bigint"),)


def test_names_without_their_types_when_a_table_is_not_known() -> None:
    found = infer("SELECT o.n, g.x FROM orders o JOIN e.gone g ON o.id = g.id")
    assert found == ViewColumns((Column("n", "int"), Column("x", "unknown")), missing=("e.gone",))


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT * FROM gone", "its query takes all columns of d.gone"),
        ("SELECT FROM WHERE", "its query cannot be parsed"),
        ("DROP TABLE x", "its query cannot be parsed"),
        ("", "its query cannot be parsed"),
        ("SELECT " + "(" * 5000, "its query cannot be parsed"),
    ],
)
def test_reasons(sql: str, reason: str) -> None:
    found = infer(sql)
    assert (found.columns, found.reason) == ((), reason)


def test_tables_of_a_query() -> None:
    sql = "WITH t AS (SELECT 1 FROM A), orders AS (SELECT 2) SELECT * FROM t JOIN e.`B` JOIN orders JOIN f.t"
    assert view_tables(sql, "hive", "d") == {TableName("d", "a"), TableName("e", "b"), TableName("f", "t")}
    assert view_tables("SELECT FROM WHERE", "hive", "d") == frozenset()


WORDS = ["SELECT", "FROM", "orders", "d", ".", "*", "n", ",", "(", ")", "AS", "x", "WHERE", "UNION", "'a'", "1.5", "+"]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(WORDS)))
def test_any_text_gives_columns_or_a_reason(words: list[str]) -> None:
    found = infer("SELECT " + " ".join(words))
    assert bool(found.columns) == (found.reason is None)
