"""A backfill in three phases, in process: schemas; lineage and profiles; entries and destinations.

Lineage needs all schemas and an entry needs all lineage, which no partition mapping can say for a backfill that starts
from an empty instance: the shards are known only once the first phase has run.
"""

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import dagster as dg

from metadata_assets.defs import keys
from metadata_assets.defs.boundary import why_failed
from metadata_assets.defs.partitions import SHARDS, SHARDS_A_RUN, range_tags
from metadata_assets.defs.scopes import scope_tags
from metadata_assets.stages.shards import database_of

_DESTINATIONS = "destinations"
PHASE_TAG = "metadata/phase"
# What failed is told at the end, in a line each and without stacks; the runs keep the rest.
QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a backfill is asked for. `databases` are those whose shards may hold a selected table; None is all."""

    select: tuple[str, ...] = ()
    force: bool = False
    databases: Callable[[str], bool] = field(default=lambda _: True)
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """One run of a phase that is about to start: what it materialises, for how many shards."""

    phase: str
    assets: Sequence[str]
    shards: int


@dataclass(frozen=True, slots=True)
class Failed:
    """A step that failed, or a run outside of its steps: which assets it was to make, and why there are none."""

    step: str
    assets: tuple[str, ...]
    why: str
    run_id: str

    def __str__(self) -> str:
        return f"{self.step}: {self.why} (run {self.run_id})"


@dataclass(slots=True)
class Finished:
    """The runs of a backfill and what failed in them.

    `compared`: everything up to the entries was looked at; what a destination refuses is tried again by itself.
    """

    run_ids: list[str] = field(default_factory=list)
    failures: list[Failed] = field(default_factory=list)
    compared: bool = True


def run_phases(
    job: dg.JobDefinition,
    instance: dg.DagsterInstance,
    publishing: Sequence[dg.AssetKey],
    asked: Asked,
    tell: Callable[[Step], None],
) -> Finished:
    """Run the whole pipeline. A failed run is recorded and the next phase still does what it can.

    Args:
        job: a job with all assets.
        instance: where the runs are recorded.
        publishing: the assets of the destinations in their order; partitioned ones are run by shard.
        asked: which tables, and whether to do again what is done.
        tell: called before each run, for progress.
    """
    finished = Finished()
    for phase, assets in _phases(publishing):
        for selection, tags, shards in _runs(job, instance, assets, asked):
            tell(Step(phase, [k.to_user_string() for k in selection], shards))
            run_id = str(uuid.uuid4())
            result = job.execute_in_process(
                instance=instance,
                asset_selection=list(selection),
                tags={**tags, **asked.tags, PHASE_TAG: phase},
                run_config=QUIET,
                raise_on_error=False,
                run_id=run_id,
            )
            finished.run_ids.append(run_id)
            if not result.success:
                finished.failures += _failures(result, instance)
                finished.compared &= phase == _DESTINATIONS
    return finished


def _failures(result: dg.ExecuteInProcessResult, instance: dg.DagsterInstance) -> list[Failed]:
    """One for each step that failed; a run that failed outside of its steps has one for itself."""
    planned: dict[str, list[str]] = {}
    for record in instance.all_logs(result.run_id, of_type=dg.DagsterEventType.ASSET_MATERIALIZATION_PLANNED):
        if (event := record.dagster_event) is not None and event.asset_key is not None:
            planned.setdefault(event.step_key or "", []).append(event.asset_key.to_user_string())
    steps = result.filter_events(lambda e: e.event_type == dg.DagsterEventType.STEP_FAILURE)
    keyed = [(event.step_key or "", event) for event in steps]
    failed = [Failed(key, tuple(planned.get(key, ())), why_failed(event), result.run_id) for key, event in keyed]
    return failed or [Failed("run", (), "failed outside of its steps", result.run_id)]


def stage_names(publishing: Sequence[dg.AssetKey]) -> set[str]:
    """Everything that a backfill materialises, by name."""
    return {key.to_user_string() for _, assets in _phases(publishing) for key in assets}


def _phases(publishing: Sequence[dg.AssetKey]) -> Iterator[tuple[str, Sequence[dg.AssetKey]]]:
    yield "databases", [keys.DATABASES]
    yield "schemas", [keys.SCHEMAS]
    yield "specs and lineage", [*keys.SPECS, keys.LINEAGE]
    yield "profiles", [keys.PROFILES]
    yield "entries", [keys.ENTITIES]
    for key in publishing:
        yield _DESTINATIONS, [key]


def _runs(
    job: dg.JobDefinition, instance: dg.DagsterInstance, assets: Sequence[dg.AssetKey], asked: Asked
) -> Iterator[tuple[Sequence[dg.AssetKey], dict[str, str], int]]:
    tags = scope_tags(everything=True, select=asked.select, force=asked.force)
    if job.asset_layer.get(assets[0]).partitions_def is None:
        yield assets, tags, 0
        return
    shards = [k for k in instance.get_dynamic_partitions(SHARDS.name or "") if asked.databases(database_of(k))]
    for start in range(0, len(shards), SHARDS_A_RUN):
        part = shards[start : start + SHARDS_A_RUN]
        for range_of_part in range_tags(instance, part):
            yield assets, {**tags, **range_of_part}, len(part)
