"""Command on data: profiles of Parquet files, or of tables of the deployment. It starts without Dagster."""

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import click

from metadata_assets.cli.output import AS_JSON, print_json, print_table, say
from metadata_assets.errors import MetadataError, Permanent, SelectionError
from metadata_assets.isolation import guarded
from metadata_assets.model.finding import ColumnProfile, Finding, TableProfile
from metadata_assets.model.table import Table, TableName

_SAMPLE_ROWS = 500


@dataclass(frozen=True, slots=True)
class _Task:
    """One thing to profile: `kind` is `file` or `table`, `run` does it."""

    kind: str
    name: str
    run: Callable[[], TableProfile]


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True))
@click.option("--table", "tables", multiple=True, metavar="TABLE", help="A table of the deployment; may be repeated.")
@AS_JSON
def profile(paths: tuple[str, ...], tables: tuple[str, ...], *, as_json: bool) -> None:
    """Profile Parquet files, each for itself: aggregates a column, and suspected personal data with counts.

    Of a PATH that is a folder, every Parquet file below it. No value is printed. Exit status 1 when something cannot be
    read. The number of distinct values is an estimate.
    """
    if not paths and not tables:
        raise SelectionError("nothing to profile: name Parquet files or folders, or tables with --table")
    failed = False
    for task in [*_file_tasks(paths), *_table_tasks(tables)]:
        outcome = guarded(task.name, task.run)
        if outcome.error is not None:
            failed = True
            told = str(outcome.error)
            say(told if told.startswith(task.name) else f"{task.name}: {told}", err=True)
        else:
            found = outcome.unwrap()
            failed = failed or bool(found.unread)
            for problem in found.unread:
                say(f"{task.name}: left out: {problem}", err=True)
            _print(task, found, as_json=as_json)
    if failed:
        sys.exit(1)


def _file_tasks(paths: tuple[str, ...]) -> Iterator[_Task]:
    from metadata_assets.profiling.parquet import ParquetFiles
    from metadata_assets.profiling.table import profile_data

    def refuse(error: MetadataError) -> TableProfile:
        raise error

    for name in paths:
        try:
            files = _data_files(Path(name))
        except MetadataError as error:  # of this one: the others are profiled all the same
            yield _Task("file", name, partial(refuse, error))
            continue
        for file in files:
            yield _Task("file", file, partial(profile_data, ParquetFiles((file,)), _SAMPLE_ROWS))


def _data_files(path: Path) -> list[str]:
    """The file, or the Parquet files below the folder.

    Raises:
        Permanent, Transient: there are none, or the folder cannot be listed.
    """
    from metadata_assets.sources.files.client import parquet_files
    from metadata_assets.sources.trees import Tree, is_folder

    if not is_folder(path):
        return [str(path)]
    found = parquet_files(Tree(path), path)
    if not found:
        raise Permanent(f"{path}: no Parquet files in this folder")
    return found


def _table_tasks(names: tuple[str, ...]) -> list[_Task]:
    from metadata_assets.profiling.table import profile_table
    from metadata_assets.stages.deployment import opened
    from metadata_assets.store.queries import nothing_known

    if not names:
        return []
    with opened(os.environ) as deployment:
        known = {t.name: t for t in deployment.store.facts.contents("schema").values()}
        nothing = nothing_known(deployment.store)
        samples = deployment.samples()
        rows = deployment.platform.policies.pii.sample_rows
    if samples is None:
        raise SelectionError("this deployment reads no table data: set `samples` in the platform file")

    if not known:
        raise SelectionError(f"no table is known: {nothing}")

    def run(table: Table) -> TableProfile:
        return profile_table(table, samples.find_data(table), rows)

    return [_Task("table", str(t.name), partial(run, t)) for t in (_find(name, known) for name in names)]


def _find(text: str, known: dict[TableName, Table]) -> Table:
    from metadata_assets.model.suggestions import did_you_mean
    from metadata_assets.store.queries import parse_table

    name = parse_table(text)
    if name not in known:
        hint = did_you_mean(str(name), {str(n) for n in known}, "`metadata-assets status` lists those that are")
        raise SelectionError(f"no table {name} is known ({hint})")
    return known[name]


def _print(task: _Task, found: TableProfile, *, as_json: bool) -> None:
    findings: dict[str, list[Finding]] = {}
    for finding in found.findings:
        findings.setdefault(finding.column, []).append(finding)
    # A table without data has findings and no columns: its names are judged alone.
    columns = {c.column: c for c in found.columns}
    named = [*columns, *(name for name in findings if name not in columns)]
    if as_json:
        shown = [_to_json(name, columns.get(name), findings.get(name, [])) for name in named]
        facts = {task.kind: task.name, "rows": found.rows_read, "columns": shown}
        print_json({**facts, "notes": list(found.notes), "unread": list(found.unread)})
        return
    rows = [row for name in named for row in _to_rows(name, columns.get(name), findings.get(name, []))]
    print_table(("column", "null", "distinct", "tag", "band", "passed"), rows, title=task.name)
    for note in found.notes:
        say(f"  note: {note}")


def _to_json(name: str, column: ColumnProfile | None, findings: list[Finding]) -> dict[str, object]:
    facts = asdict(column) if column is not None else {"column": name}
    return {**facts, "findings": [{k: v for k, v in asdict(f).items() if k != "column"} for f in findings]}


def _estimate(column: ColumnProfile) -> str:
    """Nothing and one can be said for sure."""
    return f"≈{column.distinct}" if column.distinct > 1 else str(column.distinct)


def _to_rows(name: str, column: ColumnProfile | None, findings: list[Finding]) -> Iterator[tuple[object, ...]]:
    """A row for each finding, which repeats nothing of the first."""
    head = (name, f"{column.null_share:.0%}", _estimate(column)) if column is not None else (name, "", "")
    told: list[tuple[str, str, str]] = [(f.tag, f.band, f"{f.matched} of {f.distinct}") for f in findings]
    told = told or [("", "", "")]
    yield (*head, *told[0])
    yield from (("", "", "", *more) for more in told[1:])
