"""Command on SQL files at hand: lineage. It starts without Dagster."""

import os
import sys
from pathlib import Path

import click

from metadata_assets.cli.output import AS_JSON, print_json, say
from metadata_assets.errors import MetadataError, SelectionError
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
    """Schemas of the deployment's store. A file can be read without any, so what stands in the way is only told."""
    try:
        known, reason = _stored_tables()
    except MetadataError as error:
        known, reason = {}, str(error)
    if not known:
        say(f"no schemas are known, so stars and positions are not resolved: {reason}", err=True)
    return known


def _stored_tables() -> tuple[dict[TableName, Table], str]:
    """The tables in the store, and what to say where there is none."""
    from metadata_assets.model.surroundings import Surroundings
    from metadata_assets.stages.deployment import home_folder, opened, platform_file, read_platform, store_url
    from metadata_assets.store.queries import nothing_at, nothing_known

    path = platform_file(os.environ)
    url = store_url(read_platform(path), Surroundings(os.environ, path.parent, home_folder(os.environ)))
    # Reading a file of SQL is no reason to make a store.
    if url.startswith("sqlite:///") and not Path(url.removeprefix("sqlite:///")).exists():
        return {}, nothing_at(url.removeprefix("sqlite:///"))
    with opened(os.environ) as deployment:
        store = deployment.store
        return {t.name: t for t in store.facts.contents("schema").values()}, nothing_known(store)


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
    say(f"{statement.place}: {statement.verb}: {statement.status}{reason}")
    for edge in statement.columns:
        say(f"  {edge.target} ← {edge.source}  ({edge.kind}, {edge.transform})")
