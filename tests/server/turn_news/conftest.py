"""A server whose messages go to a service of the test, and two people."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.server.gathering import guests
from tests.helpers.server.serving import Guest, Serving, serving
from tests.helpers.server.turn_news import HOOK, PUBLIC, SERVICE, Service, send_to
from tests.helpers.time import FakeTime


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
async def server(tmp_path: Path, service: Service, time: FakeTime) -> AsyncIterator[Serving]:
    hosts: Any = {"push_hosts": (SERVICE,), "webhook": HOOK, "public_url": PUBLIC}
    async with serving(tmp_path / "mekuri.db", time, **hosts) as running:
        send_to(running, service)
        yield running


@pytest.fixture
async def people(server: Serving) -> AsyncIterator[list[Guest]]:
    async with guests(server, "Aki", "Ben") as found:
        yield found
