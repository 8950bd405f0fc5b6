"""Clauses of DDL texts, one row each, and texts that are none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metadata_assets.model.table import Column
from metadata_assets.sources.ddl.parser import parse_statement
from metadata_assets.sources.ddl.statement import Statement, StatementError


@pytest.mark.parametrize(
    ("written", "database", "name"),
    [
        ("`sales.orders`", "sales", "orders"),
        ("`sales`.`orders`", "sales", "orders"),
        ("sales.orders", "sales", "orders"),
        ("spark_catalog.sales.orders", "sales", "orders"),
        ("IF NOT EXISTS orders", None, "orders"),
        ("`Sales`.`2019 pedidos ``x```", "Sales", "2019 pedidos `x`"),
        ("sales.2019_orders", "sales", "2019_orders"),
        ("default.table", "default", "table"),
    ],
)
def test_names(written: str, database: str | None, name: str) -> None:
    statement = parse_statement(f"CREATE TABLE {written} (a int)")
    assert (statement.database, statement.name) == (database, name)


@pytest.mark.parametrize(
    ("written", "column"),
    [
        ("a bigint", Column("a", "bigint")),
        ("`a b` DECIMAL(16, 4) COMMENT 'x'", Column("a b", "DECIMAL(16, 4)", "x")),
        ("position INT", Column("position", "INT")),
        ("comment string comment 'c'", Column("comment", "string", "c")),
        ("primary int", Column("primary", "int")),
        ("a array<array<int>>", Column("a", "array<array<int>>")),
        ("a struct<>", Column("a", "struct<>")),
        ("a struct<\n  `x y`:int,\n  comment:map<string,array<int>>\n>", Column(
            "a", "struct<\n  `x y`:int,\n  comment:map<string,array<int>>\n>")),
        ("a struct<b: int COMMENT 'in, (side>'> COMMENT 'out'", Column(
            "a", "struct<b: int COMMENT 'in, (side>'>", "out")),
        ("a uniontype<int,struct<b:varchar(3)>>", Column("a", "uniontype<int,struct<b:varchar(3)>>")),
        ("a timestamp with local time zone", Column("a", "timestamp with local time zone")),
        ("a double precision", Column("a", "double precision")),
        ("a STRING COLLATE UTF8_LCASE", Column("a", "STRING COLLATE UTF8_LCASE")),
        ("a INT NOT NULL DEFAULT (1 + 2) COMMENT 'x'", Column("a", "INT", "x")),
        ("a INT COMMENT 'x' PRIMARY KEY DISABLE NOVALIDATE RELY", Column("a", "INT", "x")),
        ("a BIGINT GENERATED ALWAYS AS IDENTITY (START WITH 1, INCREMENT BY 1)", Column("a", "BIGINT")),
    ],
)  # fmt: skip
def test_columns(written: str, column: Column) -> None:
    statement = parse_statement(f"CREATE TABLE `d.t`(\n  {written},\n  z int)")
    assert statement.columns == (column, Column("z", "int"))


@pytest.mark.parametrize(
    ("written", "comment"),
    [
        (r"'it\'s'", "it's"),
        ("'it''s'", "it's"),
        (r"'it\;s'", "it;s"),
        ("\"a 'b' c\"", "a 'b' c"),
        ("'; -- ) /* , COMMENT'", "; -- ) /* , COMMENT"),
        (r"'a\nb\tc\\d'", "a\nb\tc\\d"),
        (r"'\001 \u00e9 100\% a\_b'", "\x01 é 100\\% a\\_b"),
        (r"'\ud83c\udfe0'", "🏠"),
        (r"'\ud83c'", "\ufffd"),
        ("'two ' 'pieces'", "two pieces"),
        ("'🏠 日本'", "🏠 日本"),
        ("''", None),
    ],
)
def test_comments(written: str, comment: str | None) -> None:
    statement = parse_statement(f"CREATE TABLE t (a int COMMENT {written}) COMMENT {written} LOCATION 's3://x'")
    assert (statement.columns[0].comment, statement.comment) == (comment, comment)
    assert statement.location == "s3://x"


CLAUSES = """CREATE EXTERNAL TABLE `d.t`(
  a int,
  b string,
  CONSTRAINT pk PRIMARY KEY (a, b) DISABLE NOVALIDATE,
  UNIQUE (a) DISABLE,
  FOREIGN KEY (b) REFERENCES d.o(x) DISABLE)
PARTITIONED BY (ds string COMMENT 'day', `h` int)
CLUSTERED BY (a) SORTED BY (a ASC, b DESC) INTO 8 BUCKETS
SKEWED BY (a) ON ((1), (2)) STORED AS DIRECTORIES
ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' ESCAPED BY '\\\\' COLLECTION ITEMS TERMINATED BY ';'
  MAP KEYS TERMINATED BY ':' LINES TERMINATED BY '\\n' NULL DEFINED AS ''
