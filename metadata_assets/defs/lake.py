"""The definitions of location `hive_catalog`, from the store's snapshot."""

import logging
from collections.abc import Mapping

import dagster as dg

from metadata_assets.defs.tables import table_specs
from metadata_assets.stages.deployment import opened

# Beyond this the UI's graph and the location's load time suffer; the catalog itself has no such limit.
CAP = 5000


def build_lake(environ: Mapping[str, str]) -> dg.Definitions:
    """External assets for up to `CAP` tables in alphabetical order; the rest is counted in a message."""
    with opened(environ) as deployment:
        facts = deployment.store.facts
        known = sorted(facts.hashes("entry"))
        entries = facts.contents("entry", known[:CAP])
    if len(known) > CAP:
        logging.getLogger(__name__).warning(
            "hive_catalog shows %d of %d tables; all of them are in the catalog and its destinations",
            CAP,
            len(known),
        )
    return dg.Definitions(assets=table_specs(entries.values()))
