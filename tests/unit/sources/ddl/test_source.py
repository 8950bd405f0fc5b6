"""The folder as a source: every name gets exactly one answer, whatever lies in its file."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import ValidationError
from sqlglot.dialects.hive import Hive

from metadata_assets.errors import Permanent
from metadata_assets.model.surroundings import Surroundings
from metadata_assets.model.table import Column, Database, ReadFailure, Table, TableName, TableRead, Vanished
from metadata_assets.sources.base import MetastoreSource
from metadata_assets.sources.ddl.client import DdlFolder
from metadata_assets.sources.ddl.config import DdlConfig
from metadata_assets.sources.ddl.source import DdlSource
from metadata_assets.sources.patterns import NamePatterns

SAMPLE = Path(__file__).parents[4] / "examples/lakehouse/ddl"
Write = Callable[[str, str | bytes], None]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_file(path: str, content: str | bytes) -> None:
        file = tmp_path / "ddl" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)

    return write_file


def connect(tmp_path: Path, **patterns: tuple[str, ...]) -> MetastoreSource:
    config = DdlConfig(type="ddl", path="ddl", databases=NamePatterns(**patterns))
    return config.connect(Surroundings({}, tmp_path, tmp_path))


def read(tmp_path: Path, *names: str) -> list[TableRead]:
    with connect(tmp_path) as source:
        return list(source.read_tables([TableName.parse(name) for name in names]))


def read_one(tmp_path: Path, name: str) -> Table:
    (found,) = read(tmp_path, name)
    assert isinstance(found, Table), found
    return found


def test_names_are_those_of_the_files(tmp_path: Path, write: Write) -> None:
    for path in ("Sales/Orders.sql", "Sales/b.SQL", "Sales/_database.sql", "Sales/.hidden.sql", "Sales/x.txt"):
        write(path, "this is not parsed")
    with connect(tmp_path) as source:
        assert source.read_table_names("SALES") == [TableName("sales", "b"), TableName("sales", "orders")]
        with pytest.raises(Permanent, match="no folder for database nope"):
            source.read_table_names("nope")


def test_patterns(tmp_path: Path, write: Write) -> None:
    for path in ("a/t.sql", "a/tmp_t.sql", "b/t.sql"):
        write(path, "CREATE TABLE t (a int)")
    with connect(tmp_path, include=("a",), exclude=("a.tmp_*",)) as source:
        assert source.read_databases() == [Database("a")]
        assert (source.read_table_names("a"), source.read_table_names("b")) == ([TableName("a", "t")], [])
        (left_out,) = source.read_tables([TableName("a", "tmp_t")])
    assert isinstance(left_out, ReadFailure)
    assert "left out" in left_out.reason


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"CREATE TABLE t (\n a int COMMENT '\xff')", "t.sql:2: not UTF-8"),
        (b"", "t.sql:1: no statement in it"),
        (b"CREATE TABLE t (\n a int", "t.sql:2: the list ends within column a"),
        (
            b"\n\nCREATE TABLE `d.other`(a int)",
            "t.sql:3: it creates d.other, but lies where the file of d.t is expected",
        ),
        (b"CREATE TABLE `x`.`t`(a int)", "t.sql:1: it creates x.t"),
        (b"CREATE DATABASE t", "t.sql:1: expected CREATE TABLE or VIEW"),
        (b" " * (4 << 20) + b"x", "t.sql: larger than 4 MiB"),
    ],
)
def test_a_bad_file_is_a_failure_of_its_table(tmp_path: Path, write: Write, content: bytes, reason: str) -> None:
    write("d/t.sql", content)
    write("d/good.sql", "\ufeffCREATE TABLE good (a int)")
    good, bad = read(tmp_path, "d.good", "d.t")
    assert isinstance(good, Table)
    assert isinstance(bad, ReadFailure)
    assert reason in bad.reason


def test_two_files_that_differ_by_case(tmp_path: Path, write: Write) -> None:
    write("d/T.sql", "CREATE TABLE t (a int)")
    write("d/t.sql", "CREATE TABLE t (a int)")
    (failure,) = read(tmp_path, "d.t")
    assert isinstance(failure, ReadFailure)
    assert "d/T.sql" in failure.reason
    assert "d/t.sql differ only by case" in failure.reason


def test_what_is_gone_has_vanished(tmp_path: Path, write: Write) -> None:
    write("d/t.sql", "CREATE TABLE t (a int)")
    names = ("d.u", "e.t")
    assert read(tmp_path, *names) == [Vanished(TableName.parse(name)) for name in names]
    with connect(tmp_path) as source:
        listed = source.read_table_names("d")
        (tmp_path / "ddl/d/t.sql").unlink()
        assert list(source.read_tables(listed)) == [Vanished(TableName("d", "t"))]


def test_missing_root(tmp_path: Path) -> None:
    with connect(tmp_path) as source, pytest.raises(Permanent, match="is not a folder: set `metastore: path`"):
        source.read_databases()


def test_links(tmp_path: Path, write: Write) -> None:
    write("d/t.sql", "CREATE TABLE t (a int)")
    (tmp_path / "out.sql").write_text("CREATE TABLE out (a int)")
    (tmp_path / "outside").mkdir()
    (tmp_path / "ddl/d/out.sql").symlink_to(tmp_path / "out.sql")
    (tmp_path / "ddl/e").symlink_to(tmp_path / "outside")
    (tmp_path / "ddl/d/loop.sql").symlink_to("loop.sql")
    (tmp_path / "ddl/d/dangling.sql").symlink_to("nothing.sql")
    (tmp_path / "ddl/d/u.sql").symlink_to("t.sql")
    with connect(tmp_path) as source:
        assert [str(name) for name in source.read_table_names("d")] == ["d.t", "d.u"]
        assert [database.name for database in source.read_databases()] == ["d"]


def test_a_bad_database_file_stops_the_reading(tmp_path: Path, write: Write) -> None:
    write("d/_database.sql", "CREATE DATABASE other")
    with connect(tmp_path) as source, pytest.raises(Permanent, match=r"_database\.sql:1: expected CREATE DATABASE d"):
        source.read_databases()


def test_folders_that_differ_by_case(tmp_path: Path, write: Write) -> None:
    write("D/t.sql", "")
    write("d/t.sql", "")
    with connect(tmp_path) as source, pytest.raises(Permanent, match=r"ddl/D and .*ddl/d differ only by case"):
        source.read_databases()


def test_settings_are_checked() -> None:
    with pytest.raises(ValidationError):
        DdlConfig.model_validate({"type": "ddl", "path": "x", "paths": "y"})


@pytest.mark.parametrize("path", ["legado/cadastro_geral.sql", "clean/v_users_masked.sql", "clean/user_history.sql"])
def test_truncated_anywhere(tmp_path: Path, write: Write, path: str) -> None:
    """At every token's end, and within every token."""
    text = (SAMPLE / path).read_text()
    database, table = path.removesuffix(".sql").split("/")
    ends = {token.end + shift for token in Hive().tokenize(text) for shift in (0, 1)}
    whole = 0
    for end in sorted(ends):
        write(path, text[:end])
        (found,) = read(tmp_path, f"{database}.{table}")
        assert isinstance(found, Table | ReadFailure)
        whole += isinstance(found, Table)
    assert whole < len(ends)


