"""Assets `documentation`, `tags`, `declared_lineage` and `glossary`: what people write in YAML, read in one go."""

from collections.abc import Iterator

import dagster as dg

from metadata_assets.defs import keys
from metadata_assets.defs.boundary import RETRIES, remembered, translated
from metadata_assets.defs.dead_runs import show_life
from metadata_assets.defs.report import Check, StageReport, check_names, to_check_results, to_metadata, to_table
from metadata_assets.defs.resources import Deployments
from metadata_assets.defs.scopes import parse_scope
from metadata_assets.defs.stage import log_counts
from metadata_assets.model.counts import counted
from metadata_assets.stages.specs import Ingested, ingest_specs
from metadata_assets.stages.withdrawals import HOW_TO_WITHDRAW

SPECS_CHECK = "specs_are_valid"
_DESCRIPTIONS = {
    keys.DOCUMENTATION: "Descriptions, owners, terms and meta of tables and columns, from `kind: documentation`.",
    keys.TAGS: "Tags of tables and columns, and tag rules, from `kind: tags`.",
    keys.DECLARED_LINEAGE: "Lineage of jobs that have no SQL to read, from `kind: lineage`.",
    keys.GLOSSARY: "Categories and terms of the business, from `kind: glossary`.",
}


def specs_assets() -> dg.AssetsDefinition:
    """One step that reads the files once and writes all four."""

    @dg.multi_asset(
        name="specs",
        specs=[
            dg.AssetSpec(
                key,
                description=description,
                group_name=keys.PIPELINE_GROUP,
                kinds={"yaml"},
                owners=[keys.PIPELINE_OWNER],
            )
            for key, description in _DESCRIPTIONS.items()
        ],
        check_specs=[dg.AssetCheckSpec(n, asset=key) for key in keys.SPECS for n in check_names([SPECS_CHECK])],
        retry_policy=RETRIES,
    )
    def _assets(
        context: dg.AssetExecutionContext, deployments: dg.ResourceParam[Deployments]
    ) -> Iterator[dg.MaterializeResult[None]]:
        names = [key.to_user_string() for key in keys.SPECS]
        with translated(), deployments.opened() as deployment, remembered(deployment.store.work, names, ()):
            show_life(context.instance, context.run)
            ingested = ingest_specs(deployment, parse_scope(context.run.run_id, context.run.tags))
            for key in keys.SPECS:
                counts = ingested.counts[key.to_user_string()]
                deployment.store.work.record_counts(context.run.run_id, key.to_user_string(), "", counts)
            policy = deployment.platform.policies.failures.to_policy()
        for key in keys.SPECS:
            report = StageReport(ingested.counts[key.to_user_string()], checks=(_check(ingested),))
            log_counts(context, report)
            yield dg.MaterializeResult(
                asset_key=key, metadata=to_metadata(report), check_results=to_check_results(key, report, policy)
            )

    return _assets


def _check(ingested: Ingested) -> Check:
    findings, errors = ingested.specs.findings, len(ingested.specs.errors)
    rows: list[tuple[str, str, str, str]] = [
        (f"{f.file}:{f.line}:{f.column}", f.severity, f.message, f.hint) for f in findings
    ]
    rows += [("", "held back", f"{kind}: {reason}", HOW_TO_WITHDRAW) for kind, reason in ingested.held_back.items()]
    return Check(
        SPECS_CHECK,
        not ingested.specs.errors and not ingested.held_back,
        f"{counted(errors, 'error')}, {counted(len(findings) - errors, 'warning')}"
        + "".join(f"; held back: {reason}" for reason in ingested.held_back.values()),
        {"findings": dg.MetadataValue.md(to_table(("place", "severity", "message", "hint"), rows))},
    )
