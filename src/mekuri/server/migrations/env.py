"""What Alembic runs: it migrates over the connection it is given, in the transaction that is already open on it."""

from __future__ import annotations

from alembic import context

from mekuri.server.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
