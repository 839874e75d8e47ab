"""Mistakes that come back as questions, and the rounds that have been looked through for them.

There is no way back from a revision: a log that would lose what has been played is no log.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add two tables, which are empty."""
    op.create_table(
        "mistakes",
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("due", sa.BigInteger, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("told", sa.Text),
        sa.PrimaryKeyConstraint("person", "match", "round", "number", name="mistakes_key"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="mistakes_person"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="mistakes_match"),
    )
    op.create_index("mistakes_due", "mistakes", ["person", "due"])
    op.create_index("mistakes_of_match", "mistakes", ["match"])
    op.create_table(
        "searched",
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("person", "match", "round", name="searched_key"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="searched_person"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="searched_match"),
    )
    op.create_index("searched_of_match", "searched", ["match"])
