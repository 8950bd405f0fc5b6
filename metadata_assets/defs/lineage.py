"""Asset `sql_lineage`: what the SQL jobs and views read and write."""

from collections.abc import Sequence

import dagster as dg

from metadata_assets.defs import keys
from metadata_assets.defs.report import Check, StageReport, to_table
from metadata_assets.defs.stage import Stage, stage_asset
from metadata_assets.model.counts import counted
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.lineage import infer_lineage
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.statements import StatementTally, tally_statements

UNRESOLVED_CHECK = "statements_resolved"


def _run(_: dg.AssetExecutionContext, deployment: Deployment, __: Sequence[str], scope: Scope) -> StageReport:
    counts = infer_lineage(deployment, scope)
    tally = tally_statements(deployment.store.facts)
    worst = [(file, number, tally.first_of(file).reason) for file, number in tally.worst_files]
    header = ("file", "statements with less than full lineage", "the first of them")
    metadata = {
        "statements_by_status": dg.MetadataValue.md(to_table(("status", "statements"), tally.statuses)),
        "worst_files": dg.MetadataValue.md(to_table(header, worst)),
        "column_edges": dg.MetadataValue.int(tally.column_edges),
    }
    return StageReport(counts, metadata, (_check(tally),))


def _check(tally: StatementTally) -> Check:
    total, open_ones = tally.by_status.total(), tally.open_ones
    share = len(open_ones) / total if total else 0.0
    rows = [(str(s.place), s.verb, s.status, s.reason) for s in open_ones]
    return Check(
        UNRESOLVED_CHECK,
        not open_ones,
        f"{len(open_ones)} of {counted(total, 'statement')} ({share:.0%}) with less than full lineage",
        {"statements": dg.MetadataValue.md(to_table(("place", "statement", "status", "reason"), rows))},
    )


def lineage_asset() -> dg.AssetsDefinition:
    return stage_asset(
        Stage(
            key=keys.LINEAGE,
            run=_run,
            description="Table and column lineage inferred from every statement of the SQL jobs and from the text of "
            "every view. A statement that cannot be resolved is listed with file, line and reason.",
            deps=[keys.SCHEMAS],
            kinds=frozenset({"sql"}),
            checks=[UNRESOLVED_CHECK],
        )
    )
