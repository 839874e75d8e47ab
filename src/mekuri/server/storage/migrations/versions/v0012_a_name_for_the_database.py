"""Values of the database as a whole, such as its id, from which the name of the guests' cookie is derived.

There is no way back from a revision: a log that would lose what has been played is no log.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add a table, which is empty: the first server that serves the database draws its id."""
    op.create_table(
        "site",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="site_key"),
    )
