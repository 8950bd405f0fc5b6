"""What commands print: JSON for machines, tables for people, progress on a terminal."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from metadata_assets.errors import SelectionError
from metadata_assets.model.pattern import Selection

SELECT = click.option(
    "--select",
    "select",
    multiple=True,
    metavar="PATTERN",
    help="Tables: db, db.table, globs (* and ?), !pattern to leave out, @FILE with a pattern a line. May be repeated.",
)
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Machine output on standard output.")


def parse_select(patterns: Sequence[str]) -> tuple[str, ...]:
    """Selections as patterns; `@FILE` is read, blank lines and lines with # are passed over.

    Raises:
        SelectionError: a file or a pattern cannot be read.
    """
    found = tuple(p.lower() for pattern in patterns for p in _expanded(pattern))
    Selection.parse(found)
    return found


def _expanded(pattern: str) -> list[str]:
    if not pattern.startswith("@"):
        return [pattern.strip()]
    try:
        lines = Path(pattern[1:]).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SelectionError(f"cannot read the selection file {pattern[1:]}: {error}") from error
    return [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]


def print_json(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, default=str))


def print_table(header: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> None:
    """A table on standard output. Text from outside is data: no markup, no control characters."""
    table = Table(title=title or None, title_justify="left")
    for position, name in enumerate(header):
        table.add_column(name, no_wrap=position == 0, overflow="fold")
    for row in rows:
        table.add_row(*(escape(clean(str(cell))) if cell is not None else "" for cell in row))
    width = None if sys.stdout.isatty() else 200
    Console(width=width, highlight=False).print(table)


def clean(text: str) -> str:
    """Text without control characters, which could move the cursor or change a terminal's state."""
    return "".join(c if c.isprintable() or c == "\n" else "�" for c in text)


def to_time(seconds: float | None) -> str:
    return "" if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")


@contextmanager
def progress(total: int, what: str) -> Iterator[Callable[[str], None]]:
    """A bar on a terminal, plain lines elsewhere; both on standard error. Call the result before each step."""
    if not sys.stderr.isatty():
        yield lambda step: click.echo(f"{datetime.now(UTC):%H:%M:%S} {step}", err=True)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        begun = [False]

        def step(text: str) -> None:
            bar.update(task, description=text, advance=1 if begun[0] else 0)
            begun[0] = True

        yield step
