"""A killed backfill holds nothing for ever, a living one is left in peace."""

import subprocess
import sys
from pathlib import Path

import dagster as dg

from metadata_assets.defs.dead_runs import PROCESS_TAG, backfill_under_way, end_dead_runs, sign_of_life

HOLD = """
import sys, time
from pathlib import Path
from metadata_assets.defs.dead_runs import sign_of_life
with sign_of_life(Path(sys.argv[1])) as tags:
    print(next(iter(tags.values())), flush=True)
    time.sleep(60)
"""


@dg.job
def nothing() -> None:
    pass


def started(instance: dg.DagsterInstance, tags: dict[str, str]) -> str:
    run = instance.create_run_for_job(nothing, tags=tags, status=dg.DagsterRunStatus.STARTED)
    return str(run.run_id)


def test_a_run_of_a_living_process_goes_on(instance: dg.DagsterInstance, tmp_path: Path) -> None:
    with sign_of_life(tmp_path) as tags:
        started(instance, tags)
        assert backfill_under_way(tmp_path)
        assert end_dead_runs(instance, tmp_path) == []
    assert not backfill_under_way(tmp_path)


def test_a_run_of_a_killed_process_is_ended(instance: dg.DagsterInstance, tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        name = process.stdout.readline().strip()
        run_id = started(instance, {PROCESS_TAG: name})
        assert end_dead_runs(instance, tmp_path) == []
        process.kill()
    assert end_dead_runs(instance, tmp_path) == [run_id]
    run = instance.get_run_by_id(run_id)
    assert run is not None
    assert run.status == dg.DagsterRunStatus.FAILURE
    assert not list((tmp_path / "processes").iterdir())


def test_a_run_that_is_not_ours_is_left_alone(instance: dg.DagsterInstance, tmp_path: Path) -> None:
    started(instance, {})
    started(instance, {PROCESS_TAG: "of-another-machine"})
    assert end_dead_runs(instance, tmp_path) == []
