"""Asset `sql_lineage`: what the SQL jobs and views read and write."""

from collections import Counter
from collections.abc import Sequence

import dagster as dg

from metadata_assets.defs import keys
from metadata_assets.defs.report import Check, StageReport, to_table
from metadata_assets.defs.stage import Stage, stage_asset
from metadata_assets.model.lineage import StatementLineage
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.lineage import infer_lineage
from metadata_assets.stages.scope import Scope

UNRESOLVED_CHECK = "statements_resolved"
_KNOWN = frozenset({"lineage", "no_lineage"})


def _run(_: dg.AssetExecutionContext, deployment: Deployment, __: Sequence[str], scope: Scope) -> StageReport:
    counts = infer_lineage(deployment, scope)
    scripts = deployment.store.facts.contents("script").values()
    statements = [s for script in scripts for s in script.statements]
    status = Counter(s.status for s in statements)
    open_ones = [s for s in statements if s.status not in _KNOWN]
    rows = sorted(status.items(), key=lambda item: -item[1])
    metadata = {
        "statements_by_status": dg.MetadataValue.md(to_table(("status", "statements"), rows)),
        "column_edges": dg.MetadataValue.int(sum(len(s.columns) for s in statements)),
    }
    return StageReport(counts, metadata, (_check(statements, open_ones),))


def _check(statements: Sequence[StatementLineage], open_ones: Sequence[StatementLineage]) -> Check:
    share = len(open_ones) / len(statements) if statements else 0.0
    rows = [(str(s.place), s.verb, s.status, s.reason) for s in open_ones]
    return Check(
        UNRESOLVED_CHECK,
        not open_ones,
        f"{len(open_ones)} of {len(statements)} statements ({share:.0%}) have less than full lineage",
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
