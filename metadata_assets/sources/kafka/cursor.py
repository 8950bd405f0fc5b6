"""How far a topic was read, as the text that the sensor keeps; and what a cursor means for the topic as it is now."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from metadata_assets.sources.events.cursors import parse_cursor, to_cursor

_HOW = (
    '(a first start reads from `start`), or set it to {"version": 1, "topic_id": "", "offsets": {"PARTITION": OFFSET}}'
)


@dataclass(frozen=True, slots=True)
class TopicCursor:
    """The next offset of each partition that was read, and the id of the topic: one made anew has another."""

    offsets: Mapping[int, int] = field(default_factory=dict)
    topic_id: str = ""

    def to_text(self) -> str:
        offsets = {str(p): self.offsets[p] for p in sorted(self.offsets)}
        return to_cursor(topic_id=self.topic_id, offsets=offsets)

    @staticmethod
    def parse(text: str) -> "TopicCursor":
        """Read what `to_text` wrote; an empty text is a first start.

        Raises:
            Permanent: it is neither: somebody edited it.
        """
        return parse_cursor(text, _of_fields, _HOW) if text else TopicCursor()


def _of_fields(fields: Mapping[str, Any]) -> TopicCursor:
    offsets = {int(p): int(o) for p, o in fields["offsets"].items()}
    if min(offsets.values(), default=0) < 0:
        raise ValueError(offsets)
    return TopicCursor(offsets, str(fields["topic_id"]))


@dataclass(frozen=True, slots=True)
class Range:
    """Offsets that a partition holds: from `low`, below `high`."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Resumption:
    """Where to go on: offsets by partition; partitions to begin by the `start` setting; and what was lost, in words."""

    offsets: Mapping[int, int]
    first: tuple[int, ...]
    gap: str


def resume(cursor: TopicCursor, held: Mapping[int, Range], topic_id: str) -> Resumption:
    """Where to go on reading a topic that may have been made again, cut, or given more partitions since.

    Args:
        cursor: how far it was read.
        held: what each partition holds now.
        topic_id: the topic's id now; empty where the broker does not tell.
    """
    if not cursor.offsets:
        return Resumption({}, tuple(sorted(held)), "")
    if cursor.topic_id and topic_id and cursor.topic_id != topic_id:
        return Resumption({p: r.low for p, r in held.items()}, (), "the topic was made again")
    offsets, lost = {}, []
    for partition, range_ in sorted(held.items()):
        at = cursor.offsets.get(partition, range_.low)  # a partition that was added since holds nothing older
        if not range_.low <= at <= range_.high:
            lost.append(partition)
            at = range_.low
        offsets[partition] = at
    told = f"messages of partitions {', '.join(map(str, lost))} are gone: deleted before they were read" if lost else ""
    vanished = sorted(cursor.offsets.keys() - held.keys())
    if vanished:
        told = f"partitions {', '.join(map(str, vanished))} are gone: the topic was made again"
    return Resumption(offsets, (), told)
