"""Statements that move data: parsed, their tables collected, their columns traced and matched with the target."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from sqlglot import exp

from metadata_assets.isolation import guarded
from metadata_assets.lineage.columns import Result, query_result
from metadata_assets.lineage.edges import column_edges, indirect_edges
from metadata_assets.lineage.fixups import fix_merge, fix_query
from metadata_assets.lineage.flows import Traced
from metadata_assets.lineage.lexer import Token
from metadata_assets.lineage.merge import Change, read_merge, read_update
from metadata_assets.lineage.parsing import parse_query, parse_tree
from metadata_assets.lineage.regex_columns import expand_regex_columns
from metadata_assets.lineage.session import TEMPORARY_DB, Session, Temporary
from metadata_assets.lineage.tables import complete_tables, name_of
from metadata_assets.lineage.targets import Filled, fill_columns
from metadata_assets.lineage.verdict import Columns, Found
from metadata_assets.lineage.writes import Write, read_select_into, read_view_text
from metadata_assets.model.lineage import QUERY_RESULT, StatementStatus
from metadata_assets.model.table import Column, TableName

# Of several branches the worst decides.
_SEVERITY: tuple[StatementStatus, ...] = (
    "no_lineage", "lineage", "unresolved", "table_only", "timeout", "unparsed",
)  # fmt: skip


class Reader:
    """Reads the queries of a script in their order."""

    def __init__(self, session: Session, dialect: str, *, traces_queries: bool = False) -> None:
        self._session = session
        self._traces_queries = traces_queries
        self._dialect = dialect

    def read_writes(self, writes: Sequence[Write], *, is_view: bool = False) -> Found:
        """One statement, of one or more branches; what a branch makes is known after it."""
        return _together([self._read_write(write, is_view=is_view) for write in writes])

    def read_query(self, text: str, tokens: Sequence[Token]) -> Found:
        if (write := read_select_into(text, tokens)) is not None:
            return self._read_write(write)
        if self._traces_queries:
            return self._read_write(Write("query", (), text))
        _, inputs = self._parsed(text)
        return Found("no_lineage", inputs=inputs, reason="a query that writes nothing")

    def trace_view(self, view: TableName, text: str) -> Temporary:
        """Where the columns of a view come from. Trouble with it is trouble of each column that is read from it."""
        write = guarded("the view", lambda: read_view_text(text, self._dialect))
        parsed = guarded("the view", lambda: self._parsed(write.unwrap().query))
        if parsed.error is not None:
            return Temporary(view.database, {"*": Traced.trouble(str(parsed.error))}, frozenset((view,)))
        return self._traced(write.unwrap(), view, *parsed.unwrap())

    def _again(self, write: Write, query: exp.Query) -> Callable[[], exp.Query]:
        """The query once more: parsed again, where it stands in the text."""
        if write.query:
            return lambda: self._parsed(write.query)[0]
        spare = query.copy()
        return lambda: spare

    def _parsed(self, text: str) -> tuple[exp.Query, frozenset[TableName]]:
        query = parse_query(fix_query(text, self._dialect), self._dialect).unwrap()
        inputs = complete_tables(query, self._session.complete)
        expand_regex_columns(query, self._session.variables, self._session)
        return query, inputs

    def read_merge(self, text: str) -> Found:
        tree = parse_tree(fix_merge(text), self._dialect, exp.Merge).unwrap()
        assert isinstance(tree, exp.Merge)
        inputs = complete_tables(tree, self._session.complete)
        target = name_of(tree.this)
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
        target = name_of(change.target)
        write = Write("insert", (), columns=change.columns)
        found = self._fill(write, target, change.query, tables)
        used = any(edge.source.table == target for edge in found.columns)
        return found if used else replace(found, inputs=found.inputs - {target})

    def _read_write(self, write: Write, *, is_view: bool = False) -> Found:
        if not write.query:
            return self._read_definition(write)
        query, inputs = self._parsed(write.query)
        if write.kind == "folder":
            return Found("no_lineage", inputs=inputs, reason="it writes files to a folder, to no table")
        if write.kind == "temporary":
            made = self._traced(write, TableName(TEMPORARY_DB, ""), query, inputs)
            self._session.make_temporary(write.parts, made)
            return _kept(write.parts, inputs)
        target = self._session.complete(write.parts) if write.parts else QUERY_RESULT
        if (temporary := self._session.temporary(target)) is not None:
            temporary.add(self._traced(write, target, query, inputs))
            return _kept(write.parts, inputs)
        return self._fill(write, target, query, inputs, is_view=is_view)

    def _read_definition(self, write: Write) -> Found:
        copied = (self._session.columns_of(self._session.complete(write.like)) or {}) if write.like else {}
        columns = write.defined or [Column(name, type_text) for name, type_text in copied.items()]
        if write.kind == "temporary":
            made = Temporary(columns={c.name: Traced() for c in columns}, of_files=not columns)
            self._session.make_temporary(write.parts, made)
        else:
            self._session.define(self._session.complete(write.parts), columns)
        return Found("no_lineage", reason="it defines columns and moves no data")

    def _traced(self, write: Write, target: TableName, query: exp.Query, inputs: frozenset[TableName]) -> Temporary:
        """Followed by later statements; that it cannot be traced is then said there."""
        real = self._session.real(inputs)
        outcome = query_result(query, self._again(write, query), inputs, self._session, self._dialect)
        if outcome.error is not None:
            return Temporary(columns={"*": Traced.trouble(str(outcome.error))}, inputs=real)
        filled = self._matched(write, outcome.unwrap(), target)
        made = Temporary(inputs=real, rows=outcome.unwrap().rows)
        made.add(Temporary(columns=dict(filled.columns)))
        return made

    def _fill(
        self,
        write: Write,
        target: TableName,
        query: exp.Query,
        inputs: frozenset[TableName],
        *,
        is_view: bool = False,
    ) -> Found:
        outputs = frozenset((target,)) - {QUERY_RESULT}
        outcome = query_result(query, self._again(write, query), inputs, self._session, self._dialect)
        if outcome.error is not None:
            return Found("table_only", inputs, outputs, reason=f"no column could be traced: {outcome.error}")
        result: Result = outcome.unwrap()
        filled = self._matched(write, result, target, is_view=is_view)
        edges = tuple(column_edges(target, filled, self._session, casts=write.kind == "insert"))
        indirect = tuple(indirect_edges(target, filled, result.rows, self._session))
        if write.kind in ("table", "view") and not is_view:
            names = [name for name, _ in filled.columns if name not in write.dynamic]
            self._session.make(target, [*names, *write.dynamic])
        troubled = {name: "; ".join(sorted(t.troubles)) for name, t in filled.columns if t.troubles}
        total = len({name for name, _ in filled.columns})
        doubts = [f"{target}: {doubt}" for doubt in filled.doubts]
        status, reason = Columns(total, troubled, doubts).verdict(len(edges))
        return Found(status, inputs, outputs, edges, tuple(troubled), reason, indirect)

    def _matched(self, write: Write, result: Result, target: TableName, *, is_view: bool = False) -> Filled:
        guesses_all = not self._session.of_lake
        return fill_columns(write, result.outputs, self._names(target), is_view=is_view, guesses_all=guesses_all)

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
        tuple(edge for f in found for edge in f.indirect),
    )
