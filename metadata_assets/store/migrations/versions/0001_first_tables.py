"""The first tables of the store."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    _create_facts()
    _create_work()


def _create_facts() -> None:
    op.create_table(
        "facts",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("content_hash", sa.Text, nullable=False),
        sa.Column("content", sa.Text),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("order_key", sa.BigInteger, nullable=False),
        sa.Column("run_id", sa.Text, nullable=False),
        sa.Column("recorded_at", sa.Float, nullable=False),
    )
    op.create_index("facts_by_subject", "facts", ["subject", "kind", "id"])
    op.create_table(
        "fact_heads",
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("subject", sa.Text, primary_key=True),
        sa.Column("fact_id", sa.BigInteger),
        sa.Column("content_hash", sa.Text, nullable=False),
        sa.Column("order_key", sa.BigInteger, nullable=False),
        sa.Column("seen_at", sa.Float, nullable=False),
    )
    op.create_table(
        "published",
        sa.Column("destination", sa.Text, primary_key=True),
        sa.Column("subject", sa.Text, primary_key=True),
        sa.Column("content_hash", sa.Text, nullable=False),
        sa.Column("content", sa.Text),
        sa.Column("remote_id", sa.Text),
        sa.Column("written_at", sa.Float),
        sa.Column("error", sa.Text),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("failed_at", sa.Float),
    )
    op.create_table(
        "local_catalog",
        sa.Column("destination", sa.Text, primary_key=True),
        sa.Column("subject", sa.Text, primary_key=True),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("removed_at", sa.Float),
    )


def _create_work() -> None:
    op.create_table(
        "events",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("dedupe_id", sa.Text, nullable=False, unique=True),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("order_key", sa.BigInteger, nullable=False),
        sa.Column("occurred_at", sa.Float, nullable=False),
        sa.Column("details", sa.Text, nullable=False),
        sa.Column("received_at", sa.Float, nullable=False),
        sa.Column("done_at", sa.Float),
        sa.Column("run_id", sa.Text),
        sa.Column("outcome", sa.Text),
    )
    op.create_index("events_waiting", "events", ["done_at", "subject"])
    op.create_table(
        "dead_letters",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("position", sa.Text, nullable=False),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("received_at", sa.Float, nullable=False),
        sa.Column("replayed_at", sa.Float),
    )
    op.create_table(
        "pending",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("marked_at", sa.Float, nullable=False),
    )
    op.create_index("pending_by_subject", "pending", ["subject", "id"])
    op.create_table(
        "missing",
        sa.Column("subject", sa.Text, primary_key=True),
        sa.Column("since", sa.Float, nullable=False),
    )
    op.create_table(
        "shards",
        sa.Column("database", sa.Text, primary_key=True),
        sa.Column("count", sa.Integer, nullable=False),
    )
    op.create_table(
        "decisions",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("tag", sa.Text, nullable=False),
        sa.Column("scope", sa.Text, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("decided_at", sa.Float, nullable=False),
    )
    op.create_table(
        "stage_counts",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("run_id", sa.Text, nullable=False),
        sa.Column("asset", sa.Text, nullable=False),
        sa.Column("partition_key", sa.Text, nullable=False),
        sa.Column("counts", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("stage_counts_by_run", "stage_counts", ["run_id"])
    op.create_table(
        "source_state",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
