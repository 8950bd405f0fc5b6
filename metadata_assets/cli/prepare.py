"""Command that makes Dagster's home ready for the UI."""

import os

import click

from metadata_assets.cli.output import say


@click.command()
def prepare() -> None:
    """Write Dagster's home with its settings where they are missing; `make ui` calls this before it starts the UI."""
    from metadata_assets.defs import launch

    say(f"Dagster's home is {launch.prepare(os.environ)}", err=True)
