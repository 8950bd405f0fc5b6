"""How a statement ends: the one place where a status is decided.

All columns traced is `lineage`; some are `unresolved`, with the edges of the others; none is `table_only`. A target
whose columns are not known, or do not match, is `unresolved` too: edges that rest on a guess never pass as whole.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from metadata_assets.lineage.session import TEMPORARY_DB, Session
from metadata_assets.model.counts import counted
from metadata_assets.model.lineage import (
    QUERY_RESULT,
    ColumnEdge,
    IndirectEdge,
    StatementLineage,
    StatementPlace,
    StatementStatus,
)
from metadata_assets.model.table import TableName

_SHOWN = 5  # troubles quoted in a reason


@dataclass(frozen=True, slots=True)
class Found:
    """What was found in a statement; tables may still be temporary ones."""

    status: StatementStatus
    inputs: frozenset[TableName] = frozenset()
    outputs: frozenset[TableName] = frozenset()
    columns: tuple[ColumnEdge, ...] = ()
    unresolved: tuple[str, ...] = ()
    reason: str = ""
    indirect: tuple[IndirectEdge, ...] = ()

    def statement(self, place: StatementPlace, verb: str, session: Session) -> StatementLineage:
        """The statement, with every table as the lake knows it."""
        inputs = session.real(self.inputs)
        outputs = frozenset(table for table in self.outputs if table.database != TEMPORARY_DB)
        unset = sorted({v for t in inputs | outputs if (v := session.variables.unset_in(str(t))) is not None})
        status, reason = self.status, session.variables.shown(self.reason)
        if unset:
            status = "unresolved"
            reason = f"the name of a table holds {', '.join(unset)}, which is not set"
        homeless = sorted(str(t) for t in inputs | outputs if not t.database)
        if homeless and session.of_lake:
            status, reason = "unresolved", f"the database of {', '.join(homeless)} is not known"
        shown = _sorted(outputs, session)
        kept = {*shown, QUERY_RESULT}
        return StatementLineage(
            place=place,
            status=status,
            verb=verb,
            inputs=_sorted(inputs, session),
            outputs=shown,
            columns=tuple(sorted(e for e in set(self.columns) if e.target.table in kept)),
            unresolved=tuple(session.variables.shown(name) for name in self.unresolved),
            reason="" if status == "lineage" else reason,
            indirect=tuple(sorted(e for e in set(self.indirect) if e.target in kept)),
        )


def _sorted(tables: Iterable[TableName], session: Session) -> tuple[TableName, ...]:
    """Without those whose names are not whole."""
    return tuple(sorted(filter(session.is_whole, tables)))


@dataclass(slots=True)
class Columns:
    """The count of the columns of a statement, and what is wrong with them."""

    total: int
    troubled: dict[str, str]
    doubts: list[str]

    def verdict(self, traced_sources: int) -> tuple[StatementStatus, str]:
        """`traced_sources` is the number of edges found."""
        reasons = list(self.doubts)
        if self.troubled:
            different = list(dict.fromkeys(self.troubled.values()))
            more = len(different) - _SHOWN
            reasons.insert(0, "; ".join(different[:_SHOWN]) + (f"; and {more} more" if more > 0 else ""))
        if not reasons:
            return "lineage", ""
        if self.troubled and len(self.troubled) >= self.total and not traced_sources:
            return "table_only", f"no column could be traced: {'; '.join(reasons)}"
        if self.troubled:
            part = f"{len(self.troubled)} of {counted(self.total, 'column')}"
            return "unresolved", f"{part} not traced: {'; '.join(reasons)}"
        return "unresolved", "; ".join(reasons)
