"""What happens to a value between two columns, and how that adds up along a path and over several paths."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from metadata_assets.model.lineage import ColumnRef, EdgeKind, Transform

KINDS: tuple[EdgeKind, ...] = ("SIMPLE", "EXPRESSION", "SCRIPT")
TRANSFORMS: tuple[Transform, ...] = ("identity", "transformation", "aggregation", "masking")


class Flow(NamedTuple):
    """Positions in KINDS and TRANSFORMS."""

    kind: int = 0
    transform: int = 0

    def then(self, other: "Flow") -> "Flow":
        """Along one path the strongest step counts."""
        return Flow(max(self.kind, other.kind), max(self.transform, other.transform))

    def beside(self, other: "Flow") -> "Flow":
        """Of two paths the value takes the open one: a masked copy beside it protects nothing."""
        return Flow(max(self.kind, other.kind), min(self.transform, other.transform))


COPY = Flow()
CHANGED = Flow(KINDS.index("EXPRESSION"), TRANSFORMS.index("transformation"))
# A set operation is an expression to Hive, though each value passes unchanged.
BRANCH = Flow(KINDS.index("EXPRESSION"), TRANSFORMS.index("identity"))
AGGREGATED = Flow(KINDS.index("EXPRESSION"), TRANSFORMS.index("aggregation"))
MASKED = Flow(KINDS.index("EXPRESSION"), TRANSFORMS.index("masking"))
SCRIPTED = Flow(KINDS.index("SCRIPT"), TRANSFORMS.index("transformation"))
WINDOW_KEY = Flow(KINDS.index("SCRIPT"), TRANSFORMS.index("aggregation"))


@dataclass(frozen=True, slots=True)
class Traced:
    """The columns of tables that one column comes from, and what of it could not be traced."""

    sources: Mapping[ColumnRef, Flow] = field(default_factory=dict)
    troubles: frozenset[str] = frozenset()

    def after(self, step: Flow) -> "Traced":
        if step == COPY:
            return self
        return Traced({ref: flow.then(step) for ref, flow in self.sources.items()}, self.troubles)

    @staticmethod
    def trouble(reason: str) -> "Traced":
        return Traced({}, frozenset((reason,)))

    @staticmethod
    def joined(parts: Iterable["Traced"]) -> "Traced":
        sources: dict[ColumnRef, Flow] = {}
        troubles: set[str] = set()
        for part in parts:
            troubles |= part.troubles
            for ref, flow in part.sources.items():
                known = sources.get(ref)
                sources[ref] = flow if known is None else known.beside(flow)
        return Traced(sources, frozenset(troubles))
