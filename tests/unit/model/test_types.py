"""Type text of Hive, Spark and Trino, one row a form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metadata_assets.model.types import (
    MAX_DEPTH,
    ArrayType,
    DataType,
    MapType,
    PrimitiveType,
    StructField,
    StructType,
    UnionType,
    UnknownType,
    nested_paths,
    parse_type,
    to_text,
    unknown_parts,
)

INT, BIGINT, STRING = PrimitiveType("int"), PrimitiveType("bigint"), PrimitiveType("string")
DOUBLE, DATE = PrimitiveType("double"), PrimitiveType("date")


def struct(**fields: DataType) -> StructType:
    return StructType(tuple(StructField(name, data_type) for name, data_type in fields.items()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int", INT),
        (" BigInt\t", BIGINT),
        ("integer", INT),
        ("decimal(16,4)", PrimitiveType("decimal", (16, 4))),
        ("DECIMAL ( 16 , 4 )", PrimitiveType("decimal", (16, 4))),
        ("decimal(10,-2)", PrimitiveType("decimal", (10, -2))),
        ("numeric(5)", PrimitiveType("decimal", (5,))),
        ("varchar(20)", PrimitiveType("varchar", (20,))),
        ("char", PrimitiveType("char")),
        ("double precision", DOUBLE),
        ("void", PrimitiveType("void")),
        ("timestamp", PrimitiveType("timestamp")),
        ("timestamp(3) with time zone", PrimitiveType("timestamp with time zone", (3,))),
        ("TIMESTAMP  WITH\nTIME ZONE", PrimitiveType("timestamp with time zone")),
        ("timestamp with local time zone", PrimitiveType("timestamp with local time zone")),
        ("time(6)", PrimitiveType("time", (6,))),
        ("interval_day_time", PrimitiveType("interval_day_time")),
        ("interval year to month", PrimitiveType("interval year to month")),
        ("interval day(2) to second(6)", PrimitiveType("interval day to second", (2, 6))),
        ("interval hour", PrimitiveType("interval hour")),
        ("string collate UTF8_LCASE", STRING),
    ],
)
def test_primitives(text: str, expected: DataType) -> None:
    assert parse_type(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("array<int>", ArrayType(INT)),
        ("ARRAY < Map< string , array<bigint> > >", ArrayType(MapType(STRING, ArrayType(BIGINT)))),
        ("uniontype<int,string>", UnionType((INT, STRING))),
        ("array<struct<fee:decimal(16,4)>>", ArrayType(struct(fee=PrimitiveType("decimal", (16, 4))))),
        ("struct<v:varchar(100)>", struct(v=PrimitiveType("varchar", (100,)))),
        ("struct<>", StructType(())),
        ("array(bigint)", ArrayType(BIGINT)),
        ("map(varchar, row(a bigint))", MapType(PrimitiveType("varchar"), struct(a=BIGINT))),
        ("row(a bigint, b varchar(5))", struct(a=BIGINT, b=PrimitiveType("varchar", (5,)))),
        ("row(bigint, double precision, date)", struct(field0=BIGINT, field1=DOUBLE, field2=DATE)),
        ("row(date date, ts timestamp(3) with time zone)",
         struct(date=DATE, ts=PrimitiveType("timestamp with time zone", (3,)))),
        ("row(timestamp(3) with time zone)", struct(field0=PrimitiveType("timestamp with time zone", (3,)))),
        ('row("first name" bigint, "a""b" date)', struct(**{"first name": BIGINT, 'a"b': DATE})),
        ("struct<a INT, b: STRING>", struct(a=INT, b=STRING)),
        ("struct<array:array<int>,map:int>", struct(array=ArrayType(INT), map=INT)),
    ],
)  # fmt: skip
def test_containers(text: str, expected: DataType) -> None:
    assert parse_type(text) == expected


@pytest.mark.parametrize(
    ("text", "name", "comment"),
    [
        ("struct<plain:int>", "plain", None),
        ("struct<first name:int>", "first name", None),
        ("struct<price (eur):int>", "price (eur)", None),
        ("struct<d'accord:int>", "d'accord", None),
        ("struct<名前:int>", "名前", None),
        ("struct<😀:int>", "😀", None),
        ("struct<a.b-c$:int>", "a.b-c$", None),
        ("struct<`a:b,c>`:int>", "a:b,c>", None),
        ("struct<`tick``ed`:int>", "tick`ed", None),
        ("struct<a:int COMMENT 'x, y: <z>'>", "a", "x, y: <z>"),
        ("struct<a int comment 'it''s'>", "a", "it's"),
        (r"struct<a:int NOT NULL COMMENT 'it\'s \\'>", "a", "it's \\"),
        ("struct<comment:int>", "comment", None),
        ("struct<not:int not null>", "not", None),
    ],
)
def test_fields(text: str, name: str, comment: str | None) -> None:
    assert parse_type(text) == StructType((StructField(name, INT, comment),))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty type"),
        ("   ", "empty type"),
        ("array<int", "expected '>', found 'the end'"),
        ("array<int)", "expected '>', found ')'"),
        ("map<string>", "map with 1 types inside"),
        ("array<int,int>", "array with 2 types inside"),
        ("struct<a:>", "a type is missing before '>'"),
        ("int>", "unexpected '>' after the type"),
        ("decimal(", "expected ')', found 'the end'"),
        ("varchar(max)", "parameters are not numbers"),
        ("decimal(10,)", "parameters are not numbers"),
        ("mystery", "no such type"),
        ("int int", "no such type"),
        ("array<" * (MAX_DEPTH + 1) + "int" + ">" * (MAX_DEPTH + 1), f"nested deeper than {MAX_DEPTH} levels"),
        ("array<" * 100_000, f"nested deeper than {MAX_DEPTH} levels"),
    ],
)
def test_unreadable(text: str, reason: str) -> None:
    assert parse_type(text) == UnknownType(text, reason)


def test_one_unknown_leaf_leaves_its_neighbours() -> None:
    assert parse_type("struct<a:Mystery(3),b:int>") == struct(a=UnknownType("Mystery(3)", "no such type"), b=INT)


def test_unknown_parts_are_found_wherever_they_are() -> None:
    text = "map<odd1,struct<a:array<odd2>,b:int,c:uniontype<int,odd3>>>"
    assert [part.text for part in unknown_parts(parse_type(text))] == ["odd1", "odd2", "odd3"]
    assert [part.text for part in unknown_parts(parse_type("array<"))] == ["array<"]


def test_deep_nesting() -> None:
    data_type = parse_type("struct<a:" * 90 + "int" + ">" * 90)
    path, leaf = nested_paths("c", data_type)[-1]
    assert (path, leaf) == ("c" + ".a" * 90, INT)


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("int", []),
        ("array<int>", []),
        ("struct<street:string,geo:struct<lat:double>>", ["c.street", "c.geo", "c.geo.lat"]),
        ("array<struct<price:int>>", ["c[].price"]),
        ("array<array<struct<price:int>>>", ["c[][].price"]),
        ("map<string,string>", ["c{}.value"]),
        ("map<string,struct<price:int>>", ["c{}.price"]),
        ("map<string,array<struct<price:int>>>", ["c{}.value", "c{}.value[].price"]),
        ("struct<a.b:int,x[]:int>", ["c.`a.b`", "c.`x[]`"]),
        ("uniontype<int,struct<a:int>>", []),
        ("broken<", []),
    ],
)
def test_nested_paths(text: str, paths: list[str]) -> None:
    assert [path for path, _ in nested_paths("c", parse_type(text))] == paths


def containers(inner: st.SearchStrategy[DataType]) -> st.SearchStrategy[DataType]:
    field = st.builds(StructField, st.text(), inner, st.none() | st.text())
    return st.one_of(
        st.builds(ArrayType, inner),
        st.builds(MapType, inner, inner),
        st.builds(StructType, st.lists(field, max_size=4).map(tuple)),
        st.builds(UnionType, st.lists(inner, min_size=1, max_size=3).map(tuple)),
    )


PRIMITIVES = st.sampled_from([
    INT, STRING, DOUBLE, PrimitiveType("decimal", (38, 18)), PrimitiveType("interval day to second", (2, 6)),
    PrimitiveType("timestamp with time zone", (3,)), PrimitiveType("varchar", (1,)), PrimitiveType("void"),
])  # fmt: skip


@given(st.recursive(PRIMITIVES, containers, max_leaves=12))
def test_what_is_written_reads_back(data_type: DataType) -> None:
    assert parse_type(to_text(data_type)) == data_type


@given(st.text(alphabet="abint<>(),:`'\"\\ \n0三", max_size=40) | st.text())
def test_any_text_gives_a_type(text: str) -> None:
    nested_paths("c", parse_type(text))
