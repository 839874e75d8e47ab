"""Each match has a home, the one process that may write it, and each process a lease.

There is no way back from a revision: a log that would lose what has been played is no log.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add two columns to matches, and make the table of processes anew: no server runs meanwhile."""
    op.add_column("matches", sa.Column("home", sa.Text))
    op.add_column("matches", sa.Column("fence", sa.Integer, nullable=False, server_default=sa.text("0")))
    op.drop_table("processes")
    op.create_table(
        "processes",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("machine", sa.Text),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("waiting", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="processes_key"),
    )
    op.create_table(
        "table_news",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), autoincrement=True, nullable=False),
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="table_news_key"),
        sqlite_autoincrement=True,
    )
