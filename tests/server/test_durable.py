"""Acknowledged rows survive kill -9, and a table is exactly what its log says."""

import asyncio
import os
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from mekuri import games
from mekuri.bots import OF_RULES
from mekuri.server.storage.store import StoreError
from tests.helpers.patience import PATIENCE
from tests.helpers.server import databases
from tests.helpers.server.child import Child
from tests.helpers.server.gathering import at, begun, choosing, each_kind, full, guests, hearing, party, post
from tests.helpers.server.killing import Person, Watcher, acknowledges, check
from tests.helpers.server.killing import Table as Sat
from tests.helpers.server.serving import Guest, Serving, play_out
from tests.helpers.server.stores import sql
from tests.helpers.tables import GAMES
from tests.helpers.time import moment, until

MOMENTS = ("silence", "several seats", "one seat", "the next round")


# --- Killing ---


# With three, the tables of the one that is killed play on at the others.
@pytest.mark.parametrize("processes", [1, 3])
class TestKill:
    @pytest.mark.in_turn(2)
    async def test_match_survives_a_few_kills(self, tmp_path: Path, processes: int) -> None:
        await kill_and_play_on(tmp_path / "mekuri.db", len(MOMENTS), processes)

    @pytest.mark.slow
    async def test_match_survives_thirty_kills(self, tmp_path: Path, processes: int) -> None:
        await kill_and_play_on(tmp_path / "mekuri.db", 30, processes)

    @pytest.mark.soak
    @pytest.mark.parametrize("part", range(10))
    async def test_match_survives_five_hundred_kills(self, tmp_path: Path, processes: int, part: int) -> None:
        """In parts with different seeds, since no test may take longer than ten minutes."""
        await kill_and_play_on(tmp_path / "mekuri.db", 50, processes)


async def kill_and_play_on(path: Path, kills: int, processes: int) -> None:
    """People play matches of every game with each other and with bots, while their servers are killed at random moments."""
    seed = int(os.environ.get("MEKURI_KILL_SEED", random.randrange(1_000_000)))  # of the test, and another with --shuffle
    print(f"to kill at the same moments again: MEKURI_KILL_SEED={seed}")
    chance = random.Random(seed)
    children = [Child(path) for _ in range(processes)]
    for child in children:
        await child.start()
    addresses = [child.address for child in children]
    people = [Person(await Guest(addresses[0]).arrive(f"Player {n}"), random.Random(chance.random()), addresses) for n in range(4)]
    tables: list[Sat] = []
    watchers: list[Watcher] = []
    ending = asyncio.Event()
    try:
        # People ask until they are answered, and would do so for ever where the server does not start again.
        async with asyncio.timeout(2 * PATIENCE + 12 * kills), asyncio.TaskGroup() as playing:
            for place, (name, bot) in enumerate(places(chance)):
                pair = [people[place % 4], people[(place + 1) % 4]]
                playing.create_task(play_matches(name, bot, pair, tables, watchers, ending))
            survived, pauses = await kill_often(children, kills, chance, tables)
            ending.set()
        assert all(table.over for table in tables)
        assert sum(person.retried for person in people) >= kills
        assert survived.keys() >= set(MOMENTS), "there were tables at every kind of moment that a kill did not end"
        for table in tables:
            await check(path, table)
        if not databases.running:
            assert sql(path, "pragma integrity_check") == [("ok",)]
        retried = sum(person.retried for person in people)
        print(f"{kills} kills: {len(tables)} matches, {acknowledged(tables)} actions acknowledged, {retried} requests sent again")
        print(f"what tables waited for when the server was killed: {dict(survived)}")
        print(f"seconds until an action was acknowledged again: {sorted(pauses)[len(pauses) // 2]:.2f}, at most {max(pauses):.2f}")
    finally:
        for child in children:
            await child.kill()
        for person in people:
            await person.guest.close()
        for watcher in watchers:
            await watcher.close()


def places(chance: random.Random) -> list[tuple[str, str | None]]:
    """Return tables of every game: one between two people, and one against bots."""
    return [(name, bot) for name in GAMES for bot in (None, chance.choice((*OF_RULES, *(bot.id for bot in games.find(name).bots))))]


async def play_matches(
    name: str, bot: str | None, people: list[Person], tables: list[Sat], watchers: list[Watcher], ending: asyncio.Event
) -> None:
    """Play one match after the other, at least one, until the killing is over."""
    while True:
        table = await Sat.made(name, people[:1] if bot else people, [bot] if bot else [], rounds=2)
        tables.append(table)
        watchers.append(watcher := people[0].watcher(table.id))
        await asyncio.gather(table.play(), watcher.watch())
        if ending.is_set():
            return


