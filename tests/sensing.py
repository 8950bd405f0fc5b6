"""What the sensors and the runs that they ask for do, in one process: the decisions are theirs, the stages are called
without Dagster."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import dagster as dg

from metadata_assets.defs import keys
from metadata_assets.defs.publish import DestinationKeys
from metadata_assets.defs.requests import Busy, plan_requests
from metadata_assets.destinations.base import GLOSSARY, LINEAGE, TABLES, Part
from metadata_assets.sources.events.base import EventSettings, Limit
from metadata_assets.stages.databases import known_databases, read_databases
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.entities import merge_entries
from metadata_assets.stages.events.intake import Taken, connected, take_events
from metadata_assets.stages.lineage import infer_lineage
from metadata_assets.stages.profiling import profile_tables
from metadata_assets.stages.publishing import publish
from metadata_assets.stages.schemas import read_schemas
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.shards import shard_keys
from metadata_assets.stages.specs import ingest_specs
from metadata_assets.stages.watching import plan_due, watch_jobs, watch_specs

CHANGED = Scope("run", everything=False)
_MEMORY = DestinationKeys("memory", (GLOSSARY, TABLES, LINEAGE))
_TICKS = 25  # a run marks what is downstream, which is another run: a chain in the tests is far shorter
_A_DAY = 86_400.0  # everything that failed is due again by then

Stage = Callable[[Deployment, Sequence[str], Scope], object]
Requests = Sequence[dg.RunRequest]


def _publishing(part: Part) -> Stage:
    return lambda deployment, shards, scope: publish(deployment, "memory", part, shards, scope)


# In the order in which a run executes them.
_STAGES: Mapping[dg.AssetKey, Stage] = {
    keys.SCHEMAS: read_schemas,
    keys.LINEAGE: lambda deployment, shards, scope: infer_lineage(deployment, scope),
    keys.PROFILES: profile_tables,
    keys.ENTITIES: merge_entries,
    **{_MEMORY.key_of(part): _publishing(part) for part in _MEMORY.parts},
}


@dataclass(frozen=True, slots=True)
class Sensors:
    """`take` says which of the requested runs are executed before the sensors look again; by default all of them.

    Without `drift` nobody looks at the metastore by himself: changes of databases and tables are known by events alone.
    """

    deployment: Deployment
    destinations: Sequence[DestinationKeys] = (_MEMORY,)
    take: Callable[[Requests], Requests] = lambda requests: requests
    drift: bool = True

    def settle(self) -> None:
        """Look and run until nothing is due."""
        for _ in range(_TICKS):
            if not self.look():
                return
        raise AssertionError("the sensors never come to rest")

    def look(self) -> bool:
        """One tick of each sensor, and the runs that it asks for; False where there was nothing to do."""
        deployment = self.deployment
        files = self._look_at_files()
        new_databases = self.drift and self._sees_new_databases()
        if new_databases:
            read_databases(deployment, CHANGED)
        due = plan_due(deployment.store, [d.name for d in self.destinations], time.time() + _A_DAY)
        shards = set(shard_keys(deployment.store.work.shards()))
        if "databases" in due.first and not new_databases:
            read_databases(deployment, CHANGED)
        requests = plan_requests(due, self.destinations, shards, Busy())
        for request in self.take(requests):
            execute(self.deployment, request)
        return bool(files or new_databases or due.first or requests)

    def _sees_new_databases(self) -> bool:
        with self.deployment.metastore() as metastore:
            return set(metastore.read_database_names()) != known_databases(self.deployment)

    def _look_at_files(self) -> bool:
        specs, jobs = watch_specs(self.deployment).changed, watch_jobs(self.deployment).changed
        if specs:
            ingest_specs(self.deployment, CHANGED)
        if jobs:
            infer_lineage(self.deployment, CHANGED)
        return bool(specs or jobs)


def take_once(deployment: Deployment, settings: EventSettings, cursor: str = "", limit: Limit | None = None) -> Taken:
    """One look at a source of events, with a connection of its own."""
    with connected(deployment, settings) as source:
        return take_events(deployment, settings, source, cursor, limit or Limit(seconds=20))


def execute(deployment: Deployment, request: dg.RunRequest) -> None:
    """What the run that is asked for does."""
    shards = [request.partition_key] if request.partition_key else []
    selected = set(request.asset_selection or ())
    for key, stage in _STAGES.items():
        if key in selected:
            stage(deployment, shards, CHANGED)
