"""Noting that something was looked at again and is as it was."""

import time
from collections.abc import Mapping

from sqlalchemy import Engine, bindparam, update

from metadata_assets.store.engine import writing
from metadata_assets.store.tables import fact_heads


def note_seen(engine: Engine, kind: str, hashes: Mapping[str, str]) -> None:
    """Move the time at which subjects were last seen; their order keys stay, since a look bars no reading.

    Args:
        engine: of the store.
        kind: of their facts.
        hashes: subject → hash of what was seen. A subject of which something else is known by now keeps its time.
    """
    rows = [{"b_subject": subject, "b_hash": digest} for subject, digest in sorted(hashes.items())]
    if not rows:
        return
    same = (fact_heads.c.subject == bindparam("b_subject")) & (fact_heads.c.content_hash == bindparam("b_hash"))
    with writing(engine) as connection:
        here = (fact_heads.c.kind == kind) & same
        connection.execute(update(fact_heads).where(here).values(seen_at=time.time()), rows)
