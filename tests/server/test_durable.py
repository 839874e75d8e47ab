"""What was acknowledged outlives kill -9, and a table is what its log says, or nothing: nothing is guessed."""

import asyncio
import json
import os
import random
import time
from pathlib import Path
from typing import Any

import pytest

from mekuri.match.verify import verify
from mekuri.server.store import StoreError
from tests.server.child import PATIENCE, Child
from tests.server.gathering import at, begun, choosing, guests, hearing, post, until
from tests.server.killing import Person
from tests.server.killing import Table as Sat
from tests.server.serving import Guest, Serving, play_out
from tests.server.stores import sql
from tests.tables import BOTS, GAMES, each_game

SEED = int(os.environ.get("MEKURI_KILL_SEED", time.time_ns() % 1_000_000))


# --- Killing ---


class TestKill:
    async def test_a_few_times(self, tmp_path: Path) -> None:
        await kill_and_play_on(tmp_path / "mekuri.db", 12)

    @pytest.mark.soak
    async def test_two_hundred_times(self, tmp_path: Path) -> None:
        await kill_and_play_on(tmp_path / "mekuri.db", 200)


async def kill_and_play_on(path: Path, kills: int) -> None:
    """People play matches of every game with each other and with bots, while their server is killed at random moments."""
    print(f"to kill at the same moments again: MEKURI_KILL_SEED={SEED}")
    chance = random.Random(SEED)
    child = Child(path)
    await child.start()
    people = [Person(await Guest(child.address).arrive(f"Guest {n}"), random.Random(chance.random())) for n in range(4)]
    tables: list[Sat] = []
    ending = asyncio.Event()
    try:
        # People ask until they are answered, and would do so for ever where the server does not start again.
        async with asyncio.timeout(PATIENCE + 4 * kills), asyncio.TaskGroup() as playing:
            for place, name in places():
                playing.create_task(play_matches(place, name, people, tables, ending))
            survived = await kill_often(child, kills, chance, tables)
            ending.set()
        assert all(table.over for table in tables)
        assert sum(person.retried for person in people) >= kills
        assert survived, "there were tables that a kill did not end"
        for table in tables:
            await check(path, table)
        assert sql(path, "pragma integrity_check") == [("ok",)]
    finally:
        await child.kill()
        for person in people:
            await person.guest.close()


def places() -> list[tuple[int, str]]:
    """Where matches are played: of every game one between two people, and one against each bot."""
    return [(place, name) for place, name in enumerate(name for name in GAMES for _ in range(1 + len(BOTS)))]


async def play_matches(place: int, name: str, people: list[Person], tables: list[Sat], ending: asyncio.Event) -> None:
    """Play one match after the other, at least one, until the killing is over."""
    kind = place % (1 + len(BOTS))
    while True:
        seated = [people[place % 4], people[(place + 1) % 4]] if kind == 0 else [people[place % 4]]
        table = await Sat.made(name, seated, [] if kind == 0 else [BOTS[kind - 1]], rounds=2)
        tables.append(table)
        await table.play()
        if ending.is_set():
            return


async def kill_often(child: Child, kills: int, chance: random.Random, tables: list[Sat]) -> int:
    """Kill a server and start it again, so many times; how often a match was being played then."""
    survived = 0
    for _ in range(kills):
        before = acknowledged(tables)
        # From right away, while it still reads its log, to some hundred actions later.
        if chance.random() < 0.8:
            while acknowledged(tables) == before:
                await asyncio.sleep(0.002)
        await asyncio.sleep(chance.random() ** 2 * 0.4)
        survived += any(not table.over for table in tables)
        await child.kill()
        await child.start()
        assert child.out, "it does not start again"
    return survived


def acknowledged(tables: list[Sat]) -> int:
    return sum(len(actions) for table in tables for person in table.people for actions in person.did.values())


