"""What a destination still lacks: wanted entries that differ from what it was last given, whatever the reason."""

from sqlalchemy import Engine, and_, func, or_, select

from metadata_assets.store.published import retry_at
from metadata_assets.store.tables import fact_heads, published

# Kinds of facts that are published as they are: their hashes are those of the entries that destinations are given.
_PUBLISHED_KINDS = ("entry", "database", "category", "term")


def lagging(engine: Engine, destination: str, now: float) -> list[str]:
    """Subjects that the destination should be given now, ordered.

    A subject whose last try failed is left out until its next try is due. Nothing is remembered for this: a process
    that was killed, a destination that is new in the platform file and one that was down all look the same here.
    """
    here = and_(published.c.destination == destination, published.c.subject == fact_heads.c.subject)
    wanted, held = fact_heads.c.content_hash, func.coalesce(published.c.content_hash, "")
    query = (
        select(fact_heads.c.subject, published.c.attempts, published.c.failed_at)
        .outerjoin(published, here)
        .where(fact_heads.c.kind.in_(_PUBLISHED_KINDS))
        .where(or_(wanted != held, published.c.failed_at.is_not(None)))
        .order_by(fact_heads.c.subject)
    )
    with engine.connect() as connection:
        rows = connection.execute(query).all()
    return [r.subject for r in rows if retry_at(r.failed_at, r.attempts or 0) <= now]
