"""What a backfill would change, field by field, without writing anything."""

import dataclasses
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from metadata_assets.destinations.base import PARTS, Part
from metadata_assets.model.publication import Action, Change, FieldChange
from metadata_assets.model.table import tables_among
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

# Of an entry that differs in no field, such as one that is written again or taken away.
NO_FIELD = FieldChange("", None, None)


@dataclass(frozen=True, slots=True)
class PlannedField:
    """One field that a backfill would change at a destination.

    What cannot be written there is `refused`, with the reason as the source of an unnamed field.
    """

    destination: str
    subject: str
    action: Action | Literal["refused"]
    change: FieldChange


def plan_everything(
    deployment: Deployment, destinations: Sequence[str], select: Sequence[str]
) -> Iterator[PlannedField]:
    """Each field that differs at each destination: those that are named, or all.

    The stages run on a scratch copy of the store; destinations are only read. Profiles are taken as they are known:
    judging data again is work for a backfill.

    Raises:
        SelectionError: a destination of that name does not exist.
        Transient, Permanent: a source or destination does not answer.
    """
    asked = [
        deployment.destination_settings(d) for d in dict.fromkeys(destinations)
    ] or deployment.platform.destinations
    scope = Scope("plan", select=tuple(select))
    parts = [part for settings in asked for part in PARTS[settings.grain]]
    with scratch_copy(deployment.store, _selected(deployment, scope, parts)) as store:
        trial = dataclasses.replace(deployment, store=store)
        shards = _run_stages(trial, scope)
        for settings in asked:
            for part in PARTS[settings.grain]:
                changes = plan_publication(trial, settings.name, part, shards, scope)
                for change in changes.changes:
                    yield from _of_change(settings.name, change)
                for r in changes.refused:
                    yield PlannedField(settings.name, r.subject, "refused", FieldChange("", None, None, r.reason))


def _selected(deployment: Deployment, scope: Scope, parts: Collection[Part]) -> list[str] | None:
    """Subjects of the known tables whose entries the plan has to look at; None for all, which a destination asks for
    that is written whole."""
    if not scope.select or any("table" in p.kinds and not p.by_shard for p in parts):
        return None
    facts, published = deployment.store.facts, deployment.store.published
    known = tables_among({*facts.hashes("schema"), *facts.hashes("entry"), *(s.subject for s in published.standings())})
    return [t.subject for t in known if scope.holds(t)]


def _run_stages(trial: Deployment, scope: Scope) -> list[str]:
    read_databases(trial, scope)
    shards = shard_keys(trial.store.work.shards())
    read_schemas(trial, shards, scope)
    ingest_specs(trial, scope)
    infer_lineage(trial, scope)
    merge_entries(trial, shards, scope)
    return shards


def _of_change(destination: str, change: Change) -> Iterator[PlannedField]:
    for field in change.fields or (NO_FIELD,):
        yield PlannedField(destination, change.subject, change.action, field)
