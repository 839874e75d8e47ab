"""Processes of the earlier release and of this one serve one PostgreSQL while one after the other is replaced (docs/operate.md)."""

import asyncio
import signal
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from random import Random

import httpx
import pytest

from mekuri.server.storage.schema import HEAD
from tests.helpers.server import databases
from tests.helpers.server.child import Child
from tests.helpers.server.earlier import REVISION, installed
from tests.helpers.server.killing import Person, Watcher, check
from tests.helpers.server.killing import Table as Sat
from tests.helpers.server.serving import Guest
from tests.helpers.tables import GAMES
from tests.helpers.time import moment

pytestmark = [pytest.mark.slow, pytest.mark.postgresql]
BETWEEN = 12  # acknowledged moves between two replacements


class Site:
    """Two processes over one database, each of which can be replaced by one of the other release at the same port.

    Attributes:
        url: the database.
        addresses: those of the two processes.
    """

    def __init__(self, earlier: Path, name: str) -> None:
        assert databases.running
        self.url = databases.running.empty(name)
        self._pythons = {"earlier": earlier, "this": None}
        self._children = [self._child("earlier") for _ in range(2)]
        self.addresses = [child.address for child in self._children]

    def _child(self, release: str, port: int = 0) -> Child:
        return Child(Path(), port, url=self.url, true=True, python=self._pythons[release])

    async def start(self) -> None:
        for child in self._children:
            await self._started(child)

    async def replace(self, place: int, release: str) -> None:
        """Stop a process and start one of a release in its place."""
        await self._stopped(self._children[place])
        self._children[place] = self._child(release, self._children[place].port)
        await self._started(self._children[place])

    async def stop(self) -> None:
        for child in self._children:
            await self._stopped(child)

    async def kill(self) -> None:
        for child in self._children:
            await child.kill()

    async def _started(self, child: Child) -> None:
        await child.start()
        assert child.out, "it does not start"
        async with httpx.AsyncClient() as client:
            while (await client.get(f"{child.address}/ready")).status_code != 200:
                await moment()

    async def _stopped(self, child: Child) -> None:
        child.send(signal.SIGTERM)
        await child.ended()
        assert child.status in (0, -signal.SIGTERM)
        assert "Traceback" not in child.err, child.err


async def test_matches_continue_across_releases(request: pytest.FixtureRequest) -> None:
    """People play at both processes all the time. Every acknowledged move is in the log, and no request gets a 500."""
    earlier = installed(request.config)
    site, chance = Site(earlier, "rolling"), Random(0)
    people: list[Person] = []
    tables: list[Sat] = []
    watchers: list[Watcher] = []
    ending = asyncio.Event()
    try:
        await site.start()
        one, two = site.addresses
        for n, addresses in enumerate(([one], [two], [one, two], [two], [one])):
            people.append(Person(await Guest(addresses[0]).arrive(f"Player {n}"), Random(chance.random()), addresses))
        parties = [(people[:2], False), (people[1:3], False), (people[3:], True), (people[2:3], False)]
        async with asyncio.TaskGroup() as playing:
            names = cycle(GAMES)
            for party, watched in parties:
                playing.create_task(play(names, party, watched, tables, watchers, ending))
            playing.create_task(look_at_lists(people, ending))
            for place, release in order():
                await some_moves(tables)
                await site.replace(place, release)
                print(f"{sum(map(moves, tables))} moves at {len(tables)} tables: process {place + 1} is of {release} release")
            await some_moves(tables)
            ending.set()
        assert sum(person.retried for person in people) > 0
        for table in tables:
            await check(site.url, table)
            assert (await table.people[0].look(table.id))["head"]["why"] == "played"
        await site.stop()
    finally:
        await site.kill()
        for person in people:
            await person.guest.close()
        for watcher in watchers:
            await watcher.close()


def order() -> list[tuple[int, str]]:
    """Which process is replaced by which release: to this one; and back, where the earlier one opens the database, and to it again.

    In the end both are of one release: a process of the earlier one keeps tables that are followed there.
    """
    forth = [(0, "this"), (1, "this")]
    back = [(0, "earlier"), (1, "earlier")]
    return forth + back + forth if HEAD == REVISION else forth


async def play(
    names: Iterator[str], people: list[Person], watched: bool, tables: list[Sat], watchers: list[Watcher], ending: asyncio.Event
) -> None:
    """Play one match after the other, at least one, until everything has been replaced."""
    while True:
        table = await Sat.made(next(names), people, [] if len(people) > 1 else ["greedy"], rounds=1)
        tables.append(table)
        async with asyncio.TaskGroup() as group:
            group.create_task(table.play())
            if watched:
                watchers.append(watcher := people[0].watcher(table.id))
                group.create_task(watcher.watch())
        if ending.is_set():
            return


async def look_at_lists(people: list[Person], ending: asyncio.Event) -> None:
    while not ending.is_set():
        for person in people:
            await person.asked(lambda guest=person.guest: guest.call("GET", "/api/tables"))  # type: ignore[misc]
        await asyncio.sleep(0.5)


def moves(table: Sat) -> int:
    return sum(len(person.did.get(table.id, ())) for person in table.people)


async def some_moves(tables: list[Sat]) -> None:
    """Wait until people have played some moves more."""
    goal = sum(map(moves, tables)) + BETWEEN
    while sum(map(moves, tables)) < goal:
        await asyncio.sleep(0.05)


async def test_browser_keeps_its_guest_across_releases(request: pytest.FixtureRequest) -> None:
    """Either release makes the guest, and requests reach processes of both in any order, before and after."""
    site = Site(installed(request.config), "browsers")
    try:
        await site.start()
        one, two = site.addresses
        async with httpx.AsyncClient() as of_before, httpx.AsyncClient() as new:

            async def who(browser: httpx.AsyncClient, address: str) -> str:
                guest = await browser.post(f"{address}/api/guests", json={})
                assert (await browser.get(f"{address}/api/guests/me")).json()["id"] == guest.json()["id"]
                return str(guest.json()["id"])

            first = await who(of_before, two)
            await site.replace(0, "this")
            second = await who(new, one)
            for address in (two, one, two, one):
                assert await who(of_before, address) == first
                assert await who(new, address) == second
            await site.replace(1, "this")
            for address in (two, one):
                assert await who(of_before, address) == first
                assert await who(new, address) == second
        await site.stop()
    finally:
        await site.kill()
