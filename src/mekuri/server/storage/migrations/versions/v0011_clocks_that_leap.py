"""The clocks of the machines that serve the log, and by how much each has leapt.

There is no way back from a revision: a log that would lose what has been played is no log.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add a table, which is empty."""
    op.create_table(
        "clocks",
        sa.Column("boot", sa.Text, nullable=False),
        sa.Column("trusted", sa.BigInteger, nullable=False),
        sa.Column("leases", sa.BigInteger, nullable=False),
        sa.Column("leap", sa.BigInteger, nullable=False),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("boot", name="clocks_key"),
    )
