"""The first tables of the store."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def _number() -> sa.Column[int]:
    """A key that counts up; on SQLite the tables with it need `sqlite_autoincrement`."""
    kind = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    return sa.Column("id", kind, primary_key=True, autoincrement=True)


def _key(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, primary_key=True)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False)


def _whole(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, nullable=False)


def _time(name: str) -> sa.Column[float]:
    return sa.Column(name, sa.Float, nullable=False)


def upgrade() -> None:
    _create_facts()
    _create_published()
    _create_inbox()
    _create_work()
    _create_runs()


def _create_facts() -> None:
    op.create_table(
        "facts",
        _number(),
        _text("kind"),
        _text("subject"),
        _text("content_hash"),
        sa.Column("content", sa.Text),
        _text("source"),
        _whole("order_key"),
        _text("run_id"),
        _time("recorded_at"),
        sqlite_autoincrement=True,
    )
    op.create_index("facts_by_subject", "facts", ["subject", "kind", "id"])
    op.create_index("facts_by_age", "facts", ["recorded_at"])
    op.create_table(
        "fact_heads",
        _key("kind"),
        _key("subject"),
        sa.Column("fact_id", sa.BigInteger),
        _text("content_hash"),
        _whole("order_key"),
        _time("seen_at"),
    )
    op.create_index("fact_heads_by_fact", "fact_heads", ["fact_id"])


def _create_published() -> None:
    op.create_table(
        "published",
        _key("destination"),
        _key("subject"),
        _text("content_hash"),
        sa.Column("content", sa.Text),
        sa.Column("remote_id", sa.Text),
        sa.Column("written_at", sa.Float),
        sa.Column("error", sa.Text),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("failed_at", sa.Float),
    )
    op.create_index("published_by_subject", "published", ["subject"])
    op.create_index("published_failing", "published", ["destination", "failed_at"])
    op.create_table(
        "local_catalog",
        _key("destination"),
        _key("subject"),
        _text("content"),
        sa.Column("removed_at", sa.Float),
    )


def _create_inbox() -> None:
    op.create_table(
        "events",
        _number(),
        sa.Column("dedupe_id", sa.Text, nullable=False, unique=True),
        _text("source"),
        _text("kind"),
        _text("subject"),
        _whole("order_key"),
        _time("occurred_at"),
        _text("details"),
        _time("received_at"),
        _time("due_at"),
        sa.Column("done_at", sa.Float),
        sa.Column("run_id", sa.Text),
        sa.Column("outcome", sa.Text),
        sqlite_autoincrement=True,
    )
    op.create_index("events_waiting", "events", ["done_at", "subject"])
    op.create_table(
        "dead_letters",
        _number(),
        _text("source"),
        _text("position"),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        _text("reason"),
        _time("received_at"),
        sa.Column("replayed_at", sa.Float),
        sqlite_autoincrement=True,
    )


def _create_work() -> None:
    op.create_table(
        "pending", _number(), _text("subject"), _text("reason"), _time("marked_at"), sqlite_autoincrement=True
    )
    op.create_index("pending_by_subject", "pending", ["subject", "id"])
    op.create_table("missing", _key("subject"), _time("since"), sa.Column("reported", sa.Boolean, nullable=False))
    op.create_table("shards", _key("database"), sa.Column("count", sa.Integer, nullable=False))
    op.create_table(
        "decisions",
        _number(),
        _text("tag"),
        _text("scope"),
        _text("content"),
        _time("decided_at"),
        sqlite_autoincrement=True,
    )


def _create_runs() -> None:
    op.create_table(
        "stage_counts",
        _number(),
        _text("run_id"),
        _text("asset"),
        _text("partition_key"),
        _text("counts"),
        _time("at"),
        sqlite_autoincrement=True,
    )
    op.create_index("stage_counts_by_run", "stage_counts", ["run_id"])
    op.create_table("source_state", _key("name"), _text("content"), _time("at"))
