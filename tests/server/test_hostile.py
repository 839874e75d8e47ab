"""Random calls of a hostile client, by the thousand: nothing fails, and the tables of the others are not touched."""

import asyncio
import logging
import resource
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random, randrange

import pytest

import mekuri
from mekuri.cards import card_text
from mekuri.match.verify import verify
from tests.helpers.server.gathering import KINDS, WINDOWS
from tests.helpers.server.hostility import Hostile
from tests.helpers.server.raw import Headers, Tap, body_of, request, send, status
from tests.helpers.server.serving import Guest, Serving, play_out, serving
from tests.helpers.tables import BOTS, GAMES, USUAL, seats_for
from tests.helpers.time import moment, until

CALLS = 800
AT_ONCE = 12
_MOST_MEMORY = 200 << 20  # bytes more than before


async def some_guest(server: Serving) -> Headers:
    guest = body_of(await send(server.address, request("POST", "/api/guests", {"name": "Oni"})))
    return {"authorization": f"Bearer {guest['token']}"}


async def honest_table(server: Serving, name: str, bots: bool) -> tuple[str, list[Guest]]:
    """A running table of people, or of a person and bots."""
    game = mekuri.game(name)
    people = [await Guest(server.address).arrive(f"Honest {n}") for n in range(1 if bots else game.seats)]
    seats = [*["person"] * len(people), *[BOTS[-1]] * (game.seats - len(people))]
    table = await people[0].make(name, seats=seats, match_options={"rounds": "2"})
    for guest in people:
        await guest.sit(table, cut=guest.id)
    return table, people


async def attack(server: Serving, hostile: Hostile, calls: int, chance: Random, seen: Counter[int]) -> None:
    for _ in range(calls):
        if chance.random() < 0.03:
            path, headers = hostile.stream()
            tap = await Tap(server.address).open(path, headers)
            seen[status(tap.heard)] += 1
            await tap.close()
            continue
        sent = hostile.call()
        heard = await send(server.address, sent, patience=0.5)
        seen[status(heard)] += 1
        if status(heard) >= 500:
            print(sent, heard)  # is told where the test fails
        if status(heard) == 201 and b'"head"' in heard and len(hostile.tables) < 40:
            hostile.tables.append(body_of(heard)["id"])


async def settled(server: Serving) -> None:
    """Wait until nothing is left of the clients that have gone."""
    cache = server.desk.tables
    while server.desk.streams.open or cache.tasks or any(live.bots or live.lock.locked() for live in cache.live_tables.values()):
        await moment()


@pytest.mark.every_days(4)
@pytest.mark.parametrize(
    "calls", [CALLS, pytest.param(10_000, marks=pytest.mark.slow), pytest.param(200_000, marks=pytest.mark.soak)]
)
async def test_random_calls_break_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture, calls: int) -> None:
    seed = randrange(1 << 32)  # of the test, and another with --shuffle
    print(f"seed {seed}")
    chance, seen = Random(seed), Counter[int]()
    caplog.set_level(logging.WARNING)
    async with serving(tmp_path / "mekuri.db", patience=2) as server:
        # None at which something would happen meanwhile, though everybody is silent.
        honest = [await honest_table(server, name, bots) for name in KINDS if name not in WINDOWS for bots in (False, True)]
        await settled(server)
        before = [[await guest.look(table) for guest in guests] for table, guests in honest]
        enemies = [await some_guest(server) for _ in range(4)]
        own = [await _table_of(server, who, name) for who, name in zip(enemies, GAMES * len(enemies), strict=False)]
        actions = [card_text(card) for name in GAMES for card in mekuri.game(name).contract.rules.pack(mekuri.game(name).options)]
        tables = [*own, *(table for table, _ in honest)]
        hostile = Hostile(chance, tables, [*enemies, {}, {"authorization": "Bearer x"}], actions, GAMES)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        tasks = len(asyncio.all_tasks())
        await asyncio.gather(*(attack(server, hostile, calls // AT_ONCE, chance, seen) for _ in range(AT_ONCE)))
        await settled(server)
        print(dict(seen))
        assert not [code for code in seen if code >= 500]
        assert [each.getMessage() for each in caplog.records if each.levelno >= logging.ERROR] == []
        assert seen[200] > calls // 20
        assert len(asyncio.all_tasks()) <= tasks + 2
        assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) * 1024 < _MOST_MEMORY
        for (table, guests), rows in zip(honest, before, strict=True):
            assert [await guest.look(table) for guest in guests] == rows
            whole = await play_out(table, guests)
            record = await guests[0].http.get(f"/api/tables/{table}/record")
            assert verify(record.text, commitment=rows[0]["head"]["commitment"]).rounds == whole["head"]["round"]
            for guest in guests:
                await guest.close()


async def _table_of(server: Serving, who: Headers, name: str) -> str:
    """Return a table of a hostile client and a bot."""
    made = await send(server.address, request("POST", "/api/tables", {"game": name, "seats": seats_for(name, "person")}, who))
    table = str(body_of(made)["id"])
    await send(server.address, request("POST", f"/api/tables/{table}/seat", {}, who))
    return table


async def test_dropped_streams_leave_no_task(tmp_path: Path) -> None:
    """Also streams whose client disconnects silently while much is being sent."""
    async with serving(tmp_path / "mekuri.db") as server:
        table, guests = await honest_table(server, USUAL, bots=True)
        await play_out(table, guests)
        tasks = len(asyncio.all_tasks())
        for _ in range(20):
            taps = [await Tap(server.address).open(f"/api/stream?table={table}", {"last-event-id": "0"}) for _ in range(5)]
            for tap in taps:
                with suppress(ConnectionError):
                    await tap.close()
        await settled(server)
        live = server.desk.tables.live_tables[table]
        assert not live.streams
        assert live.table
        assert live.table.history.watched == set()
        await until(lambda: len(asyncio.all_tasks()) <= tasks)
        await guests[0].close()