async def kill_often(
    children: list[Child], kills: int, chance: random.Random, tables: list[Sat]
) -> tuple[Counter[str], list[float]]:
    """Kill one of the servers and start it again, so many times. If there are others, they play on before it is started.

    Returns:
        How many tables were waiting then, and what for; and the seconds until an action was acknowledged again.
    """
    survived, pauses = Counter[str](), list[float]()
    for _ in range(kills):
        before, wanted = acknowledged(tables), next((moment for moment in MOMENTS if not survived[moment]), None)
        if wanted:
            while not any(table.moment == wanted for table in tables if not table.over):
                await moment()
        else:
            # From right away, while it still reads its log, to some hundred actions later.
            if chance.random() < 0.8:
                while acknowledged(tables) == before:
                    await moment()
            await asyncio.sleep(chance.random() ** 2 * 0.4)
        survived.update(table.moment for table in tables if not table.over)
        child, running = chance.choice(children), [table for table in tables if not table.over]
        await child.kill()
        killed, done = time.monotonic(), {table: acknowledged([table]) for table in running}
        if len(children) > 1:
            # Each table, also tables whose home it was.
            while any(acknowledged([table]) == done[table] for table in running if not table.over):
                await moment()
            pauses.append(time.monotonic() - killed)
        await child.start()
        assert child.out, "it does not start again"
        if len(children) == 1:
            while acknowledged(running) == sum(done.values()) and any(not table.over for table in running):
                await moment()
            pauses.append(time.monotonic() - killed)
    return survived, pauses


def acknowledged(tables: list[Sat]) -> int:
    return sum(len(person.did.get(table.id, ())) for table in tables for person in table.people)


def test_acknowledged_actions_are_found_in_the_log() -> None:
    rows = [("7I", True), ("pass", False), ("pass", True), ("2H", True)]
    assert acknowledges(rows, ["7I", "pass", "2H"])
    assert acknowledges(rows, ["7I", "pass", "pass", "2H"])
    for wrong in (
        ["7I", "2H"],
        ["7I", "pass"],
        ["7I", "pass", "2H", "2H"],
        ["7I", "pass", "pass", "pass", "2H"],
        ["pass", "7I", "2H"],
    ):
        assert not acknowledges(rows, wrong)


class TestFailingWrites:
    """The database cannot be written for a moment: the caller gets an error, and nothing has changed."""

    @each_kind
    async def test_failed_write_is_refused_and_undone(self, server: Serving, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        async with guests(server, *party(name)) as people:
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

    @each_kind
    async def test_failed_action_is_not_written_by_a_later_one(
        self, server: Serving, monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        async with guests(server, *party(name)) as people:
            table = await begun(people, name)
            guest, view = await choosing(table, people)
            other = next(other for other in people if other is not guest)
            fail_once(server, monkeypatch)
            failed, _ = await asyncio.gather(post(guest, table, view["version"], view["legal"][0]["action"]), other.leave(table))
            assert failed.status_code == 503
            rows = await server.desk.store.rows(table)
            assert [row.kind for row in rows if row.seat == view["you"] and row.kind == "play"] == []
            assert "leave" in [row.kind for row in rows]

    @each_kind
    async def test_unwritten_seat_is_not_announced(self, server: Serving, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        """This holds although another player's presence is announced meanwhile."""
        async with guests(server, "Aki", "Ben", "Chiyo") as (aki, ben, chiyo):
            table, when = await aki.make(name, **full(name)), asyncio.Event()
            async with hearing(chiyo, table) as heard:
                async with hearing(ben, table) as line:
                    await line.some("table")
                    fail_once(server, monkeypatch, when)
                    sitting = asyncio.create_task(aki.http.post(f"/api/tables/{table}/seat", json={}))
                    await until(lambda: unwritten(server, table))
                await until(lambda: len(server.desk.streams.open) == 1)
                when.set()
                assert (await sitting).status_code == 503
                await ben.sit(table, seat=1)
                await heard.some("presence", lambda event: event["presence"])
                assert {seat["seat"] for event in heard.of("presence") for seat in event["presence"]} == {1}

    @each_kind
    async def test_stream_ended_by_a_failed_write_is_released(
        self, server: Serving, monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        """The stream is released although its table is unloaded, and its person is no longer present."""
        async with guests(server, *party(name)) as people:
            table = await begun(people, name)
            guest, view = await choosing(table, people)
            line = at(server, people[1])
            async with hearing(line, table) as heard:
                await heard.some("table")
                fail_once(server, monkeypatch)
                assert (await post(guest, table, view["version"], view["legal"][0]["action"])).status_code == 503
            await until(lambda: not server.desk.streams.open)
            assert not any(seat["here"] for seat in (await people[0].look(table))["presence"])
            assert not server.desk.tables.live_tables[table].streams
            await line.close()


def unwritten(server: Serving, table: str) -> object:
    """Return the actions of a table in memory that are not in the log yet."""
    found = server.desk.tables.live_tables[table].table
    return found and found.fresh


def fail_once(server: Serving, monkeypatch: pytest.MonkeyPatch, when: asyncio.Event | None = None) -> None:
    """Let the next write of a house fail, when an event is set, or after a moment."""
    append = server.desk.store.append

    async def fail(*_: Any) -> None:
        monkeypatch.setattr(server.desk.store, "append", append)
        await (when.wait() if when else asyncio.sleep(0.1))
        raise StoreError("the log cannot be written: disk full")

    monkeypatch.setattr(server.desk.store, "append", fail)
