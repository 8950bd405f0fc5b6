"""The command line as people run it: a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PROGRAM = (sys.executable, "-c", "from metadata_assets.cli import main; main()")


def environment(home: Path, **more: str) -> dict[str, str]:
    """The environment of a command that keeps its state in `home`."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("METADATA_", "DAGSTER_"))}
    return {**kept, "METADATA_HOME": str(home), "PYTHONPATH": str(ROOT), **more}


def run(*arguments: str, env: dict[str, str], check: bool = True) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *arguments], env=env, cwd=ROOT, check=check, capture_output=True, text=True, timeout=300
    )


def backfill(env: dict[str, str], *arguments: str) -> dict[str, dict[str, Any]]:
    """Counts by stage; each must add up."""
    found: dict[str, dict[str, Any]] = json.loads(run("backfill", "--json", *arguments, env=env).stdout)["stages"]
    for stage, counts in found.items():
        parts = counts["written"] + counts["unchanged"] + sum(counts["skipped"].values()) + counts["failed"]
        assert counts["listed"] == parts, stage
    return found
