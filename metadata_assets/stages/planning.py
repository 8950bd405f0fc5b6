"""What a backfill would change, field by field, without writing anything."""

import dataclasses
from collections.abc import Iterator, Sequence

from metadata_assets.destinations.base import PARTS
from metadata_assets.errors import SelectionError
from metadata_assets.model.publication import Change
from metadata_assets.stages.databases import read_databases
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.entities import merge_entries
from metadata_assets.stages.lineage import infer_lineage
from metadata_assets.stages.publishing import plan_publication
from metadata_assets.stages.schemas import read_schemas
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.shards import shard_keys
from metadata_assets.stages.specs import ingest_specs
from metadata_assets.store.scratch import scratch_copy


def plan_everything(
    deployment: Deployment, destinations: Sequence[str], select: Sequence[str]
) -> Iterator[dict[str, object]]:
    """A line for each field that differs at each destination.

    The stages run on a scratch copy of the store; destinations are only read. Profiles are taken as they are known:
    judging data again is work for a backfill.

    Raises:
        SelectionError: a destination of that name does not exist.
        Transient, Permanent: a source or destination does not answer.
    """
    unknown = [d for d in destinations if d not in deployment.destination_names]
    if unknown:
        raise SelectionError(f"no destination {unknown[0]!r}; there are: {', '.join(deployment.destination_names)}")
    scope = Scope("plan", select=tuple(select))
    with scratch_copy(deployment.store) as store:
        trial = dataclasses.replace(deployment, store=store)
        shards = _run_stages(trial, scope)
        for settings in deployment.platform.destinations:
            if not destinations or settings.name in destinations:
                for part in PARTS[settings.grain]:
                    changes, _ = plan_publication(trial, settings.name, part, shards, scope)
                    for change in changes.changes:
                        yield from _lines(settings.name, change)
                    for refusal in changes.refused:
                        yield _line(settings.name, refusal.subject, "refused", refusal.reason)


def _run_stages(trial: Deployment, scope: Scope) -> list[str]:
    read_databases(trial, scope)
    shards = shard_keys(trial.store.work.shards())
    read_schemas(trial, shards, scope)
    ingest_specs(trial, scope)
    infer_lineage(trial, scope)
    merge_entries(trial, shards, scope)
    return shards


def _lines(destination: str, change: Change) -> Iterator[dict[str, object]]:
    for field in change.fields:
        yield {
            "destination": destination,
            "entity": change.subject,
            "field": field.field,
            "old": field.old,
            "new": field.new,
            "source": field.source,
            "action": change.action,
        }
    if not change.fields:
        yield _line(destination, change.subject, change.action, "")


def _line(destination: str, subject: str, action: str, source: str) -> dict[str, object]:
    return {
        "destination": destination,
        "entity": subject,
        "field": "",
        "old": None,
        "new": None,
        "source": source,
        "action": action,
    }
