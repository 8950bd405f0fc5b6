"""Specs against the tables that exist: documentation of what is gone is reported, never written and never hidden."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from metadata_assets.model.lineage import ColumnRef
from metadata_assets.model.pattern import NamePattern
from metadata_assets.model.suggestions import did_you_mean, nearest
from metadata_assets.model.table import Table, TableName
from metadata_assets.model.types import nested_paths, parse_type
from metadata_assets.specs.documentation import ColumnDocumentation, TableDocumentation
from metadata_assets.specs.finding import Place, SpecFinding
from metadata_assets.specs.specset import Placed, SpecSet
from metadata_assets.specs.tags import ColumnTags, TableTags, TagRule


def check_against(specs: SpecSet, tables: Mapping[TableName, Table]) -> tuple[SpecFinding, ...]:
    """What the specs name that is not there. Columns are compared without regard to case."""
    known = _Known(tables)
    findings = [
        *_orphans(specs.documentation, known, "documented"),
        *_orphans(specs.tags, known, "tagged"),
        *_lineage(specs, known),
        *_idle_rules(specs.tag_rules, tables.keys(), known),
    ]
    return tuple(sorted(set(findings)))


class _Known:
    """The tables, with every nested path of a table worked out once and only when it is asked for."""

    def __init__(self, tables: Mapping[TableName, Table]) -> None:
        self.tables = tables
        self._columns: dict[TableName, frozenset[str]] = {}
        self._by_database: dict[str, list[str]] | None = None

    def columns(self, name: TableName) -> frozenset[str]:
        """All columns and nested paths of a known table, in lower case."""
        if name not in self._columns:
            columns = self.tables[name].all_columns
            composite = (c for c in columns if "<" in c.type_text or "(" in c.type_text)  # the others have no inside
            nested = (path for c in composite for path, _ in nested_paths(c.name, parse_type(c.type_text)))
            self._columns[name] = frozenset(path.lower() for path in [*(c.name for c in columns), *nested])
        return self._columns[name]

    def has(self, name: TableName, column: str) -> bool:
        top = any(column == known.name.lower() for known in self.tables[name].all_columns)
        return top or column in self.columns(name)

    def suggestion(self, name: TableName) -> str:
        """What the writer of an unknown table name may have meant."""
        if self._by_database is None:
            self._by_database = {}
            for known in self.tables:
                self._by_database.setdefault(known.database, []).append(known.table)
        here = nearest(name.table, self._by_database.get(name.database, ()))
        if here is not None:
            return f"did you mean '{name.database}.{here}'? If it was renamed, rename it here too"
        elsewhere = sorted(database for database, names in self._by_database.items() if name.table in names)
        if elsewhere:
            return f"did you mean '{elsewhere[0]}.{name.table}'? If it was moved, move it here too"
        if name.database not in self._by_database:
            hint = did_you_mean(name.database, self._by_database)
            return f"there is no database {name.database!r}; {hint}" if hint else f"no database {name.database!r}"
        return "remove the entry, or write `state: absent` to take its documentation away"


Described = Placed[TableDocumentation] | Placed[TableTags]


def _orphans(described: Mapping[TableName, Described], known: _Known, how: str) -> Iterator[SpecFinding]:
    for name, entry in described.items():
        if name not in known.tables:
            if not entry.value.absent:
                message = f"the table {name} is {how} and does not exist"
                yield SpecFinding.at(entry.at, message, known.suggestion(name))
            continue
        yield from _ambiguous(entry, known.tables[name])
        for column, place in _columns(entry):
            if not column.absent:
                yield from _orphan_column(ColumnRef(name, column.name), known, place, how)


def _columns(entry: Described) -> Iterator[tuple[ColumnDocumentation | ColumnTags, Place]]:
    return zip(entry.value.columns, entry.columns, strict=True)


def _orphan_column(ref: ColumnRef, known: _Known, place: Place, how: str) -> Iterator[SpecFinding]:
    if known.has(ref.table, ref.column):
        return
    hint = did_you_mean(ref.column, known.columns(ref.table), "remove it, or look for its new name")
    yield SpecFinding.at(place, f"the column {ref} is {how} and does not exist", hint)


def _ambiguous(entry: Described, table: Table) -> Iterator[SpecFinding]:
    """Engines that tell case apart can hold two columns that a spec cannot tell apart."""
    written: dict[str, list[str]] = {}
    for known in table.all_columns:
        written.setdefault(known.name.lower(), []).append(known.name)
    for column, place in _columns(entry):
        names = written.get(column.name, [])
        if len(names) > 1:
            message = f"{column.name!r} means {len(names)} columns that differ in case only: {', '.join(names)}"
            yield SpecFinding.at(place, message, "rename one of them in the table", "warning")


def _lineage(specs: SpecSet, known: _Known) -> Iterator[SpecFinding]:
    for job in specs.jobs.values():
        for table in sorted({*job.value.inputs, *job.value.outputs}):
            yield from _unknown_table(table, job.at, job.value.name, known)
        for edge, place in zip(job.value.columns, job.columns, strict=True):
            for ref in (edge.to, *edge.sources):
                if ref.table in known.tables:
                    yield from _orphan_column(ref, known, place, "part of declared lineage")
                else:
                    yield from _unknown_table(ref.table, place, job.value.name, known)


def _unknown_table(table: TableName, place: Place, job: str, known: _Known) -> Iterator[SpecFinding]:
    """A warning only: a job may well read or fill a table of another warehouse."""
    if table not in known.tables:
        message = f"the job {job!r} names the table {table}, which does not exist here"
        yield SpecFinding.at(place, message, known.suggestion(table), "warning")


def check_rules(
    rules: Iterable[Placed[TagRule]], names: Collection[TableName], tables: Mapping[TableName, Table]
) -> tuple[SpecFinding, ...]:
    """Warnings about tag rules that match nothing.

    Args:
        rules: those to look at.
        names: all tables that there are.
        tables: the schemas of at least those that a rule may name columns of.
    """
    return tuple(_idle_rules(rules, names, _Known(tables)))


def _idle_rules(rules: Iterable[Placed[TagRule]], names: Collection[TableName], known: _Known) -> Iterator[SpecFinding]:
    for rule in rules:
        if not _matches(rule.value.match, names, known):
            message = f"the rule {str(rule.value.match)!r} matches nothing"
            yield SpecFinding.at(rule.at, message, "correct the pattern, or remove the rule", "warning")


def _matches(pattern: NamePattern, tables: Iterable[TableName], known: _Known) -> bool:
    for table in tables:
        if not pattern.matches_table(table):
            continue
        if pattern.column is None or pattern.columns_among(table, known.columns(table)):
            return True
    return False
