"""A look at the metastore that finds a table as it was moves the time at which it was seen, and nothing else."""

import time

from metadata_assets.model.table import TableName
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.watching import watch_metastore
from tests.lake import table
from tests.memory import World
from tests.unit.stages.conftest import Line


def test_what_is_as_it_was_was_seen(deployment: Deployment, world: World, line: Line) -> None:
    world.metastore.add(table("raw.same"), table("raw.differs"), table("raw.broken"))
    line()
    before = deployment.store.facts.seen("schema")
    world.metastore.add(table("raw.differs", "new int"))
    world.metastore.failing = {TableName("raw", "broken")}
    began = time.time()
    drift = watch_metastore(deployment, 60.0)
    after = deployment.store.facts.seen("schema")
    assert (drift.events, drift.tables_read) == (1, 3)
    assert after.pop("table:raw.same") >= began
    del before["table:raw.same"]
    assert after == before, "those were not seen as they are known"
