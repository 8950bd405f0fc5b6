"""Command that makes Dagster's home ready for the UI."""

import os

import click


@click.command()
def prepare() -> None:
    """Write Dagster's home with its settings where they are missing; `make ui` calls this before it starts the UI."""
    from metadata_assets.defs.home import dagster_home, prepare_home

    prepare_home(os.environ)
    click.echo(f"Dagster's home is {dagster_home(os.environ)}", err=True)
