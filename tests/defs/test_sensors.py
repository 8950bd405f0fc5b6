"""Sensors store first, then ask for exactly the runs that are due."""

import dagster as dg
import pytest

from metadata_assets.defs import jobs
from metadata_assets.defs.assembly import Pipeline
from metadata_assets.defs.partitions import SHARDS
from metadata_assets.defs.resources import Deployments
from metadata_assets.model.event import ChangeEvent
from metadata_assets.stages.deployment import opened
from metadata_assets.stages.notices.outages import outages
from tests.defs.conftest import catalog
from tests.lake import table
from tests.memory import World

DOCUMENT = "version: 1\nkind: documentation\ntables:\n  - {{name: raw.a, description: {}}}\n"


@pytest.fixture
def catalogued(instance: dg.DagsterInstance, world: World, environ: dict[str, str]) -> None:
    """The state after a backfill, reached without the cost of Dagster's runs."""
    world.metastore.add(table("raw.a"), table("clean.b"))
    world.specs.files = {"a.yaml": DOCUMENT.format("One")}
    catalog(instance, environ)


class Ticks:
    """Evaluates sensors the way the daemon does, one tick a call."""

    def __init__(self, definitions: dg.Definitions, instance: dg.DagsterInstance, environ: dict[str, str]) -> None:
        self._definitions, self._instance, self._environ = definitions, instance, environ

    def tick(self, name: str) -> dg.SensorResult | dg.SkipReason:
        sensor = self._definitions.resolve_sensor_def(name)
        context = dg.build_sensor_context(
            instance=self._instance, resources={"deployments": Deployments(self._environ)}
        )
        result = sensor(context)
        assert isinstance(result, (dg.SensorResult, dg.SkipReason))
        return result

    def requests(self, name: str) -> list[dg.RunRequest]:
        result = self.tick(name)
        return [] if isinstance(result, dg.SkipReason) else list(result.run_requests or ())


@pytest.fixture
def ticks(definitions: dg.Definitions, instance: dg.DagsterInstance, environ: dict[str, str]) -> Ticks:
    return Ticks(definitions, instance, environ)


@pytest.mark.usefixtures("catalogued")
def test_nothing_changed_asks_for_nothing(ticks: Ticks) -> None:
    for name in ("specs_sensor", "jobs_sensor", "drift_sensor", "pending_sensor"):
        assert ticks.requests(name) == []


@pytest.mark.usefixtures("catalogued")
def test_an_edited_spec_updates_just_that_table(
    ticks: Ticks, world: World, definitions: dg.Definitions, instance: dg.DagsterInstance
) -> None:
    world.specs.files = {"a.yaml": DOCUMENT.format("Two")}
    assert len(ticks.requests("specs_sensor")) == 1
    specs = definitions.resolve_job_def(jobs.SPECS_UPDATE)
    assert specs.execute_in_process(instance=instance).success
    assert ticks.requests("specs_sensor") == []
    requests = ticks.requests("pending_sensor")
    assert [r.partition_key for r in requests] == ["raw"]
    selection = {k.to_user_string() for k in requests[0].asset_selection or ()}
    assert "hive_schemas" not in selection
    assert {"catalog_entities", "memory_tables", "workbook_catalog"} <= selection
    assert world.destination is not None
    world.destination.applied.clear()
    update = definitions.resolve_job_def(jobs.CATALOG_UPDATE)
    update.execute_in_process(
        instance=instance,
        partition_key="raw",
        asset_selection=list(requests[0].asset_selection or ()),
        tags=dict(requests[0].tags),
    )
    assert world.destination.applied == ["table:raw.a"]
    assert ticks.requests("pending_sensor") == []


@pytest.mark.usefixtures("catalogued")
def test_a_change_back_to_an_older_text_is_a_change(
    ticks: Ticks, world: World, definitions: dg.Definitions, instance: dg.DagsterInstance
) -> None:
    for text in ("Two", "One", "Two"):
        world.specs.files = {"a.yaml": DOCUMENT.format(text)}
        assert len(ticks.requests("specs_sensor")) == 1, text
        definitions.resolve_job_def(jobs.SPECS_UPDATE).execute_in_process(instance=instance)


@pytest.mark.usefixtures("catalogued")
def test_drift_becomes_events_and_one_run_a_shard(ticks: Ticks, world: World, environ: dict[str, str]) -> None:
    world.metastore.add(table("raw.a", "changed int"), table("raw.c"), table("clean.d"))
    assert ticks.requests("drift_sensor") == []
    with opened(environ) as deployment:
        subjects = sorted(w.event.subject for w in deployment.store.inbox.waiting())
    assert subjects == ["table:clean.d", "table:raw.a", "table:raw.c"]
    requests = ticks.requests("pending_sensor")
    assert [r.partition_key for r in requests] == ["clean", "raw"]
    selection = {k.to_user_string() for k in requests[0].asset_selection or ()}
    assert {"hive_schemas", "sql_lineage", "memory_tables"} <= selection
    assert "workbook_catalog" not in selection  # written once, after the shards
    ticks.requests("drift_sensor")
    with opened(environ) as deployment:
        assert len(deployment.store.inbox.waiting()) == 3  # the same drift, seen again, is the same events


