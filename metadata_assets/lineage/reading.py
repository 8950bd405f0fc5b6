"""Statements that move data: parsed, their tables collected, their columns traced and matched with the target."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sqlglot import exp

from metadata_assets.isolation import guarded
from metadata_assets.lineage.columns import Output, query_outputs
from metadata_assets.lineage.edges import column_edges
from metadata_assets.lineage.fixups import fix_merge, fix_query
from metadata_assets.lineage.flows import Traced
from metadata_assets.lineage.merge import Change, read_merge, read_update
from metadata_assets.lineage.parsing import parse_query, parse_tree
from metadata_assets.lineage.regex_columns import expand_regex_columns
from metadata_assets.lineage.session import TEMPORARY_DB, Session
from metadata_assets.lineage.tables import complete_tables
from metadata_assets.lineage.targets import Filled, fill_columns
from metadata_assets.lineage.verdict import Columns, Found
from metadata_assets.lineage.writes import Write
from metadata_assets.model.lineage import StatementStatus
from metadata_assets.model.table import Column, TableName

# Of several branches the worst decides.
_SEVERITY: tuple[StatementStatus, ...] = (
    "no_lineage", "lineage", "unresolved", "table_only", "timeout", "unparsed",
)  # fmt: skip


class Reader:
    """Reads the queries of a script in their order."""

    def __init__(self, session: Session, dialect: str) -> None:
        self._session = session
        self._dialect = dialect

    def read_writes(self, writes: Sequence[Write], *, is_view: bool = False) -> Found:
        """One statement, of one or more branches; what a branch makes is known after it."""
        return _together([self._read_write(write, is_view=is_view) for write in writes])

    def read_query(self, text: str) -> Found:
        query = parse_query(fix_query(text, self._dialect), self._dialect).unwrap()
        inputs = complete_tables(query, self._session.complete)
        return Found("no_lineage", inputs=inputs, reason="a query that writes nothing")

    def read_merge(self, text: str) -> Found:
        tree = parse_tree(fix_merge(text), self._dialect, exp.Merge).unwrap()
        assert isinstance(tree, exp.Merge)
        inputs = complete_tables(tree, self._session.complete)
        target = TableName.of(tree.this.db, tree.this.name)
        change = guarded("MERGE", lambda: read_merge(tree, self._names(target)), quote=True)
        if change.error is not None:
            return Found("table_only", inputs - {target}, frozenset((target,)), reason=str(change.error))
        return self._read_change(change.unwrap(), inputs)

    def read_update(self, text: str) -> Found:
        tree = parse_tree(text, self._dialect, exp.Update).unwrap()
        assert isinstance(tree, exp.Update)
        inputs = complete_tables(tree, self._session.complete)
        return self._read_change(read_update(tree), inputs)

    def _read_change(self, change: Change, tables: frozenset[TableName]) -> Found:
        """The target of a MERGE is read only where one of its values is used."""
        target = TableName.of(change.target.db, change.target.name)
        write = Write("insert", (), columns=change.columns)
        found = self._fill(write, target, change.query, tables)
        used = any(edge.source.table == target for edge in found.columns)
        return found if used else replace(found, inputs=found.inputs - {target})

    def _read_write(self, write: Write, *, is_view: bool) -> Found:
        if not write.query:
            return self._read_definition(write)
        query = parse_query(fix_query(write.query, self._dialect), self._dialect).unwrap()
        inputs = complete_tables(query, self._session.complete)
        expand_regex_columns(query, self._session.variables, self._session)
        if write.kind == "folder":
            return Found("no_lineage", inputs=inputs, reason="it writes files to a folder, to no table")
        if write.kind == "temporary":
            return self._keep(write, query, inputs)
        target = self._session.complete(write.parts)
        if (temporary := self._session.temporary(target)) is not None:
            filled, _ = self._filled(write, target, query, inputs)
            temporary.add(filled.columns, self._session.real(inputs))
            return _kept(write.parts, inputs)
        return self._fill(write, target, query, inputs, is_view=is_view)

    def _read_definition(self, write: Write) -> Found:
        copied = (self._session.columns_of(self._session.complete(write.like)) or {}) if write.like else {}
        columns = write.defined or [Column(name, type_text) for name, type_text in copied.items()]
        if write.kind == "temporary":
            self._session.make_temporary(write.parts, {c.name: Traced() for c in columns}, frozenset())
        else:
            self._session.define(self._session.complete(write.parts), columns)
        return Found("no_lineage", reason="it defines columns and moves no data")

    def _keep(self, write: Write, query: exp.Query, inputs: frozenset[TableName]) -> Found:
        """Followed by later statements; that it cannot be traced is then said there."""
        filled, _ = self._filled(write, TableName(TEMPORARY_DB, ""), query, inputs)
        real = self._session.real(inputs)
        self._session.make_temporary(write.parts, dict(filled.columns), real)
        return _kept(write.parts, real)

    def _fill(
        self,
        write: Write,
        target: TableName,
        query: exp.Query,
        inputs: frozenset[TableName],
        *,
        is_view: bool = False,
    ) -> Found:
        filled, problem = self._filled(write, target, query, inputs, is_view=is_view)
        if problem:
            return Found("table_only", inputs=inputs, outputs=frozenset((target,)), reason=problem)
        edges = tuple(column_edges(target, filled, self._session, casts=write.kind == "insert"))
        if write.kind in ("table", "view") and not is_view:
            names = [name for name, _ in filled.columns if name not in write.dynamic]
            self._session.make(target, [*names, *write.dynamic])
        troubled = {name: "; ".join(sorted(t.troubles)) for name, t in filled.columns if t.troubles}
        total = len({name for name, _ in filled.columns})
        doubts = [f"{target}: {doubt}" for doubt in filled.doubts]
        status, reason = Columns(total, troubled, doubts).verdict(len(edges))
        return Found(status, inputs, frozenset((target,)), edges, tuple(troubled), reason)

    def _filled(
        self, write: Write, target: TableName, query: exp.Query, inputs: frozenset[TableName], *, is_view: bool = False
    ) -> tuple[Filled, str]:
        outcome = query_outputs(query, inputs, self._session, self._dialect)
        outputs: list[Output] = [] if outcome.error is not None else outcome.unwrap()
        filled = fill_columns(write, outputs, self._names(target), is_view=is_view)
        return filled, "" if outcome.error is None else f"no column could be traced: {outcome.error}"

    def _names(self, table: TableName) -> list[str] | None:
        columns = self._session.columns_of(table)
        return list(columns) if columns else None


def _kept(parts: Sequence[str], inputs: frozenset[TableName]) -> Found:
    reason = f"{parts[-1]} lives as long as the script: what comes of it is followed where it is read"
    return Found("no_lineage", inputs=inputs, reason=reason)


def _together(branches: Iterable[Found]) -> Found:
    found = list(branches)
    if len(found) == 1:
        return found[0]
    worst = max((f.status for f in found), key=_SEVERITY.index)
    return Found(
        worst,
        frozenset().union(*(f.inputs for f in found)),
        frozenset().union(*(f.outputs for f in found)),
        tuple(edge for f in found for edge in f.columns),
        tuple(dict.fromkeys(name for f in found for name in f.unresolved)),
        "; ".join(dict.fromkeys(f.reason for f in found if f.reason and f.status == worst)),
    )
