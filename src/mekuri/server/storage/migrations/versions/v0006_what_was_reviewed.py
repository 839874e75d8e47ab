"""Reviews of finished rounds.

There is no way back from a revision: a log that would lose what has been played is no log.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add a table, which is empty."""
    op.create_table(
        "reviews",
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match", "round", "seat", name="reviews_key"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="reviews_match"),
    )
