"""Asset `catalog_entities`: one merged entry a table; tells the location `hive_catalog` what changed."""

from collections.abc import Sequence

import dagster as dg

from metadata_assets.defs import keys
from metadata_assets.defs.pictures import lineage_pictures
from metadata_assets.defs.report import Check, StageReport, to_table
from metadata_assets.defs.stage import Stage, stage_asset
from metadata_assets.defs.tables import table_event
from metadata_assets.model.counts import counted
from metadata_assets.model.table import TableName, tables_among
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.entities import Merging, merge_entries
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.shards import databases_of

ORPHANS_CHECK = "no_orphans"
# Each event costs Dagster's storage tens of milliseconds: a backfill tells of the first ones and counts the rest.
_EVENTS_A_RUN = 100


def _run(context: dg.AssetExecutionContext, deployment: Deployment, shards: Sequence[str], scope: Scope) -> StageReport:
    merging = merge_entries(deployment, shards, scope)
    entries = deployment.store.facts.contents("entry", merging.changed[:_EVENTS_A_RUN])
    for entry in entries.values():
        context.log_event(table_event(entry))
    metadata = {"lineage": dg.MetadataValue.md(lineage_pictures(list(entries.values())))} if entries else {}
    return StageReport(merging.counts, metadata, (_orphans(deployment, merging, shards),))


def _orphans(deployment: Deployment, merging: Merging, shards: Sequence[str]) -> Check:
    """Documents of tables and columns that do not exist: reported, never written, never dropped in silence."""
    known = deployment.store.facts.hashes("schema")
    databases = set(databases_of(shards))
    rows = [(table, column or "(the table)", place) for table, column, place in merging.orphans]
    for kind in ("documentation", "tags"):
        places = deployment.store.facts.sources(kind)
        unknown = [t for t in tables_among(places.keys() - known.keys()) if t.database in databases]
        renames = deployment.store.moves.renamed_to(t.subject for t in unknown)
        for table in unknown:
            move = renames.get(table.subject)
            hint = f": it is {TableName.of_subject(move.subject)} now" if move is not None else ""
            rows.append((str(table), f"({kind} of the whole table{hint})", places[table.subject]))
    return Check(
        ORPHANS_CHECK,
        not rows,
        f"{counted(len(rows), 'documented table or column', 'documented tables or columns')} not in the metastore",
        {"orphans": dg.MetadataValue.md(to_table(("table", "column", "written in"), sorted(rows)))},
    )


def entities_asset() -> dg.AssetsDefinition:
    return stage_asset(
        Stage(
            key=keys.ENTITIES,
            run=_run,
            description="One entry a table: schema, documentation, tags with their evidence, and lineage, merged by "
            "fixed ranks. Every destination publishes from here.",
            deps=[keys.SCHEMAS, keys.LINEAGE, keys.PROFILES, keys.DOCUMENTATION, keys.TAGS, keys.DECLARED_LINEAGE],
            partitioned=True,
            kinds=frozenset({"table"}),
            checks=[ORPHANS_CHECK],
        )
    )
