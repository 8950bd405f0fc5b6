"""Code location 1: the pipeline of the deployment that the environment names."""

import os

import dagster as dg

from metadata_assets.defs.assembly import build_definitions


@dg.definitions
def defs() -> dg.Definitions:
    return build_definitions(os.environ)
