"""Command on SQL files at hand: lineage. It starts without Dagster."""

import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from metadata_assets.cli.output import AS_JSON, print_json, say
from metadata_assets.errors import MetadataError
from metadata_assets.model.lineage import StatementLineage
from metadata_assets.model.table import Table, TableName

if TYPE_CHECKING:
    from metadata_assets.lineage.messages import ScriptText
    from metadata_assets.sources.base import TextFile


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True))
@click.option("--dialect", default="spark", show_default=True, type=click.Choice(["hive", "spark", "trino"]))
@click.option(
    "--jsonl", is_flag=True, help="Answer cases from standard input, a line of JSON each, on standard output."
)
@click.option(
    "--views",
    default="expand",
    show_default=True,
    type=click.Choice(["stop", "expand"]),
    help="With --jsonl: whether lineage stops at the views of a case or goes through them.",
)
@AS_JSON
def lineage(paths: tuple[str, ...], dialect: str, *, jsonl: bool, views: str, as_json: bool) -> None:
    """Read SQL: a status for each statement, and the edges between tables and columns.

    Of a PATH that is a folder, every *.sql and *.hql file below it. Tables that the last backfill knew resolve stars
    and positions. Exit status 1 when a statement has less than full lineage, or something cannot be read.
    """
    if bool(paths) == jsonl:
        raise click.UsageError("name files or folders of SQL, or give cases on standard input with --jsonl")
    if jsonl:
        _answer_cases(sys.stdin.buffer, expand_views=views == "expand")
        return
    from metadata_assets.lineage.script import infer_script

    known = _known_tables()
    complete = True
    for text in _texts(paths):
        if text.error:
            complete = False
            say(text.error, err=True)
        for statement in infer_script(text.name, text.sql, dialect, known).statements:
            complete &= statement.status in ("lineage", "no_lineage")
            _print_statement(statement, as_json=as_json)
    if not complete:
        sys.exit(1)


def _answer_cases(lines: Iterable[bytes], *, expand_views: bool) -> None:
    """An answer a case, in the order of the cases; an empty line is none."""
    from metadata_assets.lineage.contract import Case, answer, parse_case
    from metadata_assets.lineage.workers import read_scripts

    waiting: deque[Case] = deque()

    def texts() -> "Iterator[ScriptText]":
        for line in lines:
            if line.strip():
                waiting.append(parse_case(line.decode(errors="replace"), expand_views=expand_views))
                yield waiting[-1].script

    for script in read_scripts(texts(), {}):
        print_json(answer(waiting.popleft(), script))


@dataclass(frozen=True, slots=True)
class _Text:
    """SQL at hand, or why it cannot be had."""

    name: str
    sql: str = ""
    error: str = ""


def _texts(paths: tuple[str, ...]) -> Iterator[_Text]:
    """What is in the files and folders, those that cannot be read among them: they keep nobody from the others."""
    for path in paths:
        try:
            files = list(_files(Path(path)))
        except MetadataError as error:
            yield _Text(path, error=str(error))
            continue
        yield from map(_read, files)
        if not files:
            yield _Text(path, error=f"{path}: no SQL files in this folder")


def _files(path: Path) -> Iterator["TextFile"]:
    """The file, or those below the folder as the pipeline reads them, under names that are right from here."""
    from metadata_assets.sources.folder.client import Folder, read_text_file
    from metadata_assets.sources.trees import is_folder
    from metadata_assets.stages.deployment import JOB_SUFFIXES

    if is_folder(path):
        folder = Folder(path, JOB_SUFFIXES)
        yield from (replace(file, path=folder.locate(file.path)) for file in folder.read_files())
    elif (file := read_text_file(path, str(path))) is not None:
        yield file


def _read(file: "TextFile") -> _Text:
    from metadata_assets.sources.trees import UnreadableFile

    try:
        return _Text(file.path, file.to_text())
    except UnreadableFile as error:
        told = str(error)
        return _Text(file.path, error=told if told.startswith(file.path) else f"{file.path}: {told}")


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
