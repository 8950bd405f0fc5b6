"""`profile`: an object a file or table with all findings, and no value in what it prints."""

import json
import os
from pathlib import Path

import pytest

from metadata_assets.stages.deployment import opened
from metadata_assets.stages.scope import Scope
from tests.lake import table
from tests.memory import World
from tests.unit.cli.conftest import Invoke
from tests.unit.profiling.test_detectors import CPFS, PHONES
from tests.unit.profiling.test_table import broken_text, write
from tests.unit.stages.conftest import run_line


def test_one_object_a_file(invoke: Invoke, tmp_path: Path) -> None:
    write(tmp_path / "t/ds=1/a.parquet", cpf=list(CPFS))
    write(tmp_path / "t/ds=2/b.parquet", x=[1])
    found = [json.loads(line) for line in invoke("profile", "--json", str(tmp_path / "t")).stdout.splitlines()]
    assert [Path(o["file"]).name for o in found] == ["a.parquet", "b.parquet"]
    (column, _) = found[0]["columns"]
    assert (column["column"], column["rows"], column["nulls"]) == ("cpf", 5, 0)
    assert [(f["tag"], f["band"], f["matched"]) for f in column["findings"]] == [("PII_CPF", "certain", 5)]


def test_all_findings_of_a_column(invoke: Invoke, tmp_path: Path) -> None:
    # Eleven digits may be a telephone number and a tax number at once.
    both = ["11985472019", "11987654240", "11912345610", "11998877676", "21987654390"]
    file = write(tmp_path / "x.parquet", cpf_telefone=[*CPFS, *both, *PHONES])
    (found,) = [json.loads(line) for line in invoke("profile", "--json", file).stdout.splitlines()]
    assert {f["tag"] for f in found["columns"][0]["findings"]} == {"PII_CPF", "PII_PHONE"}
    printed = invoke("profile", file).stdout
    assert "PII_CPF" in printed
    assert "PII_PHONE" in printed


def test_no_value_is_printed(invoke: Invoke, tmp_path: Path) -> None:
    """Not even by the error about a text that is no UTF-8, which quotes it."""
    result = invoke("profile", broken_text(tmp_path / "x.parquet"), write(tmp_path / "y.parquet", cpf=list(CPFS)))
    assert result.exit_code == 1
    assert "x.parquet: a damaged Parquet file, or text in it that is not UTF-8" in result.stderr
    assert "PII_CPF" in result.stdout
    assert not any(value in result.output for value in CPFS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [((), "nothing to profile"), (("--table", "raw.user"), "did you mean"), (("--table", "users"), "not a table name")],
)
def test_wrong_use(arguments: tuple[str, ...], message: str, invoke: Invoke, catalogued: World) -> None:
    _add_samples()
    result = invoke("profile", *arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())


def _add_samples() -> None:
    path = Path(os.environ["METADATA_PLATFORM"])
    path.write_text(path.read_text() + "samples: {type: files, roots: {'s3a://lake': data}}\n")


def test_a_table_of_the_deployment(invoke: Invoke, world: World, tmp_path: Path) -> None:
    _add_samples()
    write(tmp_path / "data/t/1.parquet", doc=list(CPFS))
    write(tmp_path / "data/t/2.parquet", doc=["x"])
    world.metastore.add(table("raw.t", "doc string", location="s3a://lake/t"), table("raw.bare", "cpf string"))
    with opened(os.environ) as deployment:
        run_line(deployment, Scope("seed"))
    arguments = ("profile", "--json", "--table", "RAW.t", "--table", "raw.bare")
    first, second = (json.loads(line) for line in invoke(*arguments).stdout.splitlines())
    assert (first["table"], first["rows"], first["columns"][0]["findings"][0]["tag"]) == ("raw.t", 6, "PII_CPF")
    assert (second["table"], second["columns"][0]["findings"][0]["band"]) == ("raw.bare", "weak")


def test_a_deployment_without_samples_says_so(invoke: Invoke, catalogued: World) -> None:
    result = invoke("profile", "--table", "raw.users")
    assert "set `samples` in the platform file" in " ".join(result.output.split())


def test_what_is_no_parquet_file_is_said_so(invoke: Invoke, tmp_path: Path) -> None:
    for name, content in (("README.md", "# Users"), ("users.csv", "cpf\n529.982.247-25\n"), ("empty.parquet", "")):
        (tmp_path / name).write_text(content)
        result = invoke("profile", str(tmp_path / name))
        assert result.exit_code == 1
        assert "not a Parquet file" in result.stderr
        assert "529" not in result.output


def test_a_table_with_a_broken_file_is_profiled_by_the_others(invoke: Invoke, world: World, tmp_path: Path) -> None:
    _add_samples()
    write(tmp_path / "data/t/1.parquet", doc=list(CPFS))
    (tmp_path / "data/t/2.parquet").write_bytes(b"PAR1 cut off")
    world.metastore.add(table("raw.t", "doc string", location="s3a://lake/t"))
    with opened(os.environ) as deployment:
        run_line(deployment, Scope("seed"))
    result = invoke("profile", "--table", "raw.t")
    assert result.exit_code == 1
    assert "raw.t: left out: " in result.stderr
    assert "2.parquet: a truncated Parquet file" in result.stderr
    assert "PII_CPF" in result.stdout
    assert "≈5" in result.stdout
    told = " ".join(invoke("status", "raw.t").stdout.split())
    assert "pii_profiles failed at" in told
    assert "1 data file cannot be read, the profile is of the others" in told


def test_what_cannot_be_read_keeps_nobody_from_the_others(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = invoke("profile", "--json", str(tmp_path / "empty"), write(tmp_path / "y.parquet", cpf=list(CPFS)))
    assert (result.exit_code, len(result.stdout.splitlines())) == (1, 1)
    assert "empty: no Parquet files in this folder" in result.stderr
