"""Tables that are played turn by turn: the term of each decision, and when the next one passes.

There is no way back from a revision: a log that would lose what has been played is no log.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add two columns, which are NULL for all matches there are, and an index for each."""
    op.add_column("matches", sa.Column("term", sa.BigInteger))
    op.add_column("matches", sa.Column("due_at", sa.BigInteger))
    for name, columns, told in (
        ("matches_term", ["state", "changed_at"], "term IS NOT NULL"),
        ("matches_due_at", ["due_at"], "due_at IS NOT NULL"),
    ):
        op.create_index(name, "matches", columns, sqlite_where=sa.text(told), postgresql_where=sa.text(told))
