"""How much may fail or go at once."""

from pathlib import Path

import pytest

from metadata_assets.catalog.limits import DELETIONS_IF_SMALL, SMALL, FailurePolicy
from metadata_assets.config import Policies
from metadata_assets.model.counts import Counts


def counts(listed: int, failed: int) -> Counts:
    return Counts(listed, listed - failed, errors={str(i): "boo" for i in range(failed)})


@pytest.mark.parametrize(
    ("listed", "failed", "stops"),
    [
        (0, 0, False),
        (100, 5, False),
        (100, 6, True),
        (3, 3, True),
        (1000, 20, False),
        (1000, 21, True),
        (200, 5, False),
    ],
)
def test_how_many_failures_stop_a_step(listed: int, failed: int, stops: bool) -> None:
    assert FailurePolicy(max_share=0.02).is_broken_by(counts(listed, failed)) is stops


def test_the_readme_tells_the_limits_of_a_small_catalog() -> None:
    readme = Path(__file__).parents[3] / "README.md"
    assert f"({DELETIONS_IF_SMALL} in a catalog of up to {SMALL} tables" in readme.read_text()


def test_policies_of_the_platform_file_are_those_that_hold() -> None:
    policies = Policies.model_validate(
        {"deletion": {"max_tables": 7, "max_share": 0.5, "grace": "1h"}, "failures": {"max_share": 0.25}}
    )
    deletion = policies.deletion.to_policy()
    assert (deletion.max_tables, deletion.max_share, deletion.grace) == (7, 0.5, 3600.0)
    assert policies.failures.to_policy() == FailurePolicy(0.25)
