"""The door to Dagster for the command line and the gateway: launching work and saying what became of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from metadata_assets.defs import run_history
from metadata_assets.defs.assembly import build_pipeline
from metadata_assets.defs.full_run import FullRun
from metadata_assets.defs.home import dagster_home, enter_home, opened_instance
from metadata_assets.defs.phases import Asked, Finished, Step
from metadata_assets.model.counts import Counts
from metadata_assets.model.pattern import Selection
from metadata_assets.stages.deployment import opened, platform_file, read_platform
from metadata_assets.stages.statements import StatementTally, tally_statements
from metadata_assets.store.looks import last_look
from metadata_assets.store.work import Work

__all__ = ["Backfilled", "Step", "backfill", "phase_count", "prepare", "prune_runs"]


@dataclass(frozen=True, slots=True)
class Backfilled:
    """What a backfill did: counts by asset, summed over its runs; `failures` says what failed as a whole and why.

    A stage that never came to count has that line as the one thing that failed.

    `statements` are all that are known, not only those that this backfill read. `overlooked` is what the metastore
    source passed over, a text a reason.
    """

    run_ids: tuple[str, ...]
    failures: tuple[str, ...]
    stages: dict[str, Counts]
    statements: StatementTally
    overlooked: tuple[str, ...]

    @property
    def failed(self) -> bool:
        return bool(self.failures) or any(c.failed or c.missing for c in self.stages.values())


def prepare(environ: Mapping[str, str]) -> Path:
    """Make Dagster's home with its settings where they are missing, and say where it is."""
    with opened_instance(enter_home(environ)):
        return dagster_home(environ)


def prune_runs(environ: Mapping[str, str], seconds: float) -> int:
    """Delete old finished runs from Dagster's storage; how many. Nothing is made where Dagster has no home yet."""
    if not dagster_home(environ).exists():
        return 0
    with opened_instance(enter_home(environ)) as instance:
        return run_history.prune_runs(instance, seconds)


def phase_count(environ: Mapping[str, str]) -> int:
    """How many runs a backfill of one range of shards takes, for progress."""
    platform = read_platform(platform_file(environ))
    return 5 + len(build_pipeline(platform, environ).publishing)


def backfill(
    environ: Mapping[str, str], select: Sequence[str], *, force: bool, tell: Callable[[Step], None]
) -> Backfilled:
    """Run the whole pipeline in this process, for all tables or the selected ones.

    Raises:
        PlatformError: the platform file cannot be used.
        SelectionError: a pattern of `select` cannot be read.
    """
    prepared = enter_home(environ)
    platform = read_platform(platform_file(prepared))
    pipeline = build_pipeline(platform, prepared)
    asked = Asked(tuple(select), force, Selection.parse(tuple(select)).may_hold_of)
    with opened_instance(prepared) as instance:
        full = FullRun(instance, pipeline.publishing, asked)
        finished = full.execute(pipeline.assets.resolve_implicit_global_asset_job_def(), tell)
    with opened(prepared) as deployment:
        full.conclude(deployment.store, finished)
        counts = _counts(deployment.store.work, finished)
        statements = tally_statements(deployment.store.facts)
        look = last_look(deployment.store)
    overlooked = () if look is None else look.overlooked
    return Backfilled(tuple(finished.run_ids), tuple(map(str, finished.failures)), counts, statements, overlooked)


def _counts(work: Work, finished: Finished) -> dict[str, Counts]:
    """By asset, over all runs. What failed before it could count anything counts as one that failed, by its line among
    the failures."""
    summed: dict[str, Counts] = {}
    for run_id in finished.run_ids:
        counts = work.counts([run_id])
        for failed in (f for f in finished.failures if f.run_id == run_id):
            for asset in failed.assets:
                counts.setdefault(asset, Counts(1, errors={str(failed): failed.why}))
        for asset, part in counts.items():
            summed.setdefault(asset, Counts()).add(part)
    return summed
