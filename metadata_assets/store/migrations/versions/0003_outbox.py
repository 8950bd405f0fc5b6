"""Events that listeners of one's own are still to be told of."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("stored_at", sa.Float, nullable=False),
        sqlite_autoincrement=True,
    )
