"""A sensor of a source of events: stored first, then the cursor; and what it stored asks for the right runs."""

import time
from dataclasses import replace

import dagster as dg
import pytest

from metadata_assets.defs import jobs
from metadata_assets.defs.resources import Deployments
from metadata_assets.errors import PlatformError
from metadata_assets.stages.deployment import opened
from metadata_assets.stages.events.full_look import want_full_look, wanted_full_look
from metadata_assets.stages.events.positions import position_of
from tests.apiary import created, dropped, inserted
from tests.defs.conftest import catalog
from tests.lake import table
from tests.memory import World

SENSOR = "memory_events_sensor"


class Ticks:
    """Evaluates sensors one after the other; each keeps its cursor, as the daemon would."""

    def __init__(self, definitions: dg.Definitions, instance: dg.DagsterInstance, environ: dict[str, str]) -> None:
        self._definitions, self._instance, self._environ = definitions, instance, environ
        self.cursors: dict[str, str] = {}

    def tick(self, name: str, *, lost: bool = False) -> dg.SensorResult | dg.SkipReason:
        """`lost`: the daemon dies before it keeps the cursor."""
        context = dg.build_sensor_context(
            instance=self._instance,
            cursor=self.cursors.get(name),
            resources={"deployments": Deployments(self._environ)},
        )
        result = self._definitions.resolve_sensor_def(name)(context)
        assert isinstance(result, (dg.SensorResult, dg.SkipReason))
        if isinstance(result, dg.SensorResult) and result.cursor is not None and not lost:
            self.cursors[name] = result.cursor
        return result


@pytest.fixture
def ticks(definitions: dg.Definitions, instance: dg.DagsterInstance, environ: dict[str, str]) -> Ticks:
    return Ticks(definitions, instance, environ)


def requested(result: dg.SensorResult | dg.SkipReason) -> list[tuple[str | None, str | None]]:
    if isinstance(result, dg.SkipReason):
        return []
    return [(r.job_name, r.partition_key) for r in result.run_requests or ()]


def waiting(environ: dict[str, str]) -> list[str]:
    with opened(environ) as deployment:
        return [w.event.subject for w in deployment.store.inbox.waiting()]


def test_events_are_stored_then_the_cursor_moves(ticks: Ticks, world: World, environ: dict[str, str]) -> None:
    world.events.messages = [created(n, table(f"raw.t{n}"), time.time()) for n in range(3)]
    result = ticks.tick(SENSOR)
    assert isinstance(result, dg.SensorResult)
    assert ticks.cursors[SENSOR] == "3"
    assert [s for s in waiting(environ) if s.startswith("table:")] == ["table:raw.t0", "table:raw.t1", "table:raw.t2"]
    assert [o.asset_key for o in result.asset_events] == [dg.AssetKey(["events", "memory"])]
    assert result.asset_events[0].metadata["lag"].value == 0
    assert result.asset_events[0].metadata["total: table_changed"].value == 3


def test_a_tick_whose_cursor_is_lost_is_taken_again_without_doubles(
    ticks: Ticks, world: World, environ: dict[str, str]
) -> None:
    world.events.messages = [created(1, table("raw.a"), time.time())]
    ticks.tick(SENSOR, lost=True)
    before = waiting(environ)
    ticks.tick(SENSOR)
    assert waiting(environ) == before
    assert ticks.cursors[SENSOR] == "1"


def test_a_source_that_is_down_keeps_its_cursor_and_says_so(
    ticks: Ticks, world: World, environ: dict[str, str]
) -> None:
    world.events.messages = [created(1, table("raw.a"), time.time())]
    ticks.tick(SENSOR)
    world.events.down = True
    result = ticks.tick(SENSOR)
    assert isinstance(result, dg.SkipReason)
    assert "no broker answers" in str(result.skip_message)
    assert ticks.cursors[SENSOR] == "1"
    with opened(environ) as deployment:
        position = position_of(deployment.store, "memory")
    assert (position.error, position.cursor) == ("no broker answers", "1")
    assert position.failing_since is not None


def test_looks_before_one_that_fails_keep_their_cursor(ticks: Ticks, world: World, environ: dict[str, str]) -> None:
    world.events.messages = [inserted(n, table(f"raw.t{n % 7}"), time.time()) for n in range(12_000)]
    world.events.down_at = 5_000
    result = ticks.tick(SENSOR)
    assert ticks.cursors[SENSOR] == "5000"
    assert isinstance(result, dg.SensorResult)
    assert "no broker answers" in str(result.skip_reason)
    with opened(environ) as deployment:
        position = position_of(deployment.store, "memory")
    assert (position.cursor, position.error) == ("5000", "no broker answers")
    world.events.down_at = None
    ticks.tick(SENSOR)
    assert ticks.cursors[SENSOR] == "12000"


