"""What came of matches, for each person who has played them. It is counted from the log when that person asks for it.

There is no way back from a revision: a log that would lose what has been played is no log.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add a table, which is empty, and its indices."""
    op.create_table(
        "results",
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("imported", sa.Boolean, nullable=False),
        sa.Column("digest", sa.Text),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("person", "match", name="results_key"),
        sa.UniqueConstraint("person", "digest", name="results_person_digest"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="results_person"),
    )
    op.create_index("results_newest", "results", ["person", "at"])
    op.create_index("results_of_match", "results", ["match"])
