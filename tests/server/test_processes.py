"""Two servers on one database: people of one table play on different ones, and nobody can tell."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from mekuri import replay
from mekuri.match.verify import verify
from mekuri.server.chores import sweep_once
from tests.server.gathering import Clock, begun, choosing, guests, hearing
from tests.server.serving import Guest, Refusal, Serving, act, serving
from tests.server.stores import sql
from tests.tables import GAMES, each_game


@asynccontextmanager
async def both(path: Path, clock: Clock | None = None, **settings: Any) -> AsyncIterator[tuple[Serving, Serving]]:
    """Two servers on one file."""
    told = clock or Clock()
    async with serving(path, told, **settings) as one, serving(path, told, **settings) as two:
        yield one, two


def at(server: Serving, guest: Guest) -> Guest:
    """The same person with a line to another server."""
    return Guest(server.address, headers={"authorization": guest.http.headers["authorization"]})


async def play_on(table: str, people: list[Guest], chance: Random) -> None:
    """Play a match to its end, by people who look at a server that may be a moment behind."""
    while (await people[0].look(table))["head"]["state"] != "over":
        for guest in people:
            try:
                await act(guest, table, chance)
            except Refusal as refused:
                if refused.error not in ("stale", "decided-otherwise", "ahead", "round-running"):
                    raise
        await asyncio.sleep(0.005)


@each_game
async def test_a_whole_match(tmp_path: Path, name: str) -> None:
    """Everybody at his own server, one of them now here and now there: all streams tell the same, and nothing is lost."""
    async with both(tmp_path / "mekuri.db") as (one, two), guests(one, "Aki") as (aki,), guests(two, "Ben") as (ben,):
        aki_there, watcher, watcher_there = at(two, aki), Guest(one.address), Guest(two.address)
        table = await aki.make(name, seats=["person", "person"], match_options={"rounds": "2"})
        await aki.sit(table)
        async with (
            hearing(aki, table) as here,
            hearing(aki_there, table) as there,
            hearing(watcher, table) as seen_here,
            hearing(watcher_there, table) as seen_there,
        ):
            for line in (here, there, seen_here, seen_there):
                await line.some("table")
            await ben.sit(table)
            await play_on(table, [aki, aki_there, ben], Random(name))
            for line in (here, there, seen_here, seen_there):
                await line.some("event", lambda event: event["kind"] == "end")
            for line, other in ((here, there), (seen_here, seen_there)):
                told, again = ([(m.id, m.data) for m in each.messages if m.event == "event"] for each in (line, other))
                assert told == again
                versions = [event["version"] for event in line.of("event")]
                assert versions == list(range(versions[0], versions[-1] + 1))
        records = [(await guest.http.get(f"/api/tables/{table}/record")).text for guest in (aki, ben)]
        assert records[0] == records[1]
        assert verify(records[0]).rounds == 2
        assert replay(records[0]).over
        rows = await one.house.store.rows(table)
        assert [row.n for row in rows] == list(range(len(rows)))
        for guest in (aki_there, watcher, watcher_there):
            await guest.close()


@each_game
async def test_the_same_action_at_both(tmp_path: Path, name: str) -> None:
    """Sent to both servers at once, again and again, it happens once and has one answer."""
    path = tmp_path / "mekuri.db"
    async with both(path) as (one, two), guests(one, "Aki", "Ben") as people:
        there = [at(two, guest) for guest in people]
        table = await begun(people, name, rounds=1)
        for _ in range(10):
            guest, view = await choosing(table, people)
            action = view["legal"][0]["action"]
            both_lines = [guest, there[people.index(guest)]] * 3
            for line in both_lines[:2]:
                await until_version(line, table, view["version"])
            answers = await asyncio.gather(*(line.play(table, view["version"], action) for line in both_lines))
            assert all(answer == answers[0] for answer in answers)
        decided = sql(path, "select count(*) from log where match = ? and decision is not null", [table])
        assert decided == [(10,)]
        for line in there:
            await line.close()


async def until_version(guest: Guest, table: str, version: int) -> None:
    """Wait until a server has heard of what another has done."""
    async with asyncio.timeout(10):
        while (await guest.look(table))["version"] < version:
            await asyncio.sleep(0.01)


@each_game
async def test_a_seat_is_taken_once(tmp_path: Path, name: str) -> None:
    async with both(tmp_path / "mekuri.db") as (one, two), guests(one, "Aki", "Ben") as (aki, ben), guests(two, "Eve") as (eve,):
        table = await aki.make(name, seats=["person", "person"])
        await aki.sit(table)
        for guest in (ben, eve):
            await guest.look(table)
        told = await asyncio.gather(ben.sit(table), eve.sit(table), return_exceptions=True)
        refused = [each for each in told if isinstance(each, Refusal)]
        assert [(each.status, each.error) for each in refused] == [(409, "table-full")]
        seats = (await aki.look(table))["head"]["seats"]
        assert seats[1]["name"] in ("Ben", "Eve")
        await until_version(eve, table, (await aki.look(table))["version"])
        assert (await eve.look(table))["head"]["seats"] == seats


@each_game
async def test_a_damaged_match_is_found_by_both_at_once(tmp_path: Path, name: str) -> None:
    """Whoever is second to close it finds it closed."""
    path, clock = tmp_path / "mekuri.db", Clock()
    async with both(path, clock) as (one, two), guests(one, "Aki", "Ben") as people:
        tables = [await begun(people, name) for _ in range(6)]
        clock.ahead += 1000
        for server in (one, two):
            await sweep_once(server.house)
            assert not server.house._lives
        for table in tables:
            sql(path, "update log set kind = 'open' where match = ? and kind = 'round'", [table])
        watchers = [Guest(one.address), Guest(two.address)]
        for table in tables:
            told = await asyncio.gather(*(watcher.look(table) for watcher in watchers))
            assert [whole["head"]["why"] for whole in told] == ["void", "void"]
        for watcher in watchers:
            await watcher.close()


@each_game
async def test_a_damaged_match_is_closed_once(tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture) -> None:
    """Both servers find it when they start; one closes it, and both go on with their chores."""
    path = tmp_path / "mekuri.db"
    async with serving(path) as server, guests(server, "Aki", "Ben") as people:
        tables = [await begun(people, name) for _ in range(6)]
    for table in tables:
        sql(path, "update log set kind = 'open' where match = ? and kind = 'round'", [table])
    async with both(path) as (one, two):
        watchers = [Guest(one.address), Guest(two.address)]
        for watcher in watchers:
            for table in tables:
                assert (await watcher.look(table))["head"]["why"] == "void"
            await watcher.close()
        ends = sql(path, "select match, count(*) from log where kind = 'end' group by match")
        assert sorted(ends) == sorted((table, 1) for table in tables)
    assert "never retrieved" not in caplog.text


@pytest.mark.xfail(reason="FAULT: each server only knows who is connected to itself, so both take present people for absent")
async def test_nobody_is_absent_who_follows_at_the_other_server(tmp_path: Path) -> None:
    clock = Clock()
    path = tmp_path / "mekuri.db"
    async with both(path, clock, grace=30) as (one, two), guests(one, "Aki") as (aki,), guests(two, "Ben") as (ben,):
        ben_here = at(one, ben)
        table = await begun([aki, ben_here], GAMES[0])
        async with hearing(aki, table) as line, hearing(ben, table) as other:
            for each in (line, other):
                await each.some("table")
            clock.ahead += 60
            for server in (one, two):
                await sweep_once(server.house)
            seats = (await aki.look(table))["head"]["seats"]
        await ben_here.close()
    assert [seat["bot"] for seat in seats] == [None, None]
