"""A workbook that holds the whole catalog of the conformance suite."""

from pathlib import Path

import pytest

from tests.unit.destinations.workbook.people import ALL, publish


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "catalog.xlsx"
    publish(path, ALL)
    return path
