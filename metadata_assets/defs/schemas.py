"""Asset `hive_schemas`: the true schema of every table and view."""

from collections.abc import Sequence

import dagster as dg

from metadata_assets.defs import keys
from metadata_assets.defs.report import DEAD_LETTERS_CHECK, Check, StageReport
from metadata_assets.defs.stage import Stage, stage_asset
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.notices.notifying import tell_dead_letters
from metadata_assets.stages.schemas import read_schemas
from metadata_assets.stages.scope import Scope


def _run(_: dg.AssetExecutionContext, deployment: Deployment, shards: Sequence[str], scope: Scope) -> StageReport:
    return StageReport(read_schemas(deployment, shards, scope), checks=(_dead_letters(deployment),))


def _dead_letters(deployment: Deployment) -> Check:
    number = deployment.store.dead_letters.count()
    return Check(
        DEAD_LETTERS_CHECK, not number, tell_dead_letters(number), {"dead_letters": dg.MetadataValue.int(number)}
    )


def schemas_asset(events: Sequence[dg.AssetKey] = ()) -> dg.AssetsDefinition:
    return stage_asset(
        Stage(
            key=keys.SCHEMAS,
            run=_run,
            description="Columns, partition keys, comments, owner, location and view text of each table, read in bulk. "
            "Schemas that engines hide in table parameters or view texts are decoded. A table that is missing leaves "
            "the catalog only when its end is beyond doubt.",
            deps=[keys.DATABASES, *events],
            partitioned=True,
            kinds=frozenset({"hive"}),
            pool="metastore",
            checks=[DEAD_LETTERS_CHECK],
        )
    )
