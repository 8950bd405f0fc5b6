"""One process for each job and each table that it fills."""

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field

from metadata_assets.model.claims import DeclaredJob
from metadata_assets.model.entity import ProcessEntry
from metadata_assets.model.lineage import ColumnEdge, Script, StatementLineage
from metadata_assets.model.table import TableName


@dataclass(slots=True)
class _Flow:
    declared: bool
    inputs: set[TableName] = field(default_factory=set)
    columns: set[ColumnEdge] = field(default_factory=set)
    places: set[str] = field(default_factory=set)


def to_processes(
    scripts: Iterable[Script], declared: Iterable[DeclaredJob], known: Container[TableName]
) -> list[ProcessEntry]:
    """All processes between tables that are known at both ends, ordered by job and output.

    Statements of one job that fill the same table become one process, and so does what somebody declared of a job that
    has SQL too: it is declared only where nothing was inferred. A table that a job reads and writes is no input of its
    own.
    """
    flows: dict[tuple[str, TableName], _Flow] = {}
    for script in scripts:
        for statement in script.statements:
            for output in statement.outputs:
                _add(flows.setdefault((statement.job, output), _Flow(declared=False)), output, statement)
    for job in declared:
        for output in job.outputs:
            _add(flows.setdefault((job.name, output), _Flow(declared=True)), output, job)
    return sorted(_entries(flows, known), key=lambda e: (e.job, e.output))


def _add(flow: _Flow, output: TableName, made_by: StatementLineage | DeclaredJob) -> None:
    flow.inputs |= set(made_by.inputs) - {output}
    flow.columns |= {e for e in made_by.columns if e.target.table == output != e.source.table}
    flow.places.add(str(made_by.place))


def _entries(flows: dict[tuple[str, TableName], _Flow], known: Container[TableName]) -> Iterator[ProcessEntry]:
    for (job, output), flow in flows.items():
        inputs = tuple(sorted(t for t in flow.inputs if t in known))
        if output in known and inputs:
            columns = tuple(sorted(e for e in flow.columns if e.source.table in known))
            yield ProcessEntry(job, output, inputs, columns, flow.declared, {"inputs": min(flow.places)})
