"""The group of commands, and what holds for all: errors in one line, exit status 0 done, 1 findings, 2 wrong use."""

import errno
import logging
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from metadata_assets import __version__
from metadata_assets.cli.catalog import backfill, plan, prune
from metadata_assets.cli.entries import explain, history, impact, rollback, show
from metadata_assets.cli.output import clean, say
from metadata_assets.cli.prepare import prepare
from metadata_assets.cli.profile import profile
from metadata_assets.cli.replay import replay
from metadata_assets.cli.specs import check, schema
from metadata_assets.cli.sql import lineage
from metadata_assets.cli.status import status
from metadata_assets.errors import MetadataError, PlatformError, SelectionError


class _Commands(click.Group):
    """Turns our errors, and those of the system, into lines on standard error and the exit status that scripts rely on.

    Errors of the program itself stay what they are: their stack is for who mends it.
    """

    def main(self, *args: Any, **extra: Any) -> Any:
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):  # a terminal that cannot show an arrow is no reason to fail
                stream.reconfigure(errors="backslashreplace")
        try:
            return super().main(*args, **extra)
        except OSError as error:
            _tell_of_system(error)
            sys.exit(1)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except SelectionError as error:
            raise click.UsageError(clean(str(error))) from error
        except PlatformError as error:
            say(f"{type(error).__name__}: {error}", err=True)
            ctx.exit(2)
        except MetadataError as error:
            say(f"{type(error).__name__}: {error}", err=True)
            ctx.exit(1)


def _tell_of_system(error: OSError) -> None:
    """Say what the system refused, and where. Nobody is told who closed the pipe that he was to be told through."""
    _abandon_output()
    if error.errno != errno.EPIPE:
        with suppress(OSError):
            place = f"{error.filename}: " if error.filename else ""
            say(f"{place}{error.strerror or type(error).__name__}", err=True)


def _abandon_output() -> None:
    """What still waits for a standard output that takes no more goes nowhere: Python would try again when it ends, and
    fail with a status of its own."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        with suppress(OSError), Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="metadata-assets")
def main() -> None:
    """Keep a lakehouse's metadata true.

    The deployment is read from the file that METADATA_PLATFORM names (without it: the shipped sample lakehouse); state
    lives under METADATA_HOME (without it: ./.metadata). Exit status: 0 done, 1 findings or failures, 2 wrong use,
    of the platform file and the environment too.
    """
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")


_COMMANDS = (
    backfill, plan, status, replay, show, explain, impact, history, rollback, prune, check, schema, lineage, profile,
    prepare,
)  # fmt: skip
for command in _COMMANDS:
    main.add_command(command)
