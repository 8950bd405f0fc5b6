"""The command line, thin over the same functions as the UI and the sensors.

Commands import what they need when they run: `check`, `lineage` and `profile` must start without Dagster.
"""

from metadata_assets.cli.main import main

__all__ = ["main"]
