"""Tables that are played turn by turn: the term of each decision, when the next one passes, and web push.

There is no way back from a revision: a log that would lose what has been played is no log.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add two columns, which are NULL for all matches there are, with an index for each, and two tables, which are empty."""
    op.add_column("matches", sa.Column("term", sa.BigInteger))
    op.add_column("matches", sa.Column("due_at", sa.BigInteger))
    for name, columns, condition in (
        ("matches_term", ["state", "changed_at"], "term IS NOT NULL"),
        ("matches_due_at", ["due_at"], "due_at IS NOT NULL"),
    ):
        op.create_index(name, "matches", columns, sqlite_where=sa.text(condition), postgresql_where=sa.text(condition))
    op.create_table(
        "subscriptions",
        sa.Column("device", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("p256dh", sa.Text, nullable=False),
        sa.Column("auth", sa.Text, nullable=False),
        sa.Column("lang", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("device", name="subscriptions_key"),
        sa.ForeignKeyConstraint(["device"], ["devices.id"], name="subscriptions_device", ondelete="CASCADE"),
        sa.UniqueConstraint("endpoint", name="subscriptions_endpoint"),
    )
    op.create_table(
        "server_keys",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("private", sa.Text, nullable=False),
        sa.Column("contact", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", name="server_keys_key"),
    )
