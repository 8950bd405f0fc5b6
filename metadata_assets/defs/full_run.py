"""The whole catalog in one go, whoever asks: the command line, or the job that people start in the UI."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import dagster as dg

from metadata_assets.defs.dead_runs import end_dead_runs, sign_of_life
from metadata_assets.defs.phases import Asked, Finished, Step, run_phases, stage_names
from metadata_assets.stages.events.full_look import settle_full_look
from metadata_assets.store.store import Store


class FullRun:
    """A run of all phases that shows a sign of life. `publishing` are the assets of the destinations in their order."""

    def __init__(self, instance: dg.DagsterInstance, publishing: Sequence[dg.AssetKey], asked: Asked) -> None:
        self._instance, self._publishing, self._asked = instance, publishing, asked
        self._began = time.time()

    def execute(self, job: dg.JobDefinition, tell: Callable[[Step], None]) -> Finished:
        """Run the phases of a job with all assets, once the runs of dead processes are out of the way."""
        home = Path(self._instance.root_directory)
        with sign_of_life(home) as tags:
            end_dead_runs(self._instance, home)
            asked = replace(self._asked, tags={**self._asked.tags, **tags})
            return run_phases(job, self._instance, self._publishing, asked, tell)

    def conclude(self, store: Store, finished: Finished) -> None:
        """What is known to be over: trouble of stages that are no more, and who wanted everything to be compared."""
        store.work.forget_trouble(stage_names(self._publishing))
        if finished.compared and not self._asked.select:
            settle_full_look(store, self._began)
