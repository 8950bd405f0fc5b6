"""Code location 2: every table of the lake as an external asset, so that people can walk the warehouse in the UI."""

import os

import dagster as dg

from metadata_assets.defs.lake import build_lake


@dg.definitions
def defs() -> dg.Definitions:
    return build_lake(os.environ)
