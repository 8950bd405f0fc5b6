"""What `status` says of sources of events."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from metadata_assets.cli.output import print_table, say, to_time

if TYPE_CHECKING:
    from metadata_assets.stages.deployment import Deployment
    from metadata_assets.stages.events.full_look import FullLook
    from metadata_assets.stages.events.listening import ListenerPosition
    from metadata_assets.stages.events.positions import EventPosition
    from metadata_assets.stages.notices.outages import Outage


@dataclass(frozen=True, slots=True)
class EventsStanding:
    """How far each source was read and each listener told; how many things wait, are dead or were dropped; why
    everything is to be compared, if it is."""

    numbers: Mapping[str, int]
    positions: "tuple[EventPosition, ...]"
    listeners: "tuple[ListenerPosition, ...]"
    outages: "tuple[Outage, ...]"
    full_look: "FullLook | None"

    @staticmethod
    def of(deployment: "Deployment") -> "EventsStanding":
        from metadata_assets.stages.events.full_look import wanted_full_look
        from metadata_assets.stages.events.listening import listener_positions
        from metadata_assets.stages.events.positions import positions_of
        from metadata_assets.stages.notices.outages import outages

        store = deployment.store
        numbers = {
            "dead_letters": store.dead_letters.count(),
            "dead_letters_dropped": store.dead_letters.dropped(),
            "waiting_events": store.inbox.count_waiting(),
        }
        names = [source.name for source in deployment.platform.events]
        positions, listeners = positions_of(store, names), listener_positions(deployment)
        out = outages(store)
        return EventsStanding(numbers, tuple(positions), tuple(listeners), tuple(out), wanted_full_look(store))

    def to_shape(self) -> dict[str, object]:
        """For machines: `cursors`, one object a source, `listeners`, `outages`, and `full_look`, null where none is."""
        look = self.full_look
        wanted = None if look is None else {"since": to_time(look.since), "why": look.why}
        listeners = [_shape_of_listener(p) for p in self.listeners]
        return {
            "cursors": [_shape(p) for p in self.positions],
            "listeners": listeners,
            "outages": [{"what": o.what, "since": to_time(o.since), "error": o.error} for o in self.outages],
            "full_look": wanted,
        }

    def print_lines(self) -> None:
        from metadata_assets.stages.events.intake import tell_dropped

        if dropped := self.numbers["dead_letters_dropped"]:
            say(tell_dropped(dropped))
        if self.positions:
            header = ("source of events", "read (UTC)", "waiting there", "seconds behind", "trouble")
            rows = [
                (p.name, to_time(p.read_at) or "never: is its sensor on?", p.lag, round(p.behind), p.error)
                for p in self.positions
            ]
            print_table(header, rows)
        for outage in self.outages:
            say(f"{outage.what}: no sensor can look since {to_time(outage.since)}: {outage.error}")
        if self.listeners:
            told = [(p.name, p.waiting, p.failed, to_time(p.busy_since), p.error) for p in self.listeners]
            print_table(("listener", "waiting", "failed", "busy since (UTC)", "trouble"), told)
        if (look := self.full_look) is not None:
            say(f"everything is to be compared once since {to_time(look.since)}: {look.why}")


def _shape_of_listener(position: "ListenerPosition") -> dict[str, object]:
    return {
        "name": position.name,
        "waiting": position.waiting,
        "failed": position.failed,
        "failed_at": to_time(position.failed_at),
        "error": position.error,
        "busy_since": to_time(position.busy_since),
    }


def _shape(position: "EventPosition") -> dict[str, object]:
    return {
        "source": position.name,
        "cursor": position.cursor,
        "read_at": to_time(position.read_at),
        "lag": position.lag,
        "behind_seconds": round(position.behind, 1),
        "error": position.error,
        "failing_since": to_time(position.failing_since),
        "outcomes": dict(position.outcomes),
    }
