"""Taking old history out of the store."""

import time

from sqlalchemy import ColumnElement, Engine, and_, delete, exists, func, select

from metadata_assets.store.engine import writing
from metadata_assets.store.outbox import KEPT_SECONDS
from metadata_assets.store.tables import (
    column_moves,
    data_changes,
    dead_letters,
    event_heads,
    events,
    fact_heads,
    facts,
    moves,
    notice_deliveries,
    notices,
    outbox,
    stage_counts,
)
from metadata_assets.store.work import Work

PRUNED_STATE = "history pruned before"  # epoch seconds: what was true before then can no longer be told


def prune(engine: Engine, seconds: float) -> dict[str, int]:
    """Remove what is older than `seconds` and no longer needed.

    Returns:
        Kind of row → how many were removed. What was in force at any time within `seconds` stays, and so does the
        newest fact of every subject, whatever its age, and all decisions.
    """
    limit = time.time() - seconds
    newest = select(fact_heads.c.fact_id).where(fact_heads.c.fact_id.is_not(None))
    later = facts.alias("later")
    # A version was in force until the next one came: an old one may still tell what held within the time that is kept.
    superseded = exists().where(
        later.c.kind == facts.c.kind,
        later.c.subject == facts.c.subject,
        later.c.id > facts.c.id,
        later.c.recorded_at < limit,
    )
    # A life that no rename touches says nothing of names: scratch tables are made and dropped by the thousand.
    renamed = select(moves.c.subject).where(moves.c.what == "renamed")
    taken = select(moves.c.previous).where(moves.c.what == "renamed", moves.c.previous.is_not(None))
    plain = (moves.c.what != "renamed", moves.c.subject.not_in(renamed), moves.c.subject.not_in(taken))
    # Names of columns matter as long as the table is known, or another one has what was said of it.
    living = select(fact_heads.c.subject).where(fact_heads.c.kind == "schema", fact_heads.c.content_hash != "")
    forgotten = (column_moves.c.subject.not_in(living), column_moves.c.subject.not_in(taken))
    asked = func.coalesce(data_changes.c.asked_at, 0.0)  # a request alone has no change of data
    statements = {
        "superseded facts": delete(facts).where(superseded, facts.c.id.not_in(newest)),
        "finished events": delete(events).where(events.c.done_at < limit),
        "replayed dead letters": delete(dead_letters).where(dead_letters.c.replayed_at < limit),
        "stage counts": delete(stage_counts).where(stage_counts.c.at < limit),
        "lives of tables": delete(moves).where(moves.c.occurred_at < limit, *plain),
        "names of columns": delete(column_moves).where(column_moves.c.occurred_at < limit, *forgotten),
        "newest events of tables": delete(event_heads).where(event_heads.c.occurred_at < limit),
        "changes of data": delete(data_changes).where(data_changes.c.at < limit, asked < limit),
        "events for listeners": delete(outbox).where(outbox.c.stored_at < min(limit, time.time() - KEPT_SECONDS)),
        "notices": delete(notices).where(notices.c.at < limit),
        "deliveries of notices": delete(notice_deliveries).where(notice_deliveries.c.key.not_in(select(notices.c.key))),
    }
    _remember(engine, limit, and_(superseded, facts.c.id.not_in(newest)))
    with writing(engine) as connection:
        return {name: connection.execute(statement).rowcount for name, statement in statements.items()}


def _remember(engine: Engine, limit: float, to_go: ColumnElement[bool]) -> None:
    """Before anything goes, since a prune may end half-way; where no fact is to go all that was true is still known."""
    with engine.connect() as connection:
        if connection.scalar(select(facts.c.id).where(to_go).limit(1)) is None:
            return
    work = Work(engine)
    work.set_state(PRUNED_STATE, max(limit, work.state(PRUNED_STATE) or 0.0))
