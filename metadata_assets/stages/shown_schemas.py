"""What waiting events mean for schemas: which tables are read from the metastore, and which an event itself shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from metadata_assets.model.event import in_order
from metadata_assets.model.table import Table, TableName
from metadata_assets.stages.deployment import Deployment
from metadata_assets.store.event_heads import EventHead
from metadata_assets.store.facts import Reading
from metadata_assets.store.inbox import Inbox, WaitingEvent

# An event shows the table as it was a moment ago by the metastore's clock, a full read as it is by ours. So far the
# clocks may differ, and so coarse the time of an event may be, before the read counts as the newer of the two.
_CLOCK_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Shown:
    """A table whose schema the event of this number shows: what it becomes, but for its content."""

    subject: str
    event_id: int
    fact_order: int
    source: str


@dataclass(slots=True)
class EventPlan:
    """`names` are to be read; `shown` are told by events; `stale` are numbers of events that come too late.

    `heads` are to be remembered once all of it is stored. `order_of` says of a subject below which order key nothing
    that is read because of these events may be: a look-up must win over the event that it confirms.
    """

    names: set[TableName] = field(default_factory=set)
    shown: list[Shown] = field(default_factory=list)
    heads: list[EventHead] = field(default_factory=list)
    stale: set[int] = field(default_factory=set)
    order_of: dict[str, int] = field(default_factory=dict)


def plan_schemas(deployment: Deployment, events: Sequence[WaitingEvent]) -> EventPlan:
    """One decision for each table that events name, from the newest of them.

    Only sources with `hydrate: event` are believed what they show, and only the newest event of a table; a drop is
    always looked up.
    """
    believed = {s.name for s in deployment.platform.events if s.hydrate == "event"}
    by_subject: dict[str, list[WaitingEvent]] = {}
    for waiting in events:
        by_subject.setdefault(waiting.event.subject, []).append(waiting)
    shown = {s: found for s, found in by_subject.items() if all(w.event.source in believed for w in found)}
    plan = EventPlan({TableName.of_subject(s) for s in by_subject.keys() - shown.keys()})
    heads = deployment.store.event_heads.of(shown)
    for subject, found in shown.items():
        _plan_from_events(subject, found, heads, plan)
    return plan


def _plan_from_events(
    subject: str, found: Sequence[WaitingEvent], heads: Mapping[tuple[str, str], EventHead], plan: EventPlan
) -> None:
    fresh = []
    for waiting in found:
        head = heads.get((waiting.event.source, subject))
        if head is not None and head.order.is_after(waiting.event.order):
            plan.stale.add(waiting.id)
        else:
            fresh.append(waiting)
    if not fresh:
        return
    newest = in_order(fresh, lambda w: w.event.order)[-1]
    event = newest.event
    head = heads.get((event.source, subject))
    # Never below what an earlier event of the table became: their own order decides between events.
    fact_order = max(int((event.occurred_at + _CLOCK_SECONDS) * 1e6), head.fact_order if head is not None else 0)
    plan.order_of[subject] = fact_order
    plan.heads.append(EventHead(event.source, subject, event.order, fact_order))
    if newest.shows:
        plan.shown.append(Shown(subject, newest.id, fact_order, event.source))
    else:
        plan.names.add(TableName.of_subject(subject))


def read_shown(inbox: Inbox, shown: Sequence[Shown]) -> list[Reading[Table]]:
    """The tables as their events show them."""
    tables = inbox.shown([s.event_id for s in shown])
    return [
        Reading(s.subject, tables[s.event_id], s.fact_order, f"event of {s.source}")
        for s in shown
        if s.event_id in tables
    ]
