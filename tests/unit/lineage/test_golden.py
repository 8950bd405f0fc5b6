"""Every case of the golden files, and the sample lakehouse whole."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from metadata_assets.lineage.script import infer_script
from metadata_assets.lineage.split import split_script
from metadata_assets.model.lineage import Script
from metadata_assets.model.surroundings import Surroundings
from metadata_assets.model.table import Table, TableName
from metadata_assets.sources.ddl.config import DdlConfig
from tests.unit.lineage.golden import FOLDER, Case, describe, read_cases, read_tables

SAMPLE = Path(__file__).parents[3] / "examples/lakehouse"
CASES = list(read_cases())
TABLES = read_tables()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file}: {case.title}")
def test_case(case: Case) -> None:
    assert describe(case, TABLES) == case.expected


def test_cases_are_many_and_have_titles_of_their_own() -> None:
    titles = [(case.file, case.title) for case in CASES]
    assert len(titles) >= 100
    assert len(titles) == len(set(titles))
    assert len(titles) == sum(path.read_text().count("-- case:") for path in FOLDER.glob("*.sql"))


@pytest.fixture(scope="module")
def lake() -> dict[TableName, Table]:
    with DdlConfig(type="ddl", path="ddl").connect(Surroundings({}, SAMPLE, SAMPLE)) as source:
        names = [name for database in source.read_databases() for name in source.read_table_names(database.name)]
        return {read.name: read for read in source.read_tables(names) if isinstance(read, Table)}


@pytest.fixture(scope="module")
def scripts(lake: dict[TableName, Table]) -> dict[str, Script]:
    found = {}
    for path in sorted(SAMPLE.glob("jobs/**/*.sql")):
        name = str(path.relative_to(SAMPLE))
        found[name] = infer_script(name, path.read_text(), "spark", lake)
    for table in lake.values():
        if table.view is not None:
            name = f"view:{table.name}"
            text = table.view.expanded or table.view.original
            found[name] = infer_script(name, text, table.view.dialect, lake)
    return found


def test_every_statement_of_the_sample_is_accounted_for(scripts: dict[str, Script]) -> None:
    for name, script in scripts.items():
        if not name.startswith("view:"):
            pieces = split_script((SAMPLE / name).read_text(), "spark")
            assert len(script.statements) == sum(piece.is_statement for piece in pieces), name
        for statement in script.statements:
            assert (statement.reason == "") == (statement.status == "lineage")


def test_the_sample_ends_as_recorded(scripts: dict[str, Script]) -> None:
    assert list(_summary(scripts)) == (FOLDER / "sample.txt").read_text().splitlines()


def test_columns_of_the_sample_are_columns_of_the_lake(
    scripts: dict[str, Script], lake: dict[TableName, Table]
) -> None:
    edges = {edge for script in scripts.values() for s in script.statements for edge in s.columns}
    ends = {end for edge in edges for end in (edge.source, edge.target)}
    unknown = {
        e for e in ends if e.table in lake and e.column not in {c.name.lower() for c in lake[e.table].all_columns}
    }
    assert not unknown


def _summary(scripts: dict[str, Script]) -> Iterator[str]:
    counts: dict[str, int] = {}
    for name, script in scripts.items():
        for statement in script.statements:
            counts[statement.status] = counts.get(statement.status, 0) + 1
            edges = len(statement.columns)
            yield f"{name}:{statement.place.line} {statement.verb} {statement.status} {edges}"
    yield from (f"{status}: {count}" for status, count in sorted(counts.items()))