async def check(path: Path, table: Sat) -> None:
    """What people were told is what the log has and what the record tells: nothing lost, nothing twice."""
    rows = sql(path, "select n, seat, decision, body, person, kind from log where match = ? order by n", [table.id])
    assert [row[0] for row in rows] == list(range(len(rows)))
    record = await table.record()
    told = [action for part in json.loads(record)["rounds"] for action in part["actions"].split()]
    for seat, person in enumerate(table.people):
        own = [row for row in rows if row[1] == seat and row[5] == "play"]
        assert {row[4] for row in own} == {person.guest.id}
        assert [row[2] for row in own] == list(range(len(own)))
        assert [json.loads(row[3])["action"] for row in own] == person.did[table.id]
        assert [action for action in told if action.startswith(f"{seat}:")] == [f"{seat}:{did}" for did in person.did[table.id]]
    assert len(told) == sum(row[2] is not None for row in rows)
    assert verify(record, commitment=table.commitment).rounds == 2
    assert [row[5] for row in rows].count("end") == 1


class TestFailingWrites:
    """The database cannot be written for a moment: whoever asked is told so, and nothing of it has happened."""

    @each_game
    async def test_is_told(self, server: Serving, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        async with guests(server, "Aki", "Ben") as people:
            table = await begun(people, name)
            guest, view = await choosing(table, people)
            action = view["legal"][0]["action"]
            async with hearing(guest, table) as heard:
                await heard.some("table")
                fail_once(server, monkeypatch)
                answer = await post(guest, table, view["version"], action)
                assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
                assert (await guest.look(table))["view"] == view
                assert not heard.of("event")
                assert (await post(guest, table, view["version"], action)).status_code == 200
                await heard.version((await guest.look(table))["version"])
            await play_out(table, people)

    @each_game
    async def test_whoever_waits_does_not_write_it(self, server: Serving, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        async with guests(server, "Aki", "Ben") as people:
            table = await begun(people, name)
            guest, view = await choosing(table, people)
            other = people[1 - people.index(guest)]
            fail_once(server, monkeypatch)
            failed, _ = await asyncio.gather(
                post(guest, table, view["version"], view["legal"][0]["action"]),
                other.leave(table),
            )
            assert failed.status_code == 503
            rows = await server.house.store.rows(table)
            assert [row.kind for row in rows if row.seat == view["you"] and row.kind == "play"] == []
            assert "leave" in [row.kind for row in rows]

    @each_game
    async def test_who_sits_down_is_not_told_before(self, server: Serving, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        """Even where somebody else's coming and going is told meanwhile."""
        async with guests(server, "Aki", "Ben", "Chiyo") as (aki, ben, chiyo):
            table, when = await aki.make(name, seats=["person", "person"]), asyncio.Event()
            async with hearing(chiyo, table) as heard:
                async with hearing(ben, table) as line:
                    await line.some("table")
                    fail_once(server, monkeypatch, when)
                    sitting = asyncio.create_task(aki.http.post(f"/api/tables/{table}/seat", json={}))
                    await until(lambda: unwritten(server, table))
                await until(lambda: len(server.house._streams) == 1)
                when.set()
                assert (await sitting).status_code == 503
                await ben.sit(table, seat=1)
                await heard.some("presence", lambda told: told["presence"])
                assert {seat["seat"] for told in heard.of("presence") for seat in told["presence"]} == {1}

    @each_game
    async def test_a_stream_that_ends_just_then(self, server: Serving, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        """It is let go, though its table is out of memory, and nobody counts as there any more."""
        async with guests(server, "Aki", "Ben") as people:
            table = await begun(people, name)
            guest, view = await choosing(table, people)
            line = at(server, people[1])
            async with hearing(line, table) as heard:
                await heard.some("table")
                fail_once(server, monkeypatch)
                assert (await post(guest, table, view["version"], view["legal"][0]["action"])).status_code == 503
            await until(lambda: not server.house._streams)
            assert [told["here"] for told in (await people[0].look(table))["presence"]] == [False, False]
            assert not server.house._lives[table].streams
            await line.close()


def unwritten(server: Serving, table: str) -> object:
    """What has been done at a table in memory and is not in the log yet."""
    found = server.house._lives[table].table
    return found and found.fresh


def fail_once(server: Serving, monkeypatch: pytest.MonkeyPatch, when: asyncio.Event | None = None) -> None:
    """Let the next write of a house fail, when an event is set, or after a moment."""
    append = server.house.store.append

    async def fail(*_: Any) -> None:
        monkeypatch.setattr(server.house.store, "append", append)
        await (when.wait() if when else asyncio.sleep(0.1))
        raise StoreError("the log cannot be written: disk full")

    monkeypatch.setattr(server.house.store, "append", fail)
