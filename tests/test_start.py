"""What starts fast stays fast: commands without Dagster load none of it, definitions load with no secret set."""

import subprocess
import sys

import pytest

from tests.integration.command import ROOT, environment

WITHOUT_DAGSTER = {
    "check": ["check", "yaml_specs"],
    "schema": ["schema"],
    "lineage": ["lineage", "examples/lakehouse/jobs/clean/user_clean.sql"],
    "profile": ["profile", "examples/lakehouse/data/raw.db/users"],
}
PROBE = """
import sys
from metadata_assets.cli import main
try:
    main({arguments!r})
except SystemExit:
    pass
print("DAGSTER" if "dagster" in sys.modules else "FREE", file=sys.stderr)
"""


@pytest.mark.parametrize("name", WITHOUT_DAGSTER)
def test_command_loads_no_dagster(name: str) -> None:
    code = PROBE.format(arguments=WITHOUT_DAGSTER[name])
    env = environment(ROOT / "nowhere")
    done = subprocess.run([sys.executable, "-c", code], env=env, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.stderr.splitlines()[-1] == "FREE", done.stderr[-2000:]
