"""What happens to a value between two columns, and how that adds up along a path and over several paths."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from metadata_assets.model.lineage import ColumnRef, EdgeKind, IndirectSubtype, Subtype, edge_type

KINDS: tuple[EdgeKind, ...] = ("SIMPLE", "EXPRESSION", "SCRIPT")
_SUBTYPES: tuple[Subtype, ...] = ("IDENTITY", "TRANSFORMATION", "AGGREGATION", "CONDITIONAL", "WINDOW")
# A column, and what it decides about the rows of a query.
RowCondition = tuple[ColumnRef, IndirectSubtype]


class Flow(NamedTuple):
    """Positions in KINDS and among the subtypes; `masking`: the value cannot be read any more."""

    kind: int = 0
    at: int = 0
    masking: bool = False

    @staticmethod
    def of(kind: EdgeKind, subtype: Subtype, *, masking: bool = False) -> "Flow":
        return Flow(KINDS.index(kind), _SUBTYPES.index(subtype), masking)

    @property
    def subtype(self) -> Subtype:
        return _SUBTYPES[self.at]

    @property
    def is_direct(self) -> bool:
        return edge_type(self.subtype) == "DIRECT"

    def then(self, other: "Flow") -> "Flow":
        """Along one path the strongest step counts."""
        return Flow(max(self.kind, other.kind), max(self.at, other.at), self.masking or other.masking)

    def beside(self, other: "Flow") -> "Flow":
        """Of two paths the value takes the open one: a masked copy beside it protects nothing."""
        kind = max(self.kind, other.kind)
        if self.is_direct != other.is_direct:
            direct = self if self.is_direct else other
            return Flow(kind, direct.at, direct.masking)
        return Flow(kind, min(self.at, other.at), self.masking and other.masking)


COPY = Flow()
CHANGED = Flow.of("EXPRESSION", "TRANSFORMATION")
# A branch of a set operation or of a CASE is an expression to Hive, though each value passes unchanged.
BRANCH = Flow.of("EXPRESSION", "IDENTITY")
CONDITION = Flow.of("EXPRESSION", "CONDITIONAL")
AGGREGATED = Flow.of("EXPRESSION", "AGGREGATION")
COUNTED = Flow.of("EXPRESSION", "AGGREGATION", masking=True)
MASKED = Flow.of("EXPRESSION", "TRANSFORMATION", masking=True)
SCRIPTED = Flow.of("SCRIPT", "TRANSFORMATION")
# A window function is a script to Hive; what happens to the value is said by the function itself.
WINDOWED = Flow.of("SCRIPT", "IDENTITY")
COUNTED_ROWS = WINDOWED
WINDOW_KEY = Flow.of("SCRIPT", "WINDOW")


class Origin(NamedTuple):
    """A column of a table. Its value and what it decides reach a column on ways of their own, which both count."""

    ref: ColumnRef
    decides: Subtype | None = None


@dataclass(frozen=True, slots=True)
class Traced:
    """What one column comes from, and what of it could not be traced."""

    sources: Mapping[Origin, Flow] = field(default_factory=dict)
    troubles: frozenset[str] = frozenset()

    @staticmethod
    def of(column: ColumnRef) -> "Traced":
        return Traced({Origin(column): COPY})

    @staticmethod
    def trouble(reason: str) -> "Traced":
        return Traced({}, frozenset((reason,)))

    def after(self, step: Flow) -> "Traced":
        if step == COPY:
            return self
        sources: dict[Origin, Flow] = {}
        for origin, flow in self.sources.items():
            _add(sources, origin.ref, flow.then(step))
        return Traced(sources, self.troubles)

    @staticmethod
    def joined(parts: Iterable["Traced"]) -> "Traced":
        several = list(parts)
        if len(several) == 1:
            return several[0]
        sources: dict[Origin, Flow] = {}
        troubles: set[str] = set()
        for part in several:
            troubles |= part.troubles
            for origin, flow in part.sources.items():
                _add(sources, origin.ref, flow)
        return Traced(sources, frozenset(troubles))


def _add(sources: dict[Origin, Flow], ref: ColumnRef, flow: Flow) -> None:
    origin = Origin(ref, None if flow.is_direct else flow.subtype)
    known = sources.get(origin)
    sources[origin] = flow if known is None else known.beside(flow)
