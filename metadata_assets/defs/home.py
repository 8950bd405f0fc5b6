"""Dagster's own home: where runs are recorded, and the settings that this product wants there."""

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import dagster as dg

from metadata_assets.errors import PlatformError
from metadata_assets.stages.deployment import home_folder

_FILE = "dagster.yaml"
_SETTINGS = """\
# Written by metadata-assets when it was missing; edit it freely, it is not written again.
telemetry:
  enabled: false
nux:
  enabled: false
python_logs:
  python_log_level: INFO  # of the terminal and of messages; events of runs are kept whatever their level
run_monitoring:
  enabled: true
  poll_interval_seconds: 15  # a killed run holds its pools, and so all others, until it is found dead
  start_timeout_seconds: 60  # so long where it was killed before it began
  free_slots_after_run_end_seconds: 60
run_retries:
  enabled: true
  max_retries: 1
  retry_on_asset_or_op_failure: false
concurrency:
  pools:
    default_limit: 1      # one writer a destination, one reader of the metastore
    granularity: op
  runs:
    max_concurrent_runs: 2
sensors:
  use_threads: true
  num_workers: 4
schedules:
  use_threads: true
  num_workers: 2
retention:
  schedule:
    purge_after_days: 90
  sensor:
    purge_after_days: {skipped: 3, started: 30, failure: 30, success: 30}
"""


def dagster_home(environ: Mapping[str, str]) -> Path:
    """DAGSTER_HOME where it is set, else `dagster` below METADATA_HOME."""
    return Path(environ.get("DAGSTER_HOME") or home_folder(environ) / "dagster").resolve()


def prepare_home(environ: Mapping[str, str]) -> dict[str, str]:
    """Make Dagster's home and its settings where they are missing.

    Returns:
        The environment for everything that runs Dagster: home folders made absolute, telemetry off twice over, since
        the setting stops the collection and the variable the upload.
    """
    home = dagster_home(environ)
    try:
        home.mkdir(parents=True, exist_ok=True)
        if not (home / _FILE).exists():
            (home / _FILE).write_text(_SETTINGS)
    except OSError as error:
        raise _unwritable(home, error) from error
    return {
        **environ,
        "METADATA_HOME": str(home_folder(environ)),
        "DAGSTER_HOME": str(home),
        "DAGSTER_DISABLE_TELEMETRY": "1",
    }


def _unwritable(home: Path, error: OSError) -> PlatformError:
    why = f"cannot write to {error.filename or home}: {error.strerror}"
    return PlatformError(
        f"{why}; set METADATA_HOME to a folder that can be written, or run as a user who may write there"
    )


def enter_home(environ: Mapping[str, str]) -> dict[str, str]:
    """Prepare the home and put its variables into this process: Dagster reads them there and nowhere else."""
    prepared = prepare_home(environ)
    for name in ("METADATA_HOME", "DAGSTER_HOME", "DAGSTER_DISABLE_TELEMETRY"):
        os.environ[name] = prepared[name]
    return prepared


@contextmanager
def opened_instance(environ: Mapping[str, str]) -> Iterator[dg.DagsterInstance]:
    """The instance of Dagster's home. Its databases are made by one process at a time: two would spoil them.

    Raises:
        PlatformError: the home cannot be written.
    """
    home = dagster_home(environ)
    try:
        lock = (home / ".opening").open("w")
    except OSError as error:
        raise _unwritable(home, error) from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        instance = dg.DagsterInstance.get()
        # Each storage makes its database when it is first asked for.
        for storage in (instance.run_storage, instance.event_log_storage, instance.schedule_storage):
            assert storage is not None
    with instance:
        yield instance
