"""Deals of the day: their secrets, what people have put into them, and what came of playing them.

There is no way back from a revision: a log that would lose what has been played is no log.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add three tables, which are empty."""
    op.create_table(
        "daily_deals",
        sa.Column("day", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("root", sa.LargeBinary, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("day", "game", name="daily_deals_key"),
    )
    op.create_table(
        "daily_cuts",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), autoincrement=True, nullable=False),
        sa.Column("day", sa.Text, nullable=False),
        sa.Column("person", sa.Text),
        sa.Column("digest", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="daily_cuts_key"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="daily_cuts_person"),
        sa.UniqueConstraint("day", "person", name="daily_cuts_day_person"),
        sqlite_autoincrement=True,
    )
    op.create_index("daily_cuts_of_person", "daily_cuts", ["person"])
    op.create_table(
        "daily_tries",
        sa.Column("day", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.Column("points", sa.Integer),
        sa.PrimaryKeyConstraint("day", "game", "person", name="daily_tries_key"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="daily_tries_person"),
    )
    op.create_index("daily_tries_of_person", "daily_tries", ["person"])
