"""What stands in the way of a table: it is missing from the metastore, or a stage failed, at it or as a whole."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from metadata_assets.model.subject import Subject
from metadata_assets.model.table import TableName, tables_among
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.schemas import plan_missing
from metadata_assets.stages.shards import shard_keys, shard_of
from metadata_assets.store.work import Trouble

# In its grace; kept by a cap until somebody raises it; to be taken out by the next run.
AbsenceState = Literal["in_grace", "held_back", "due"]


@dataclass(frozen=True, slots=True)
class Absence:
    """A table that the last listing did not show: since when, and until when its grace lasts (epoch seconds)."""

    state: AbsenceState
    since: float
    until: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Concerns:
    """All that stands in the way of one table; `failed` maps a stage to its last error."""

    missing: Absence | None = None
    failed: Mapping[str, Trouble] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StageFailure:
    """Stages that failed as a whole, for the same reason: the error, and when it last happened (epoch seconds).

    `shards` are the partition keys that they failed for; none where they know no shards.
    """

    stages: tuple[str, ...]
    shards: tuple[str, ...]
    error: str
    at: float


@dataclass(frozen=True, slots=True)
class AllConcerns:
    """What is wrong, by subject, and how many shards each database has."""

    by_subject: Mapping[str, Concerns]
    shards: Mapping[str, int]

    @staticmethod
    def of(deployment: Deployment) -> "AllConcerns":
        plan = plan_missing(deployment)
        grace = deployment.platform.policies.deletion.grace
        trouble = deployment.store.work.trouble()
        since = deployment.store.work.missing()
        absences = {}
        for table in tables_among(since):
            state: AbsenceState = (
                "in_grace" if table in plan.waiting else "held_back" if table in plan.held_back else "due"
            )
            began = since[table.subject]
            absences[table.subject] = Absence(state, began, began + grace, plan.reason if state == "held_back" else "")
        found = {s: Concerns(absences.get(s), trouble.get(s, {})) for s in absences.keys() | trouble.keys()}
        return AllConcerns(found, deployment.store.work.shards())

    def of_table(self, table: TableName) -> Concerns:
        """Those of a table, the trouble of its database and of its shard among them."""
        own = self.by_subject.get(table.subject, Concerns())
        wider = (Subject("shard", shard_of(table, self.shards)), Subject("database", table.database))
        failed = {k: v for s in wider for k, v in self.by_subject.get(str(s), Concerns()).failed.items()}
        return Concerns(own.missing, {**failed, **own.failed})

    def of_stages(self) -> Sequence[StageFailure]:
        """What failed as a whole, the last first; of shards that are no more nothing is told."""
        there = {str(Subject("shard", name)): name for name in ["", *shard_keys(self.shards)]}
        by_error: dict[str, list[tuple[str, str, float]]] = {}
        for subject in sorted(there.keys() & self.by_subject.keys()):
            for stage, trouble in self.by_subject[subject].failed.items():
                by_error.setdefault(trouble.error, []).append((stage, there[subject], trouble.at))
        failures = [
            StageFailure(
                tuple(sorted({stage for stage, _, _ in found})),
                tuple(sorted({shard for _, shard, _ in found if shard})),
                error,
                max(at for _, _, at in found),
            )
            for error, found in by_error.items()
        ]
        return sorted(failures, key=lambda f: -f.at)
