"""What is due is found without looking through what is not: bots' turns, tables that nobody needs, people alone with bots.

There is no way back from a revision: a log that would lose what has been played is no log.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_SEATED = "SELECT count(DISTINCT person) FROM log WHERE log.match = matches.id AND kind = 'sit'"
_LONE = f"UPDATE matches SET lone = true WHERE state = 'running' AND ({_SEATED}) = 1"


def upgrade() -> None:
    """Note who plays alone with bots, and add three indexes."""
    op.add_column("matches", sa.Column("lone", sa.Boolean, nullable=False, server_default=sa.false()))
    op.execute(_LONE)
    op.create_index("matches_changed", "matches", ["state", "changed_at"])
    for name in ("bot_due", "lone"):
        when = sa.text(name)
        op.create_index(f"matches_{name}", "matches", ["changed_at"], sqlite_where=when, postgresql_where=when)
