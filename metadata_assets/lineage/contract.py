"""Lineage for other programs: a line of JSON in, a case; a line of JSON out, whatever the case is like.

The README describes both forms. A case is read on its own: it brings the tables and views that it knows.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, NoReturn

from metadata_assets.errors import ForeignCodeError
from metadata_assets.isolation import guarded
from metadata_assets.lineage.flows import KINDS, Flow
from metadata_assets.lineage.messages import ScriptText, Surrounding
from metadata_assets.lineage.tables import table_name
from metadata_assets.model.lineage import (
    ColumnEdge,
    ColumnRef,
    IndirectEdge,
    Script,
    StatementLineage,
    StatementPlace,
    edge_type,
)
from metadata_assets.model.table import Column, Table, TableName

_NAME = "case"


@dataclass(frozen=True, slots=True)
class Case:
    """A case to answer. One that cannot be read has a problem, and a text without statements."""

    id: Any
    script: ScriptText
    problem: str = ""


def parse_case(line: str, *, expand_views: bool) -> Case:
    """Read one line. Never raises."""
    outcome = guarded("the case", lambda: json.loads(line))
    document = {} if outcome.error is not None else outcome.unwrap()
    identity = document.get("id") if isinstance(document, dict) else None
    empty = ScriptText(_NAME, "", "")
    if outcome.error is not None:
        return Case(None, empty, f"the line is no JSON: {outcome.error}")
    read = guarded("the case", lambda: _script(document, expand_views=expand_views), quote=True)
    return Case(identity, empty, str(read.error)) if read.error is not None else Case(identity, read.unwrap())


def _script(document: object, *, expand_views: bool) -> ScriptText:
    if not isinstance(document, dict):
        _refuse("a case must be an object with at least `id` and `sql`")
    sql, dialect, database = (document.get(key) or "" for key in ("sql", "dialect", "default_db"))
    if "sql" not in document or not all(isinstance(text, str) for text in (sql, dialect, database)):
        _refuse("`sql` must be there, and with `dialect` and `default_db` be a text")
    schema, views = (document.get(key) or {} for key in ("schema", "views"))
    if not isinstance(schema, dict) or not isinstance(views, dict):
        _refuse("`schema` and `views` must be objects, from names to columns and to queries")
    tables = tuple(Table(_table(name, database), "other", _columns(name, columns)) for name, columns in schema.items())
    texts = {_table(name, database): str(text) for name, text in views.items()}
    alone = Surrounding(tables, texts, database.lower(), expand_views)
    return ScriptText(_NAME, sql, dialect.lower(), alone)


def _refuse(reason: str) -> NoReturn:
    raise ForeignCodeError(reason)


def _table(name: str, database: str) -> TableName:
    return table_name(name.replace("`", "").split("."), database.lower())


def _columns(table: str, columns: object) -> tuple[Column, ...]:
    if isinstance(columns, dict):
        return tuple(Column(str(name), str(type_text or "")) for name, type_text in columns.items())
    if isinstance(columns, list):
        return tuple(Column(str(name), "") for name in columns)
    _refuse(f"the columns of {table} must be a list of names, or an object from names to types")


def answer(case: Case, script: Script) -> dict[str, Any]:
    """The answer to a case, with the lineage of its script."""
    statements = list(script.statements)
    if case.problem:
        statements = [StatementLineage(StatementPlace(_NAME, 1, 0), "unparsed", "?", reason=case.problem)]
    shown = [_statement(statement) for statement in statements]
    return {"id": case.id, "statements": shown, "net": _lineage(_net(statements))}


def _statement(statement: StatementLineage) -> dict[str, Any]:
    place = statement.place
    told = {"index": place.index, "line": place.line, "status": statement.status, "reason": statement.reason}
    return told | _lineage(statement)


def _lineage(statement: StatementLineage) -> dict[str, Any]:
    return {
        "inputs": [str(table) for table in statement.inputs],
        "outputs": [str(table) for table in statement.outputs],
        "columns": [_column_edge(edge) for edge in statement.columns],
        "indirect": [_indirect_edge(edge) for edge in statement.indirect],
    }


def _column_edge(edge: ColumnEdge) -> dict[str, Any]:
    return {
        "from_table": str(edge.source.table),
        "from_column": edge.source.column,
        "to_table": str(edge.target.table) or None,
        "to_column": edge.target.column,
        "kind": edge.kind,
        "type": edge.type,
        "subtype": edge.subtype,
        "masking": edge.masking,
    }


def _indirect_edge(edge: IndirectEdge) -> dict[str, Any]:
    return {
        "from_table": str(edge.source.table),
        "from_column": edge.source.column,
        "to_table": str(edge.target) or None,
        "to_column": edge.column or None,
        "kind": "EXPRESSION",
        "type": edge_type(edge.subtype),
        "subtype": edge.subtype,
        "masking": edge.masking,
    }


def _net(statements: Iterable[StatementLineage]) -> StatementLineage:
    """The whole script as one statement: what several statements do between the same two columns is one edge."""
    found = list(statements)
    edges: dict[tuple[ColumnRef, ColumnRef], ColumnEdge] = {}
    for edge in (e for s in found for e in s.columns):
        known = edges.get((edge.source, edge.target))
        edges[edge.source, edge.target] = edge if known is None else _beside(known, edge)
    indirect = {e for s in found for e in s.indirect}
    return StatementLineage(
        place=StatementPlace(_NAME, 1, 0),
        status="lineage",
        verb="?",
        inputs=tuple(sorted({table for s in found for table in s.inputs})),
        outputs=tuple(sorted({table for s in found for table in s.outputs})),
        columns=tuple(sorted(edges.values())),
        indirect=tuple(sorted(indirect)),
    )


def _beside(one: ColumnEdge, other: ColumnEdge) -> ColumnEdge:
    flows = (Flow.of(edge.kind, edge.subtype, masking=edge.masking) for edge in (one, other))
    flow = reduce(Flow.beside, flows)
    return replace(one, kind=KINDS[flow.kind], subtype=flow.subtype, masking=flow.masking)