def test_a_view_gets_its_types_through_other_views(tmp_path: Path, write: Write) -> None:
    write("d/t.sql", "CREATE TABLE `d.t`(a decimal(10,2), b int) PARTITIONED BY (ds string)")
    write("d/a_view.sql", "CREATE VIEW `d.a_view` AS SELECT *, sum(a) AS total FROM d.z_view GROUP BY a, b, ds")
    write("d/z_view.sql", "CREATE VIEW `d.z_view` AS SELECT * FROM t")
    view = read_one(tmp_path, "d.a_view")
    assert view.columns == (
        Column("a", "decimal(10,2)"), Column("b", "int"), Column("ds", "string"), Column("total", "decimal(20,2)"),
    )  # fmt: skip
    assert (view.schema_origin, view.notes) == ("query", ())


def test_views_in_a_circle_have_no_columns_whichever_comes_first(tmp_path: Path, write: Write) -> None:
    write("d/a.sql", "CREATE VIEW `d.a` AS SELECT k FROM d.b")
    write("d/b.sql", "CREATE VIEW `d.b` AS SELECT * FROM d.a")
    write("d/c.sql", "CREATE VIEW `d.c` AS SELECT k FROM d.b")
    together = read(tmp_path, "d.a", "d.b", "d.c")
    assert together == [read_one(tmp_path, name) for name in ("d.a", "d.b", "d.c")]
    a, _, c = together
    assert isinstance(a, Table)
    assert isinstance(c, Table)
    assert (a.columns, a.notes) == (
        (), ("its columns are not known: its query reads the view itself, by way of other views",)
    )  # fmt: skip
    assert c.columns == (Column("k", "unknown"),)
    assert c.notes == (
        "the type cannot be told from the query for column k: the query reads d.b, whose columns are not known",
    )


