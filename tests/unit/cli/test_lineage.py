"""`lineage`: files and folders of SQL, each answered whatever the others are."""

import json
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Invoke
from tests.unit.sources.test_trees import refuse

GOOD = "INSERT INTO clean.users SELECT cpf FROM raw.users;"

pytestmark = pytest.mark.usefixtures("catalogued")


def files_of(output: str) -> list[str]:
    return [Path(json.loads(line)["file"]).name for line in output.splitlines()]


def test_a_file_that_cannot_be_read_keeps_nobody_from_the_others(invoke: Invoke, tmp_path: Path) -> None:
    for name in ("a.sql", "c.sql"):
        (tmp_path / name).write_text(GOOD)
    (tmp_path / "b.sql").write_bytes(b"select \xff")
    result = invoke("lineage", "--json", *(str(tmp_path / name) for name in ("a.sql", "b.sql", "c.sql")))
    assert (result.exit_code, files_of(result.stdout)) == (1, ["a.sql", "c.sql"])
    assert "b.sql: byte 7 is not UTF-8: save the file as UTF-8" in result.stderr


def test_a_folder_is_walked_as_the_pipeline_walks_it(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "jobs/deep/.hidden").mkdir(parents=True)
    for name in ("a.hql", "deep/b.sql", "deep/c.txt", "deep/.hidden/d.sql"):
        (tmp_path / "jobs" / name).write_text("\ufeff" + GOOD)
    result = invoke("lineage", "--json", str(tmp_path / "jobs"))
    assert (result.exit_code, files_of(result.stdout)) == (0, ["a.hql", "b.sql"])


def test_folders_without_sql_or_that_cannot_be_listed_are_told(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("empty", "locked", "good"):
        (tmp_path / name).mkdir()
    (tmp_path / "good/a.sql").write_text(GOOD)
    refuse(monkeypatch, "locked", PermissionError(13, "Permission denied"))
    result = invoke("lineage", "--json", *(str(tmp_path / name) for name in ("empty", "locked", "good")))
    assert (result.exit_code, files_of(result.stdout)) == (1, ["a.sql"])
    assert "empty: no SQL files in this folder" in result.stderr
    assert "locked: the folder cannot be listed" in result.stderr


def test_less_than_full_lineage_is_told_by_the_status(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text("frobnicate;")
    assert invoke("lineage", str(tmp_path)).exit_code == 1