STORED AS TEXTFILE
LOCATION 's3://b/t'
TBLPROPERTIES ('comment'='in properties', "owner"='ana', 'n'=-3, 'flag'=true);
"""


def test_all_clauses_of_hive() -> None:
    statement = parse_statement(CLAUSES)
    assert [column.name for column in statement.columns] == ["a", "b"]
    assert statement.partition_keys == (Column("ds", "string", "day"), Column("h", "int"))
    assert statement.properties == {"comment": "in properties", "owner": "ana", "n": "-3", "flag": "true"}
    assert (statement.external, statement.reader, statement.location) == (True, "TextInputFormat", "s3://b/t")


def test_all_clauses_of_spark() -> None:
    statement = parse_statement(
        "CREATE TABLE d.t (b STRING, `ds` DATE, a INT, h INT)\nUSING parquet\n"
        "OPTIONS ('path' = 's3://o', header true)\n"
        "PARTITIONED BY (h, DS, bucket(8, a))\nCLUSTERED BY (a) INTO 4 BUCKETS\nDEFAULT COLLATION UTF8_BINARY"
    )
    assert [column.name for column in statement.columns] == ["b", "a"]
    assert statement.partition_keys == (Column("h", "INT"), Column("ds", "DATE"))
    assert (statement.provider, statement.location, statement.by_spark) == ("parquet", "s3://o", True)


def test_views() -> None:
    statement = parse_statement(
        "-- owner: ana\n\nCREATE OR REPLACE VIEW d.v (a COMMENT 'x', `b c`)\nCOMMENT 'v'\nTBLPROPERTIES ('k' = '1')\n"
        "WITH SCHEMA TYPE EVOLUTION\nAS SELECT 'a;b' AS a, /* kept */ 1 -- too\nFROM x\n;\n"
    )
    assert statement.columns == (Column("a", "", "x"), Column("b c", ""))
    assert statement.query == "SELECT 'a;b' AS a, /* kept */ 1 -- too\nFROM x"
    assert (statement.kind, statement.owner, statement.comment) == ("view", "ana", "v")


def test_materialized_view() -> None:
    statement = parse_statement(
        "CREATE MATERIALIZED VIEW `d`.`m` DISABLE REWRITE COMMENT 'm' PARTITIONED ON (`ds`) STORED AS ORC"
        " LOCATION 's3://m' AS SELECT a, ds FROM t"
    )
    assert (statement.kind, statement.partition_names, statement.query) == (
        "materialized_view", ("ds",), "SELECT a, ds FROM t",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "no statement in it"),
        ("-- owner: x\n", 1, "no statement in it"),
        ("DROP TABLE x", 1, "expected CREATE, found DROP"),
        ("CREATE FUNCTION f AS 'x'", 1, "expected TABLE, VIEW or DATABASE"),
        ("CREATE TABLE t (\n a int,\n)", 3, "expected a name, found )"),
        ("CREATE TABLE t (a int", 1, "cut off"),
        ("CREATE TABLE t (a)", 1, "column a has no type"),
        ("CREATE TABLE t (a int)\nCOMMENT 'x", 2, "this ' is not closed"),
        ("CREATE TABLE t (a int)\n\n/* x", 3, "this comment is not closed"),
        ("CREATE TABLE `t (a int)", 1, "this ` is not closed"),
        ("CREATE TABLE t (a int)\nFROBNICATE", 2, "expected a clause of CREATE TABLE, found FROBNICATE"),
        ("CREATE TABLE t (a int);\nDROP TABLE t", 2, "one statement a file"),
        ("CREATE TABLE t AS SELECT 1", 1, "expected a clause of CREATE TABLE, found AS"),
        ("CREATE TABLE t (a int) USING orc PARTITIONED BY (b)", 1, "partition column b is not in"),
        ("CREATE VIEW v AS", 1, "the view has no query"),
        ("CREATE TABLE a.b.c.d (x int)", 1, "a name of 4 parts"),
        ("CREATE TABLE t (a int) TBLPROPERTIES ('a'=)", 1, "expected the value of a property"),
    ],
)
def test_what_is_no_ddl(text: str, line: int, reason: str) -> None:
    with pytest.raises(StatementError) as caught:
        parse_statement(text)
    assert caught.value.line == line
    assert reason in caught.value.reason


WORDS = st.sampled_from(
    ["CREATE", "TABLE", "VIEW", "`d.t`", "(", ")", ",", "a", "int", "array<", ">", "<", "COMMENT", "'x'", "'", "`", '"',
     "PARTITIONED BY", "AS", "SELECT 1", ";", "--", "/*", "*/", "\n", "TBLPROPERTIES", "=", "STORED", "ROW FORMAT",
     "USING", "\\", "$", "{{", "\x00", "é", "🏠", ".", "CONSTRAINT", "INTO"]
)  # fmt: skip


TEXTS = (
    st.text()
    | st.lists(WORDS, max_size=30).map(" ".join)
    | st.lists(WORDS, max_size=30).map(lambda words: "CREATE TABLE " + "".join(words))
)


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_any_text_is_a_statement_or_an_error_with_a_place(text: str) -> None:
    found: Statement | StatementError
    try:
        found = parse_statement(text)
    except StatementError as error:
        found = error
    assert 1 <= found.line <= text.count("\n") + 1
