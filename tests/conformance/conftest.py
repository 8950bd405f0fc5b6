"""One harness a test, for each destination in turn."""

from pathlib import Path

import pytest

from tests.conformance.harness import DESTINATIONS, Harness, Make


@pytest.fixture(params=[pytest.param(make, id=name, marks=marks) for name, make, marks in DESTINATIONS])
def harness(request: pytest.FixtureRequest, tmp_path: Path) -> Harness:
    make: Make = request.param
    return make(request, tmp_path)
