"""Short ways to write edges, jobs and statements in tests."""

from metadata_assets.catalog.graph import LineageGraph, TableEdge
from metadata_assets.model.claims import DeclaredJob
from metadata_assets.model.lineage import ColumnEdge, ColumnRef, Script, StatementLineage, StatementPlace, Transform
from metadata_assets.model.table import TableName


def name(text: str) -> TableName:
    return TableName.parse(text if "." in text else f"raw.{text}")


def ref(text: str) -> ColumnRef:
    """`a.x` is column x of raw.a."""
    table, _, column = text.partition(".")
    return ColumnRef(name(table), column)


def edge(text: str, transform: Transform = "identity") -> ColumnEdge:
    """`a.x>b.y`"""
    source, target = text.split(">")
    return ColumnEdge.declared(ref(source), ref(target), transform)


def graph(*edges: str | ColumnEdge) -> LineageGraph:
    """A graph of column edges alone."""
    return LineageGraph([], [e if isinstance(e, ColumnEdge) else edge(e) for e in edges])


def table_graph(*edges: str) -> LineageGraph:
    """A graph of table edges alone: `a>b` is made by the job `ab`."""
    pairs = [e.split(">") for e in edges]
    return LineageGraph([TableEdge(name(s), name(t), s + t) for s, t in pairs], [])


def statement(
    outputs: str, inputs: str, *columns: ColumnEdge, file: str = "job.sql", line: int = 1
) -> StatementLineage:
    return StatementLineage(
        StatementPlace(file, line, 0),
        "lineage",
        "INSERT",
        tuple(map(name, inputs.split())),
        tuple(map(name, outputs.split())),
        columns,
    )


def script(*statements: StatementLineage) -> Script:
    return Script(statements)


def declared(job: str, outputs: str, inputs: str, *columns: ColumnEdge) -> DeclaredJob:
    ins, outs = (tuple(map(name, names.split())) for names in (inputs, outputs))
    return DeclaredJob(job, ins, outs, columns, "l.yaml:1")
