"""Alembic's environment: it migrates over the connection it is passed, in the transaction that is already open there."""

from __future__ import annotations

from alembic import context

from mekuri.server.storage.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
