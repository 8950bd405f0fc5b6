"""From traced columns to edges: with the casts that a write makes on its own."""

from collections.abc import Iterator
from functools import lru_cache

from metadata_assets.lineage.flows import CHANGED, KINDS, TRANSFORMS, Flow, Traced
from metadata_assets.lineage.session import Session
from metadata_assets.lineage.targets import Filled
from metadata_assets.model.lineage import ColumnEdge, ColumnRef
from metadata_assets.model.table import TableName
from metadata_assets.model.types import UnknownType, parse_type, to_text

_IMPLICIT_CAST = Flow(CHANGED.kind, 0)  # to Hive an expression, to people the same value


def column_edges(target: TableName, filled: Filled, session: Session, *, casts: bool) -> Iterator[ColumnEdge]:
    """Edges into the target. `casts`: the target has types of its own, as a table that exists has."""
    joined: dict[str, list[Traced]] = {}
    for name, traced in filled.columns:
        joined.setdefault(name, []).append(traced)
    for name, parts in joined.items():
        own = session.type_of(target, name) if casts else ""
        for source, flow in Traced.joined(parts).sources.items():
            if own and _differ(session.type_of(source.table, source.column), own):
                flow = flow.then(_IMPLICIT_CAST)
            if session.variables.unset_in(str(source)) is None:
                yield _edge(source, ColumnRef(target, name), flow)


def _edge(source: ColumnRef, target: ColumnRef, flow: Flow) -> ColumnEdge:
    return ColumnEdge(source, target, KINDS[flow.kind], TRANSFORMS[flow.transform])


def _differ(source: str, target: str) -> bool:
    if not source or source == target:
        return False
    known = _type_key(source), _type_key(target)
    return None not in known and known[0] != known[1]


@lru_cache(maxsize=10_000)
def _type_key(text: str) -> str | None:
    parsed = parse_type(text)
    return None if isinstance(parsed, UnknownType) else to_text(parsed).lower()
