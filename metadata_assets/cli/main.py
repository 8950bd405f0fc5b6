"""The group of commands, and what holds for all: errors in one line, exit status 0 done, 1 findings, 2 wrong use."""

import logging
import sys
from typing import Any

import click

from metadata_assets import __version__
from metadata_assets.cli.catalog import backfill, plan, prune
from metadata_assets.cli.entries import explain, history, impact, rollback, show
from metadata_assets.cli.prepare import prepare
from metadata_assets.cli.profile import profile
from metadata_assets.cli.replay import replay
from metadata_assets.cli.specs import check, schema
from metadata_assets.cli.sql import lineage
from metadata_assets.cli.status import status
from metadata_assets.errors import MetadataError, SelectionError


class _Commands(click.Group):
    """Turns our errors into one line on standard error and the exit status that scripts rely on."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except SelectionError as error:
            raise click.UsageError(str(error)) from error
        except MetadataError as error:
            click.echo(f"{type(error).__name__}: {error}", err=True)
            ctx.exit(1)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="metadata-assets")
def main() -> None:
    """Keep a lakehouse's metadata true.

    The deployment is read from the file that METADATA_PLATFORM names (without it: the shipped sample lakehouse); state
    lives under METADATA_HOME (without it: ./.metadata). Exit status: 0 done, 1 findings or failures, 2 wrong use.
    """
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")


_COMMANDS = (
    backfill, plan, status, replay, show, explain, impact, history, rollback, prune, check, schema, lineage, profile,
    prepare,
)  # fmt: skip
for command in _COMMANDS:
    main.add_command(command)
