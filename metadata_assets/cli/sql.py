"""Commands on files at hand: lineage of SQL, profiles of data. They start without Dagster."""

import os
import sys
from functools import partial
from pathlib import Path

import click

from metadata_assets.cli.output import AS_JSON, print_json, print_table
from metadata_assets.errors import SelectionError
from metadata_assets.model.lineage import StatementLineage
from metadata_assets.model.table import Table, TableName


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False))
@click.option("--dialect", default="spark", show_default=True, type=click.Choice(["hive", "spark", "trino"]))
@AS_JSON
def lineage(files: tuple[str, ...], dialect: str, *, as_json: bool) -> None:
    """Read SQL FILES: a status for each statement, and the edges between tables and columns.

    Tables that the last backfill knew resolve stars and positions. Exit status 1 when a statement has less than full
    lineage.
    """
    from metadata_assets.lineage.script import infer_script

    known = _known_tables()
    incomplete = False
    for name in files:
        try:
            text = Path(name).read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise SelectionError(f"cannot read {name}: {error}") from error
        for statement in infer_script(name, text, dialect, known).statements:
            incomplete |= statement.status not in ("lineage", "no_lineage")
            _print_statement(statement, as_json=as_json)
    if incomplete:
        sys.exit(1)


def _known_tables() -> dict[TableName, Table]:
    """Schemas of the store where there is one: a file can be read without any."""
    from metadata_assets.stages.deployment import home_folder, opened

    if "METADATA_STORE_URL" not in os.environ and not (home_folder(os.environ) / "store.db").exists():
        return {}
    with opened(os.environ) as deployment:
        return {t.name: t for t in deployment.store.facts.contents("schema").values()}


def _print_statement(statement: StatementLineage, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "file": statement.place.file,
                "line": statement.place.line,
                "verb": statement.verb,
                "status": statement.status,
                "reason": statement.reason,
                "inputs": [str(t) for t in statement.inputs],
                "outputs": [str(t) for t in statement.outputs],
                "columns": [
                    {"from": str(e.source), "to": str(e.target), "kind": e.kind, "transform": e.transform}
                    for e in statement.columns
                ],
                "unresolved": list(statement.unresolved),
            }
        )
        return
    reason = f": {statement.reason}" if statement.reason else ""
    click.echo(f"{statement.place}: {statement.verb}: {statement.status}{reason}")
    for edge in statement.columns:
        click.echo(f"  {edge.target} ← {edge.source}  ({edge.kind}, {edge.transform})")


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True))
@AS_JSON
def profile(paths: tuple[str, ...], *, as_json: bool) -> None:
    """Profile Parquet files: aggregates a column, and suspected personal data with counts. No value is printed."""
    from metadata_assets.isolation import guarded
    from metadata_assets.profiling.table import profile_files

    failed = False
    for name in paths:
        outcome = guarded(name, partial(profile_files, name))
        if outcome.error is not None:
            failed = True
            click.echo(str(outcome.error), err=True)
            continue
        found = outcome.unwrap()
        findings = {f.column: f for f in found.findings}
        if as_json:
            columns = [
                {
                    "column": c.column,
                    "rows": c.rows,
                    "nulls": c.nulls,
                    "distinct": c.distinct,
                    "tag": findings[c.column].tag if c.column in findings else None,
                    "band": findings[c.column].band if c.column in findings else None,
                }
                for c in found.columns
            ]
            print_json({"file": name, "rows": found.rows_read, "columns": columns})
            continue
        rows = [(c.column, f"{c.null_share:.0%}", c.distinct, *_finding(findings.get(c.column))) for c in found.columns]
        print_table(("column", "null", "distinct", "tag", "band", "passed"), rows, title=name)
    if failed:
        sys.exit(1)


def _finding(finding: object) -> tuple[str, str, str]:
    from metadata_assets.model.finding import Finding

    if not isinstance(finding, Finding):
        return ("", "", "")
    return (finding.tag, finding.band, f"{finding.matched} of {finding.distinct}")
