"""One factory for all stages: a stage is a function with counts, this makes it an asset with metadata and checks."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import dagster as dg

from metadata_assets.defs import keys
from metadata_assets.defs.boundary import RETRIES, remembered, translated
from metadata_assets.defs.dead_runs import show_life
from metadata_assets.defs.partitions import SHARDS, SHARDS_A_RUN
from metadata_assets.defs.report import (
    DEAD_LETTERS_CHECK,
    StageReport,
    check_names,
    to_check_results,
    to_metadata,
    to_share,
)
from metadata_assets.defs.resources import Deployments
from metadata_assets.defs.scopes import parse_scope
from metadata_assets.model.notice import Notice, Severity
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.scope import Scope
from metadata_assets.store.store import Store

StageFunction = Callable[[dg.AssetExecutionContext, Deployment, Sequence[str], Scope], StageReport]


@dataclass(frozen=True, slots=True)
class Stage:
    """An asset of the pipeline. `run` gets the shards of the run, or none where the stage is unpartitioned."""

    key: dg.AssetKey
    run: StageFunction
    description: str
    deps: Sequence[dg.AssetKey] = ()
    partitioned: bool = False
    kinds: frozenset[str] = frozenset()
    pool: str | None = None
    checks: Sequence[str] = ()
    group: str = keys.PIPELINE_GROUP


def stage_asset(stage: Stage) -> dg.AssetsDefinition:
    """Build the asset of a stage."""

    def _asset(context: dg.AssetExecutionContext, deployments: dg.ResourceParam[Deployments]) -> dg.MaterializeResult:  # type: ignore[type-arg]  # Dagster recognises only the bare class
        return _run(stage, context, deployments)

    with warnings.catch_warnings():
        # The parameter `backfill_policy` of @asset is in beta; what it does here was tried and is tested.
        warnings.simplefilter("ignore", dg.BetaWarning)
        return dg.asset(
            key=stage.key,
            description=stage.description,
            deps=list(stage.deps),
            partitions_def=SHARDS if stage.partitioned else None,
            backfill_policy=dg.BackfillPolicy.multi_run(SHARDS_A_RUN) if stage.partitioned else None,
            kinds=set(stage.kinds),
            pool=stage.pool,
            group_name=stage.group,
            owners=[keys.PIPELINE_OWNER],
            retry_policy=RETRIES,
            check_specs=[dg.AssetCheckSpec(n, asset=stage.key) for n in check_names(stage.checks)],
        )(_asset)


def _run(stage: Stage, context: dg.AssetExecutionContext, deployments: Deployments) -> dg.MaterializeResult[None]:
    shards = list(context.partition_keys) if stage.partitioned else []
    asset = stage.key.to_user_string()
    with translated(), deployments.opened() as deployment, remembered(deployment.store.work, [asset], shards):
        show_life(context.instance, context.run)
        report = stage.run(context, deployment, shards, parse_scope(context.run.run_id, context.run.tags))
        for partition, counts in (report.counts.parts or {",".join(shards): report.counts}).items():
            deployment.store.work.record_counts(context.run.run_id, asset, partition, counts)
        policy = deployment.platform.policies.failures.to_policy()
        results = to_check_results(stage.key, report, policy)
        note_checks(deployment.store, stage.key, shards, results)
        log_counts(context, report)
        if policy.is_broken_by(report.counts):
            first = next(iter(sorted(report.counts.errors.items())))
            raise dg.Failure(
                f"{report.counts.failed} of {report.counts.listed} failed, more than the platform file allows "
                f"(policies.failures); the first: {first[0]}: {first[1]}",
                metadata=to_metadata(report),
                allow_retries=False,
            )
    for shard in shards:
        context.add_asset_metadata(to_share(report, shard), partition_key=shard)
    return dg.MaterializeResult(
        asset_key=stage.key,
        metadata=dict(report.metadata) if report.counts.parts else to_metadata(report),
        check_results=results,
    )


def note_checks(store: Store, key: dg.AssetKey, shards: Sequence[str], results: Sequence[dg.AssetCheckResult]) -> None:
    """Let people know of checks that failed; one that passes again is over, whatever shards it ran for.

    Messages that could not be read are told for all sources at once, not again by each run that meets them.
    """
    asset = key.to_user_string()
    failed: list[Notice] = []
    for result in results:
        name = f"check:{asset}:{result.check_name}:"
        if result.passed:
            store.notices.settle(sorted(store.notices.open_keys(name)))
        elif result.check_name != DEAD_LETTERS_CHECK:
            severity: Severity = "error" if result.severity == dg.AssetCheckSeverity.ERROR else "warning"
            place = f" ({', '.join(shards[:3])}{' …' if len(shards) > 3 else ''})" if shards else ""
            text = f"check {result.check_name} of {asset}{place} failed: {result.description}"
            failed.append(Notice(name + ",".join(shards), severity, text))
    store.notices.note(failed)


def log_counts(context: dg.AssetExecutionContext, report: StageReport) -> None:
    counts = report.counts
    context.log.info(
        f"{counts.listed} listed = {counts.written} written + {counts.unchanged} unchanged + "
        f"{sum(counts.skipped.values())} skipped + {counts.failed} failed"
    )
    for subject, error in sorted(counts.errors.items())[:20]:
        context.log.warning(f"{subject}: {error}")
