"""Every limit that is counted by address, against every way to have many addresses. No test waits for a real clock."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import Mock
from urllib.parse import urlsplit

import pytest

from mekuri.desk.limits import RateLimit, household_of, neighbourhood_of, networks_of
from mekuri.desk.work import metered
from mekuri.server.base import work
from mekuri.server.base.budget import SAVED
from mekuri.server.base.limits import Limits
from mekuri.server.base.settings import Settings
from mekuri.server.guard import priced
from mekuri.table.errors import ProblemError
from mekuri.table.time import REAL
from tests.helpers.server.raw import hang_up, request, status
from tests.helpers.server.serving import Guest, Serving, serving
from tests.helpers.tables import USUAL
from tests.helpers.time import FakeTime

EACH = 2
PROXY = "127.0.0.1"
STRANGER = "127.0.0.2"  # an address of this machine that is nobody's proxy


@dataclass(frozen=True)
class Coming:
    """The origin of a request: its address, and its forwarded header."""

    source: str
    forwarded: str

    @property
    def address(self) -> str:
        """The address that counts."""
        return self.forwarded.rpartition(",")[2].strip() if self.source == PROXY else self.source


# For each way to come: how the requests come, and how many allowances they have together. No two lie in one network.
WAYS: dict[str, tuple[Callable[[int], Coming], int]] = {
    "IPv4": (lambda n: Coming(PROXY, "192.0.2.1"), 1),
    "one /64": (lambda n: Coming(PROXY, f"2001:db8:1:1::{n + 1:x}"), 1),
    "neighbouring /64s of one /56": (lambda n: Coming(PROXY, f"2001:db8:2:{n:x}::1"), 4),
    "neighbouring /56s of one /48": (lambda n: Coming(PROXY, f"2001:db8:3:{n << 8:x}::1"), 16),
    "IPv4 and IPv4-mapped": (lambda n: Coming(PROXY, ("192.0.2.2", "::ffff:192.0.2.2", "::ffff:c000:202")[n % 3]), 1),
    "forged before a trusted proxy": (lambda n: Coming(PROXY, f"198.51.100.{n}, 192.0.2.3"), 1),
    "forwarded by a stranger": (lambda n: Coming(STRANGER, f"198.51.100.{n}"), 1),
}


@dataclass
class Door:
    """Sends requests to a server, and keeps connections open until the test is over."""

    server: Serving
    table: str = ""
    _open: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def answer(self, coming: Coming, method: str, path: str, body: object = None, stay: bool = False) -> int:
        """Return the status of an answer. Streams keep their connection open."""
        url = urlsplit(self.server.address)
        reader, writer = await asyncio.open_connection(url.hostname, url.port, local_addr=(coming.source, 0))
        writer.write(request(method, path, body, {"x-forwarded-for": coming.forwarded}))
        found = status(await reader.readuntil(b"\r\n"))
        if stay and found == 200:
            self._open.push_async_callback(hang_up, writer)
        else:
            await hang_up(writer)
        return found

    async def close(self) -> None:
        await self._open.aclose()


async def ask(door: Door, coming: Coming) -> bool:
    return await door.answer(coming, "GET", "/api/games") == 200


async def become_guest(door: Door, coming: Coming) -> bool:
    return await door.answer(coming, "POST", "/api/guests", {}) == 201


async def guess(door: Door, coming: Coming) -> bool:
    return await door.answer(coming, "POST", "/api/guests/devices", {"code": "0" * 12}) == 404


async def follow(door: Door, coming: Coming) -> bool:
    return await door.answer(coming, "GET", f"/api/stream?table={door.table}", stay=True) == 200


async def connect(door: Door, coming: Coming) -> bool:
    try:
        door.server.places.enter(Mock(), coming.address, False)
    except ProblemError:
        return False
    return True


# For each limit: the settings with which each has two, and what comes up to it.
LIMITS: dict[str, tuple[dict[str, int], Callable[[Door, Coming], Awaitable[bool]]]] = {
    "requests": ({"requests": EACH}, ask),
    "guests": ({"guests": EACH}, become_guest),
    "codes": ({"codes": EACH}, guess),
    "connections": ({"connections_each": EACH}, connect),
    "asking": ({"connections_each": EACH}, follow),
    "strangers": ({"strangers": EACH}, follow),
    "budget": ({"budget": 100}, become_guest),
    "budget_each": ({"budget_each": 100}, become_guest),
}


def test_every_limit_is_in_the_table() -> None:
    counted = vars(Limits(Settings(), REAL)).keys()
    assert counted - {"streams"} == LIMITS.keys() - {"budget", "budget_each"}, "streams of guests are not counted by address"


@pytest.mark.parametrize("limit", LIMITS)
async def test_limit_holds_for_every_way_to_vary_addresses(
    limit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    settings, use = LIMITS[limit]
    spends = limit.startswith("budget")
    # Two requests cost what a budget saves up, but for rounding. Their work costs nothing: how much it takes varies.
    monkeypatch.setattr(priced, "_DOOR", 0.1 * SAVED / EACH - 0.01)
    for charging in (priced.Priced.__init__, work.WorkerThread.__init__, work.beside, metered):
        monkeypatch.setattr(charging, "__defaults__", (lambda: 0.0,))
    async with serving(tmp_path / "mekuri.db", FakeTime(moves=spends), near=False, proxies=(PROXY,), **settings) as server:
        door = Door(server)
        if use is follow:
            aki = await Guest(server.address, headers={"x-forwarded-for": "203.0.113.9"}).arrive()
            door.table = await aki.make(USUAL)
        for way, (come, allowances) in WAYS.items():
            with subtests.test(way):
                used = 0
                while await use(door, come(used)):
                    used += 1
                assert used == EACH * allowances


def test_window_of_a_limit_ends_for_every_key() -> None:
    limit = RateLimit(2, time := FakeTime(moves=False), together=3)
    for who in ("aki", "aki", "ben"):
        limit.count(who)
    for who in ("aki", "ben"):
        with pytest.raises(ProblemError) as caught:
            limit.count(who)
        assert caught.value.problem.text.args == {"seconds": 60}
    limit.count("chie")  # the first of each
    limit.forgive("ben")
    limit.forgive("chie")
    limit.count("ben")
    time.move(60)
    limit.forget()
    assert not limit._times
    limit.count("aki")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.1", (True, True)),
        ("192.0.2.1", "192.0.2.2", (False, False)),
        ("192.0.2.1", "::ffff:192.0.2.1", (True, True)),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", (False, False)),
        ("2001:db8::1", "2001:db8::ffff:ffff:ffff:ffff", (True, True)),
        ("2001:db8::1", "2001:db8:0:1::1", (False, True)),
        ("2001:db8::1", "2001:db8:1::1", (False, False)),
        ("fe80::1%eth0", "fe80::2%eth0", (True, True)),
        ("no:address", "no:other", (False, False)),
    ],
)
def test_addresses_are_grouped_by_household_and_network(one: str, other: str, same: tuple[bool, bool]) -> None:
    assert (household_of(one) == household_of(other), neighbourhood_of(one) == neighbourhood_of(other)) == same
    assert len({times for _, times in networks_of(one)}) == len(networks_of(one))