def test_settings_that_cannot_be_used_are_remembered_as_trouble(
    ticks: Ticks, world: World, environ: dict[str, str]
) -> None:
    world.events.refused = PlatformError("variable KAFKA_PASSWORD is not set")
    result = ticks.tick(SENSOR)
    assert "KAFKA_PASSWORD" in str(result)
    with opened(environ) as deployment:
        assert position_of(deployment.store, "memory").error == "variable KAFKA_PASSWORD is not set"


def test_a_tick_drains_more_than_one_poll_can_take(ticks: Ticks, world: World, environ: dict[str, str]) -> None:
    world.events.messages = [inserted(n, table(f"raw.t{n % 7}"), time.time()) for n in range(12_000)]
    ticks.tick(SENSOR)
    assert ticks.cursors[SENSOR] == "12000"
    with opened(environ) as deployment:
        assert len(deployment.store.data_changes.times()) == 7
        assert deployment.store.inbox.count_waiting() == 0


def test_what_events_ask_for_is_one_run_a_shard_and_databases_first(
    ticks: Ticks, world: World, instance: dg.DagsterInstance, environ: dict[str, str]
) -> None:
    world.metastore.add(table("raw.a"), table("raw.b"), table("clean.c"))
    catalog(instance, environ)
    world.metastore.add(table("raw.a", "more int"), table("fresh.x"))
    now = time.time()
    world.events.messages = [
        created(1, table("raw.a", "more int"), now),
        dropped(2, table("raw.b"), now),
        created(3, table("fresh.x"), now),
    ] * 5
    ticks.tick(SENSOR)
    result = ticks.tick("pending_sensor")
    assert requested(result) == [
        (jobs.DATABASES_UPDATE, None),
        (jobs.CATALOG_UPDATE, "fresh"),
        (jobs.CATALOG_UPDATE, "raw"),
    ]


def test_where_events_may_be_lost_everything_is_compared_once(
    ticks: Ticks, world: World, instance: dg.DagsterInstance, environ: dict[str, str], definitions: dg.Definitions
) -> None:
    world.metastore.add(table("raw.a"))
    catalog(instance, environ)
    with opened(environ) as deployment:
        want_full_look(deployment.store, "memory: a hole")
    assert requested(ticks.tick("pending_sensor")) == [(jobs.FULL_CATALOG, None)]
    assert definitions.resolve_job_def(jobs.FULL_CATALOG).execute_in_process(instance=instance).success
    assert requested(ticks.tick("pending_sensor")) == []


def test_a_destination_that_is_down_does_not_ask_for_everything_again(
    ticks: Ticks, world: World, instance: dg.DagsterInstance, environ: dict[str, str], definitions: dg.Definitions
) -> None:
    world.metastore.add(table("raw.a"))
    catalog(instance, environ)
    assert world.destination is not None
    world.destination.down = True
    with opened(environ) as deployment:
        want_full_look(deployment.store, "memory: a hole")
    world.metastore.add(table("raw.a", "new int"))
    job = definitions.resolve_job_def(jobs.FULL_CATALOG)
    assert not job.execute_in_process(instance=instance, raise_on_error=False).success
    with opened(environ) as deployment:
        assert wanted_full_look(deployment.store) is None
    world.metastore.down = True
    with opened(environ) as deployment:
        want_full_look(deployment.store, "memory: a hole")
    assert not job.execute_in_process(instance=instance, raise_on_error=False).success
    with opened(environ) as deployment:
        assert wanted_full_look(deployment.store) is not None, "nobody could compare"


def test_the_notices_sensor_tells_and_is_quiet_then(ticks: Ticks, world: World, environ: dict[str, str]) -> None:
    world.events.messages = [replace(created(1, table("raw.a"), 1.0), payload=b"\xff")]
    ticks.tick(SENSOR)
    ticks.tick("notices_sensor")
    with opened(environ) as deployment:
        assert deployment.store.notices.open_keys("dead_letters") == {"dead_letters"}
        assert deployment.store.notices.due("log", time.time(), 10) == []


def test_the_graph_shows_where_changes_come_from(definitions: dg.Definitions) -> None:
    graph = definitions.resolve_asset_graph()
    assert dg.AssetKey(["events", "memory"]) in graph.get(dg.AssetKey("hive_schemas")).parent_keys
