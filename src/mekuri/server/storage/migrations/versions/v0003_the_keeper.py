"""What the keeper of a server does: bans, an audit of it; and under what the makers of open tables count.

There is no way back from a revision: a log that would lose what has been played is no log.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add a table and three columns, all of them empty, and an index."""
    op.add_column("people", sa.Column("banned_until", sa.BigInteger))
    op.add_column("people", sa.Column("banned_why", sa.Text))
    op.add_column("matches", sa.Column("household", sa.Text))
    known = sa.text("household IS NOT NULL")
    op.create_index("matches_household", "matches", ["state"], sqlite_where=known, postgresql_where=known)
    op.create_table(
        "acts",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), autoincrement=True, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("of", sa.Text),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="acts_key"),
        sqlite_autoincrement=True,
    )
