"""A log of its own for every test."""

import itertools
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mekuri.server.store import Store


@pytest.fixture
def log_path(tmp_path: Path) -> Path:
    return tmp_path / "made" / "for it" / "mekuri.db"


@pytest.fixture
async def store(log_path: Path) -> AsyncIterator[Store]:
    """Its clock says 1000 the first time it is asked, then 1001."""
    store = await Store.open(log_path, clock=itertools.count(1000).__next__)
    yield store
    await store.close()


@pytest.fixture
async def other(store: Store, log_path: Path) -> AsyncIterator[Store]:
    """A second one on the same file."""
    other = await Store.open(log_path)
    yield other
    await other.close()