@pytest.mark.usefixtures("catalogued")
def test_a_new_database_becomes_a_partition(ticks: Ticks, world: World, instance: dg.DagsterInstance) -> None:
    world.metastore.add(table("fresh.a"))
    assert len(ticks.requests("drift_sensor")) == 1
    result = ticks.tick("pending_sensor")
    assert isinstance(result, dg.SensorResult)
    added = result.dynamic_partitions_requests or ()
    assert [list(r.partition_keys) for r in added] == [["fresh"]]
    assert [r.partition_key for r in result.run_requests or ()] == ["fresh"]


@pytest.mark.usefixtures("catalogued")
def test_a_shard_with_a_run_under_way_gets_no_second_one(
    ticks: Ticks, pipeline: Pipeline, definitions: dg.Definitions, instance: dg.DagsterInstance, environ: dict[str, str]
) -> None:
    with opened(environ) as deployment:
        deployment.store.inbox.store([ChangeEvent("table_changed", "table:raw.a", "t", "1", 1, 0.0)])
    job = definitions.resolve_job_def(jobs.CATALOG_UPDATE)
    run = instance.create_run_for_job(job, tags={"dagster/partition": "raw"}, status=dg.DagsterRunStatus.STARTED)
    assert ticks.requests("pending_sensor") == []
    instance.delete_run(run.run_id)
    assert len(ticks.requests("pending_sensor")) == 1


@pytest.mark.usefixtures("catalogued")
def test_an_outage_of_the_metastore_is_a_reason_and_not_a_failed_tick(ticks: Ticks, world: World) -> None:
    world.metastore.down = True
    result = ticks.tick("drift_sensor")
    assert isinstance(result, dg.SkipReason)
    assert "no metastore answers" in str(result.skip_message)


@pytest.mark.usefixtures("catalogued")
def test_an_outage_is_remembered_until_it_is_over(ticks: Ticks, world: World, environ: dict[str, str]) -> None:
    world.metastore.down = True
    ticks.tick("drift_sensor")
    with opened(environ) as deployment:
        first = outages(deployment.store)
        assert [(o.what, o.error) for o in first] == [("metastore", "no metastore answers")]
        ticks.tick("drift_sensor")
        assert outages(deployment.store) == first
        world.metastore.down = False
        ticks.tick("drift_sensor")
        assert outages(deployment.store) == []


@pytest.mark.usefixtures("catalogued")
def test_a_database_that_refuses_hides_nothing_of_the_others(
    ticks: Ticks, world: World, environ: dict[str, str]
) -> None:
    world.metastore.refusing = {"raw"}
    world.metastore.add(table("clean.b", "new int"), table("clean.fresh"))
    result = ticks.tick("drift_sensor")
    with opened(environ) as deployment:
        seen = {w.event.subject for w in deployment.store.inbox.waiting()}
    assert seen == {"table:clean.b", "table:clean.fresh"}
    assert "1 database not listed" in str(result)


def test_partitions_have_one_name(pipeline: Pipeline) -> None:
    layer = pipeline.assets.resolve_asset_graph()
    names = {
        definition.name
        for key in layer.get_all_asset_keys()
        if isinstance(definition := layer.get(key).partitions_def, dg.DynamicPartitionsDefinition)
    }
    assert names == {SHARDS.name}


@pytest.mark.usefixtures("catalogued")
def test_an_edited_term_reaches_every_destination(
    ticks: Ticks, world: World, definitions: dg.Definitions, instance: dg.DagsterInstance
) -> None:
    world.specs.files["g.yaml"] = "version: 1\nkind: glossary\nterms:\n  - {name: customer}\n"
    definitions.resolve_job_def(jobs.SPECS_UPDATE).execute_in_process(instance=instance)
    (request,) = ticks.requests("pending_sensor")
    assert request.job_name == jobs.CATALOG_PUBLISH
    selection = {k.to_user_string() for k in request.asset_selection or ()}
    assert selection == {"memory_glossary", "memory_lineage", "workbook_catalog"}
    publish = definitions.resolve_job_def(jobs.CATALOG_PUBLISH)
    assert publish.execute_in_process(instance=instance).success
    assert ticks.requests("pending_sensor") == []


@pytest.mark.usefixtures("catalogued")
def test_an_edited_job_is_read_again(ticks: Ticks, world: World) -> None:
    world.jobs.files["j.sql"] = "insert into clean.b select id from raw.a"
    assert len(ticks.requests("jobs_sensor")) == 1


@pytest.mark.usefixtures("catalogued")
def test_a_shard_whose_run_just_failed_is_left_alone_for_a_while(
    ticks: Ticks, definitions: dg.Definitions, instance: dg.DagsterInstance, environ: dict[str, str]
) -> None:
    with opened(environ) as deployment:
        deployment.store.inbox.store([ChangeEvent("table_changed", "table:raw.a", "t", "1", 1, 0.0)])
    run = instance.create_run_for_job(
        definitions.resolve_job_def(jobs.CATALOG_UPDATE), tags={"dagster/partition": "raw"}
    )
    instance.report_run_failed(run)
    assert ticks.requests("pending_sensor") == []
