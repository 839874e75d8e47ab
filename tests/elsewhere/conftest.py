"""Another server, for the conditions in which a page is tried."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.helpers.server.child import Child


@pytest_asyncio.fixture(loop_scope="session")
async def other(tmp_path: Path) -> AsyncIterator[Child]:
    """Another server on the same host."""
    child = Child(tmp_path / "other.db")
    await child.start()
    yield child
    await child.kill()
