"""Noting that something was looked at again and is as it was."""

import time
from collections.abc import Mapping, Sequence

from sqlalchemy import ColumnElement, Engine, bindparam, select, update

from metadata_assets.store.engine import chunks, writing
from metadata_assets.store.tables import fact_heads


def note_seen(engine: Engine, kind: str, hashes: Mapping[str, str]) -> None:
    """Move the time at which subjects were last seen; their order keys stay, since a look bars no reading.

    Args:
        engine: of the store.
        kind: of their facts.
        hashes: subject → hash of what was seen. A subject of which something else is known by now keeps its time.
    """
    same = (fact_heads.c.subject == bindparam("b_subject")) & (fact_heads.c.content_hash == bindparam("b_hash"))
    for part in chunks(sorted(hashes)):
        _note(engine, kind, same, [{"b_subject": subject, "b_hash": hashes[subject]} for subject in part])


def _note(engine: Engine, kind: str, same: ColumnElement[bool], rows: Sequence[Mapping[str, str]]) -> None:
    these = (fact_heads.c.kind == kind) & fact_heads.c.subject.in_([row["b_subject"] for row in rows])
    with writing(engine) as connection:
        # In the order of the database, as facts are put: else the two would wait for each other in a circle.
        connection.execute(select(fact_heads.c.subject).where(these).order_by(fact_heads.c.subject).with_for_update())
        here = (fact_heads.c.kind == kind) & same
        connection.execute(update(fact_heads).where(here).values(seen_at=time.time()), rows)
