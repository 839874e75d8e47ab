"""People, matches and the log, and the processes that serve them.

There is no way back from a revision: a log that would lose what has been played is no log.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the four tables."""
    op.create_table(
        "people",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("token_hash", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="people_key"),
        sa.UniqueConstraint("token_hash", name="people_token_hash"),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("maker", sa.Text),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("root", sa.LargeBinary, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("changed_at", sa.BigInteger, nullable=False),
        sa.Column("bot_due", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="matches_key"),
    )
    op.create_index("matches_lobby", "matches", ["state", "public", "made_at"])
    op.create_index("matches_makers", "matches", ["maker", "state"])
    op.create_table(
        "log",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), autoincrement=True, nullable=False),
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("decision", sa.Integer),
        sa.Column("person", sa.Text),
        sa.Column("writer", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="log_key"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="log_match"),
        sa.UniqueConstraint("match", "n", name="log_match_n"),
        sa.UniqueConstraint("match", "seat", "decision", name="log_match_seat_decision"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "processes",
        sa.Column("writer", sa.Text, nullable=False),
        sa.Column("beat", sa.Integer, nullable=False),
        sa.Column("lines", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("writer", name="processes_key"),
    )
    sits = sa.text("kind = 'sit'")
    op.create_index("log_sits", "log", ["person", "match"], sqlite_where=sits, postgresql_where=sits)
