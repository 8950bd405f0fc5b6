"""Parts of a message know their message; who asked for a profile is remembered; what was dealt with shows no table.

A part that was kept before has no message until it is read again: `metadata-assets replay` puts it together.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("dead_letters", sa.Column("part_of", sa.Text))
    op.create_index("dead_letters_by_message", "dead_letters", ["source", "part_of"])
    op.add_column("data_changes", sa.Column("asked_at", sa.Float))
    op.execute("UPDATE events SET after = NULL WHERE done_at IS NOT NULL AND after IS NOT NULL")
