"""What commands print: JSON for machines, tables and lines for people, progress on a terminal.

All that is printed passes through here: text from outside is data, never markup and never a command to a terminal.
Standard output holds the answer and, with `--json`, nothing but JSON; errors and remarks go to standard error.
"""

import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from metadata_assets.errors import SelectionError
from metadata_assets.model.pattern import Selection

if TYPE_CHECKING:
    from metadata_assets.config import Platform

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


def say(text: str, *, err: bool = False) -> None:
    """Print a line, or some, on standard output or standard error; control characters are taken out."""
    with _printing("standard error" if err else "standard output"):
        click.echo(clean(text), err=err)


def remark(lines: Iterable[str]) -> None:
    """Print what people should know beside the answer, on standard error."""
    for line in lines:
        say(line, err=True)


def advise(platform: "Platform") -> None:
    """Say what a platform file allows and nobody means, on standard error."""
    remark(f"warning: {a.message} ({a.hint})" for a in platform.advice())


def print_json(value: Any) -> None:
    """One line of JSON. Characters that the encoding of standard output lacks, halves of some too, are escaped."""
    text = _dumped(value, ascii_only=False)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = _dumped(value, ascii_only=True)
    with _printing():
        click.echo(text)


def _dumped(value: Any, *, ascii_only: bool) -> str:
    try:
        return json.dumps(value, ensure_ascii=ascii_only, default=str, allow_nan=False)
    except ValueError:  # .nan and .inf, which YAML has and JSON has not
        return json.dumps(_finite(value), ensure_ascii=ascii_only, default=str)


def _finite(value: Any) -> Any:
    match value:
        case float() if not math.isfinite(value):
            return str(value)
        case dict():
            return {key: _finite(item) for key, item in value.items()}
        case list() | tuple():
            return [_finite(item) for item in value]
    return value


def print_exactly(text: str) -> None:
    """Print what another program will read, byte for byte as it was read (with `surrogateescape`)."""
    with _printing():
        click.echo(text.encode("utf-8", "surrogateescape"), nl=False)


def print_table(header: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> None:
    """A table on standard output."""
    table = Table(title=clean(title) or None, title_justify="left")
    for position, name in enumerate(header):
        table.add_column(clean(name), no_wrap=position == 0, overflow="fold")
    for row in rows:
        table.add_row(*(clean(str(cell)) if cell is not None else "" for cell in row))
    width = None if is_terminal(sys.stdout) else 200
    with _printing():
        Console(width=width, highlight=False, markup=False, emoji=False).print(table)


@contextmanager
def _printing(place: str = "standard output") -> Iterator[None]:
    """Gives the place to an error of printing, which the system leaves without one."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, place) from error


def is_terminal(stream: TextIO | None) -> bool:
    """Whether people look at it; there is no stream where the caller closed it."""
    return stream is not None and stream.isatty()


def clean(text: str) -> str:
    """Text without control characters, which could move the cursor or change a terminal's state."""
    return "".join(c if c.isprintable() or c == "\n" else "�" for c in text)


def to_time(seconds: float | None) -> str:
    return "" if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")


@contextmanager
def progress(total: int, what: str) -> Iterator[Callable[[str], None]]:
    """A bar on a terminal, plain lines elsewhere; both on standard error. Call the result before each step."""
    if not is_terminal(sys.stderr):
        yield lambda step: say(f"{datetime.now(UTC):%H:%M:%S} {step}", err=True)
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        begun = [False]

        def step(text: str) -> None:
            bar.update(task, description=clean(text), advance=1 if begun[0] else 0)
            begun[0] = True

        yield step
