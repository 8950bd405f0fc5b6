"""The whole sample lakehouse is read, and read right."""

from pathlib import Path

import pytest

from metadata_assets.model.surroundings import Surroundings
from metadata_assets.model.table import Table
from metadata_assets.sources.ddl.config import DdlConfig

SAMPLE = Path(__file__).parents[4] / "examples/lakehouse"


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    around = Surroundings({}, SAMPLE, SAMPLE)
    with DdlConfig(type="ddl", path="ddl").connect(around) as source:
        names = [name for database in source.read_databases() for name in source.read_table_names(database.name)]
        return {str(read.name): read for read in source.read_tables(names) if isinstance(read, Table)}


def test_every_table_of_the_sample(tables: dict[str, Table]) -> None:
    assert len(tables) == 74
    assert [table.name for table in tables.values() if table.notes] == []
    assert sum(table.is_view for table in tables.values()) == 7
