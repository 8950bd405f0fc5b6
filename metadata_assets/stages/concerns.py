"""What stands in the way of a table: it is missing from the metastore, or a stage failed at it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from metadata_assets.model.subject import Subject
from metadata_assets.model.table import TableName, tables_among
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.schemas import plan_missing
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


def all_concerns(deployment: Deployment) -> dict[str, Concerns]:
    """Subject → what is wrong with it, of the tables and databases that something is wrong with."""
    plan = plan_missing(deployment)
    grace = deployment.platform.policies.deletion.grace
    trouble = deployment.store.work.trouble()
    since = deployment.store.work.missing()
    absences = {}
    for table in tables_among(since):
        state: AbsenceState = "in_grace" if table in plan.waiting else "held_back" if table in plan.held_back else "due"
        began = since[table.subject]
        absences[table.subject] = Absence(state, began, began + grace, plan.reason if state == "held_back" else "")
    return {s: Concerns(absences.get(s), trouble.get(s, {})) for s in absences.keys() | trouble.keys()}


def concerns_of(table: TableName, concerns: Mapping[str, Concerns]) -> Concerns:
    """Those of a table, the trouble of its database among them."""
    own = concerns.get(table.subject, Concerns())
    database = concerns.get(str(Subject("database", table.database)), Concerns())
    return Concerns(own.missing, {**database.failed, **own.failed})