def test_a_long_chain_of_views(tmp_path: Path, write: Write) -> None:
    write("d/v0.sql", "CREATE TABLE `d.v0`(a bigint)")
    for number in range(1, 300):
        write(f"d/v{number}.sql", f"CREATE VIEW `d.v{number}` AS SELECT a FROM d.v{number - 1}")
    assert read_one(tmp_path, "d.v299").columns == (Column("a", "bigint"),)


def test_a_view_whose_query_cannot_be_read(tmp_path: Path, write: Write) -> None:
    write("d/v.sql", "CREATE VIEW d.v (a COMMENT 'kept', b) AS SELECT FROM WHERE ((")
    view = read_one(tmp_path, "d.v")
    assert view.columns == (Column("a", "unknown", "kept"), Column("b", "unknown"))
    assert view.notes == ("the types of its columns are not known: its query cannot be parsed",)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("CREATE TABLE t (\n a int,\n b int,\n A string)", "t.sql:4: column A is defined twice, first in line 2"),
        ("CREATE TABLE t (a int)\nPARTITIONED BY (`a` int)", "t.sql:2: column a is defined twice, as a column and as"),
        ("CREATE TABLE t (a int)\nPARTITIONED BY (d int,\n D int)", "t.sql:3: column D is defined twice, first in"),
        ("CREATE VIEW t (a,\n a) AS SELECT 1, 2", "t.sql:2: column a is defined twice, first in line 1"),
    ],
)
def test_a_column_that_is_defined_twice_is_named_with_its_line(
    text: str, told: str, tmp_path: Path, write: Write
) -> None:
    write("a/t.sql", text)
    write("a/good.sql", "CREATE TABLE good (a int)")
    good, bad = read(tmp_path, "a.good", "a.t")
    assert isinstance(good, Table)
    assert isinstance(bad, ReadFailure)
    assert told in bad.reason


def test_a_file_saved_on_windows_says_the_same(tmp_path: Path, write: Write) -> None:
    text = "CREATE TABLE t (\n a int COMMENT 'one\n\ntwo')\nCOMMENT 'of\n\tall'\n"
    write("a/t.sql", text)
    plain = read_one(tmp_path, "a.t")
    write("a/t.sql", text.replace("\n", "\r\n"))
    assert read_one(tmp_path, "a.t") == plain
    assert plain.columns[0].comment == "one\n\ntwo"


def test_what_lies_elsewhere_is_named_with_the_reason(tmp_path: Path) -> None:
    for name in (
        "top.sql",
        "raw/users.sql",
        "raw/_database.sql",
        "raw/users.ddl",
        "lake/raw/deep/users.sql",
        ".git/x.sql",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("CREATE TABLE x (a int)")
    (tmp_path / "raw" / "gone.sql").symlink_to("nowhere.sql")
    patterns = NamePatterns(exclude=("lake",))
    overlooked = DdlSource(DdlFolder(tmp_path), patterns).read_overlooked()
    assert {reason: [Path(n).name for n in names] for reason, names in overlooked.names.items()} == {
        "in_no_database_folder": ["top.sql"],
        "too_deep": ["users.sql"],
        "not_a_sql_file": ["users.ddl"],
        "link_to_nothing": ["gone.sql"],
    }
    assert overlooked.expected.endswith("/<database>/<table>.sql; `metastore: databases` leaves out lake")
