"""From traced columns to edges: with the casts that a write makes on its own."""

from collections.abc import Iterable, Iterator
from typing import cast

from metadata_assets.lineage.flows import BRANCH, KINDS, Flow, RowCondition, Traced
from metadata_assets.lineage.session import Session
from metadata_assets.lineage.targets import Filled
from metadata_assets.lineage.type_names import differ
from metadata_assets.model.lineage import ColumnEdge, ColumnRef, IndirectEdge, IndirectSubtype
from metadata_assets.model.table import TableName

_IMPLICIT_CAST = BRANCH  # to Hive an expression, to people the same value


def column_edges(target: TableName, filled: Filled, session: Session, *, casts: bool) -> Iterator[ColumnEdge]:
    """Edges into the target, one for each pair of columns: by its value, where that arrives, else by what it decides.

    `casts`: the target has types of its own, as a table that exists has.
    """
    for name, traced in _by_column(filled):
        own = session.type_of(target, name) if casts else ""
        for source, flow in _whole(traced).items():
            if own and differ(session.type_of(source.table, source.column), own):
                flow = flow.then(_IMPLICIT_CAST)
            if session.is_whole(source.table) and session.variables.unset_in(source.column) is None:
                yield ColumnEdge(source, ColumnRef(target, name), KINDS[flow.kind], flow.subtype, flow.masking)


def indirect_edges(
    target: TableName, filled: Filled, rows: Iterable[RowCondition], session: Session
) -> Iterator[IndirectEdge]:
    """What decides which rows arrive in the target, and which values in one of its columns."""
    found = [IndirectEdge(source, target, "", subtype) for source, subtype in rows]
    for name, traced in _by_column(filled):
        for origin, flow in traced.sources.items():
            if origin.decides is not None:
                found.append(
                    IndirectEdge(origin.ref, target, name, cast(IndirectSubtype, origin.decides), flow.masking)
                )
    return (edge for edge in found if session.is_whole(edge.source.table))


def _by_column(filled: Filled) -> Iterator[tuple[str, Traced]]:
    """Several branches may fill one column."""
    parts: dict[str, list[Traced]] = {}
    for name, traced in filled.columns:
        parts.setdefault(name, []).append(traced)
    return ((name, Traced.joined(several)) for name, several in parts.items())


def _whole(traced: Traced) -> dict[ColumnRef, Flow]:
    flows: dict[ColumnRef, Flow] = {}
    for origin, flow in traced.sources.items():
        known = flows.get(origin.ref)
        flows[origin.ref] = flow if known is None else known.beside(flow)
    return flows
