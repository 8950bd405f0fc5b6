"""Events of outside sources: what they carry, what they say of data and of renames, each dead letter once; notices."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    _widen_inbox()
    _create_what_events_say()
    _create_notices()


def _widen_inbox() -> None:
    with op.batch_alter_table("events", table_kwargs={"sqlite_autoincrement": True}) as table:
        table.add_column(sa.Column("numbered", sa.Boolean, nullable=False, server_default=sa.false()))
        table.add_column(sa.Column("tentative", sa.Boolean, nullable=False, server_default=sa.false()))
        table.add_column(sa.Column("previous", sa.Text))
        table.add_column(sa.Column("after", sa.Text))
    op.add_column("dead_letters", sa.Column("key", sa.LargeBinary))
    op.create_index("dead_letters_by_position", "dead_letters", ["source", "position"], unique=True)


def _create_what_events_say() -> None:
    op.create_table(
        "data_changes",
        sa.Column("subject", sa.Text, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "moves",
        sa.Column("source", sa.Text, primary_key=True),
        sa.Column("subject", sa.Text, primary_key=True),
        sa.Column("what", sa.Text, primary_key=True),
        *_order(key=True),
        sa.Column("previous", sa.Text),
    )
    op.create_index("moves_by_subject", "moves", ["subject"])
    op.create_index("moves_by_previous", "moves", ["previous"])
    op.create_table(
        "column_moves",
        sa.Column("source", sa.Text, primary_key=True),
        sa.Column("subject", sa.Text, primary_key=True),
        *_order(key=True),
        sa.Column("previous", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
    )
    op.create_index("column_moves_by_subject", "column_moves", ["subject"])
    op.create_table(
        "event_heads",
        sa.Column("source", sa.Text, primary_key=True),
        sa.Column("subject", sa.Text, primary_key=True),
        *_order(),
        sa.Column("fact_order", sa.BigInteger, nullable=False),
    )


def _create_notices() -> None:
    op.create_table(
        "notices",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("severity", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "notice_deliveries",
        sa.Column("channel", sa.Text, primary_key=True),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("sent_at", sa.Float, nullable=False),
    )


def _order(*, key: bool = False) -> tuple[sa.Column[int], sa.Column[bool], sa.Column[float]]:
    return (
        sa.Column("order_key", sa.BigInteger, nullable=False, primary_key=key),
        sa.Column("numbered", sa.Boolean, nullable=False),
        sa.Column("occurred_at", sa.Float, nullable=False),
    )
