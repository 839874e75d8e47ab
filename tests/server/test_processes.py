"""Two servers on one database: people of one table play on different ones, and nobody can tell.

One of them is the home of the table, and the other hands on to it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from mekuri import replay
from mekuri.desk.homes import NotHere
from mekuri.match.verify import verify
from mekuri.server.http.background import sweep_once
from mekuri.server.storage.side import DiskFull
from mekuri.table import commands
from mekuri.table.errors import ProblemError
from tests.helpers.server.gathering import Heard, at, begun, choosing, full, guests, hearing, kinds_in_turn, pair, party, usual_bot
from tests.helpers.server.serving import Guest, Json, Refusal, Serving, act, serving
from tests.helpers.server.stores import sql, write
from tests.helpers.tables import USUAL
from tests.helpers.time import FakeTime, fake_time, moment, until

GRACE = 30


@asynccontextmanager
async def both(path: Path, time: FakeTime | None = None, **settings: Any) -> AsyncIterator[tuple[Serving, Serving]]:
    """Two servers on one file."""
    shared = time or fake_time()
    async with serving(path, shared, **settings) as one, serving(path, shared, **settings) as two:
        yield one, two


async def play_on(table: str, people: list[Guest], chance: Random) -> None:
    """Play a match to its end, with people whose servers may be a moment behind."""
    while (await people[0].look(table))["head"]["state"] != "over":
        for guest in people:
            try:
                await act(guest, table, chance)
            except Refusal as refused:
                if refused.error not in ("stale", "decided-otherwise", "ahead", "round-running"):
                    raise
        await moment()


@kinds_in_turn(2)
async def test_match_over_two_servers_gives_equal_streams(tmp_path: Path, name: str) -> None:
    """Players at different servers, one of them changing: all streams agree, and nothing is lost."""
    async with both(tmp_path / "mekuri.db") as (one, two), guests(one, "Aki") as (aki,), guests(two, "Ben") as (ben,):
        aki_there, watcher, watcher_there = at(two, aki), Guest(one.address), Guest(two.address)
        table = await aki.make(name, **pair(name, match_options={"rounds": "2"}))
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
                assert line.received == other.received
                versions = [event["version"] for event in line.of("event")]
                assert versions == list(range(versions[0], versions[-1] + 1))
        records = [(await guest.http.get(f"/api/tables/{table}/record")).text for guest in (aki, ben)]
        assert records[0] == records[1]
        assert verify(records[0]).rounds == 2
        assert replay(records[0]).over
        rows = await one.desk.store.rows(table)
        assert [row.n for row in rows] == list(range(len(rows)))


async def test_list_counts_tables_of_an_unanswering_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with both(tmp_path / "mekuri.db") as (one, two), guests(one, "Aki") as (aki,):
        there = at(two, aki)
        far, near = await aki.make(USUAL, seats=["person", "person"]), await there.make(USUAL, seats=["person", "person"])
        for guest, table in ((aki, far), (there, near)):
            await guest.sit(table, seat=0)
        lists = await there.call("GET", "/api/tables")
        assert ({table["id"] for table in lists["yours"]}, lists["unanswered"]) == ({far, near}, 0)

        async def busy(*_: object) -> bytes:
            raise ProblemError("busy")

        monkeypatch.setattr(two.desk.peers._client, "do", busy)
        lists = await there.call("GET", "/api/tables")
        assert ([table["id"] for table in lists["yours"]], lists["unanswered"]) == ([near], 1)


@kinds_in_turn(0)
async def test_table_moves_to_the_process_that_follows_it(tmp_path: Path, name: str) -> None:
    """Made at one server, followed and played at through the other, as behind a proxy that shares out by the table."""
    async with both(tmp_path / "mekuri.db") as (one, two), guests(one, *party(name)) as people:
        there = [at(two, guest) for guest in people]
        table = await people[0].make(name, **full(name, match_options={"rounds": "1"}))
        assert list(one.desk.tables.live_tables) == [table]
        async with hearing(there[0], table) as line, hearing(people[1], table) as other:
            await line.some("table")
            await other.some("table")
            assert not one.desk.tables.live_tables
            assert list(two.desk.tables.live_tables) == [table]
            for guest in there:
                await guest.sit(table)
            await play_on(table, [*there, people[0]], Random(name))
            for each in (line, other):
                await each.some("event", lambda event: event["kind"] == "end")
        assert not one.desk.tables.live_tables


@kinds_in_turn(1)
async def test_table_moves_with_its_bots(tmp_path: Path, name: str) -> None:
    """As the page makes one: a table, a seat, and a stream when the bots may be at work already."""
    async with both(tmp_path / "mekuri.db") as (one, two), guests(one, "Aki") as (aki,):
        there = at(two, aki)
        seats = ["person", *[usual_bot(name)] * (len(party(name)) - 1)]
        table = await aki.make(name, seats=seats, match_options={"rounds": "1"})
        await there.sit(table)
        async with hearing(there, table) as line:
            await line.some("table")
            assert list(two.desk.tables.live_tables) == [table]
            assert not one.desk.tables.live_tables
            await play_on(table, [there], Random(name))
            await line.some("event", lambda event: event["kind"] == "end")


async def test_followed_table_stays_at_its_process(tmp_path: Path, name: str) -> None:
    """Until it has no stream there any more."""
    async with both(tmp_path / "mekuri.db") as (one, two), guests(one, "Aki") as (aki,):
        there, table = at(two, aki), await aki.make(name, **pair(name))
        async with hearing(aki, table) as line:
            await line.some("table")
            async with hearing(there, table) as other:
                await other.some("table")
            assert list(one.desk.tables.live_tables) == [table]
        await until(lambda: not one.desk.streams.open)
        async with hearing(there, table) as other:
            await other.some("table")
            assert list(two.desk.tables.live_tables) == [table]


async def test_table_is_not_handed_to_an_unknown_process(tmp_path: Path, name: str) -> None:
    async with serving(tmp_path / "mekuri.db") as server, guests(server, "Aki") as (aki,):
        table = await aki.make(name, **pair(name))
        live = server.desk.tables.live_tables[table]
        assert not await server.desk.peers.hand_over(table, "nobody")
        assert server.desk.tables.live_tables[table] is live


async def test_table_stays_if_the_handover_cannot_be_written(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its stream works all the same."""
    async with both(tmp_path / "mekuri.db") as (one, two), guests(one, "Aki") as (aki,):
        there, table = at(two, aki), await aki.make(name, **pair(name))

        async def refuse(*_: Any) -> bool:
            raise DiskFull("the disk is full")

        monkeypatch.setattr(one.desk.store, "hand_over", refuse)
        async with hearing(there, table) as line:
            await line.some("table")
            assert list(one.desk.tables.live_tables) == [table]
            assert not two.desk.tables.live_tables


@kinds_in_turn(0)
async def test_action_sent_to_both_servers_happens_once(tmp_path: Path, name: str) -> None:
    """Sent to both servers at once, again and again, it happens once and has one answer."""
    path, done = tmp_path / "mekuri.db", 0
    async with both(path) as (one, two), guests(one, *party(name)) as people:
        there = [at(two, guest) for guest in people]
        table = await begun(people, name, rounds=1)
        while done < 10 and not (await people[0].look(table))["view"]["over"]:
            guest, view = await choosing(table, people)
            action = view["legal"][0]["action"]
            both_lines = [guest, there[people.index(guest)]] * 3
            for line in both_lines[:2]:
                await until_version(line, table, view["version"])
            answers = await asyncio.gather(*(line.play(table, view["version"], action) for line in both_lines))
            assert all(answer == answers[0] for answer in answers)
            done += 1
        decided = sql(path, "select count(*) from log where match = ? and decision is not null", [table])
        assert decided == [(done,)]
        assert done > 2
        for line in there:
            await line.close()


async def until_version(guest: Guest, table: str, version: int) -> None:
    """Wait until a server has learned of another's action."""
    while (await guest.look(table))["version"] < version:
        await moment()


async def test_table_with_an_idempotency_key_is_made_once(tmp_path: Path, name: str) -> None:
    """Asked for with a key at both servers at once, and again when the guest may make no further one."""
    async with both(tmp_path / "mekuri.db", tables=1) as (one, two), guests(one, "Aki", "Ben") as (aki, ben):
        there, key = at(two, aki), "a-key-of-16-signs"
        made = await asyncio.gather(*(by_key(guest, name, key) for guest in (aki, there) * 3), return_exceptions=True)
        # If several ask before one has made it, the others may have been refused for the moment.
        first = await by_key(aki, name, key)
        assert {table for table in made if not isinstance(table, Refusal)} == {first}
        assert await by_key(there, name, key) == first
        with pytest.raises(Refusal, match="too-many-tables"):
            await by_key(there, name, '"another-key-of-his"')
        assert await by_key(ben, name, key) != first, "it is another guest's key"
        with pytest.raises(Refusal, match="idempotency_key"):
            await by_key(ben, name, "too short")


async def by_key(guest: Guest, name: str, key: str) -> str:
    """Make a table by a key, and return its id."""
    return str((await guest.call("POST", "/api/tables", {"game": name} | pair(name), {"Idempotency-Key": key}))["id"])


async def test_seat_is_taken_once_by_concurrent_guests(tmp_path: Path, name: str) -> None:
    async with both(tmp_path / "mekuri.db") as (one, two), guests(one, "Aki", "Ben") as (aki, ben), guests(two, "Eve") as (eve,):
        table = await aki.make(name, **pair(name))
        await aki.sit(table)
        for guest in (ben, eve):
            await guest.look(table)
        results = await asyncio.gather(ben.sit(table), eve.sit(table), return_exceptions=True)
        refused = [each for each in results if isinstance(each, Refusal)]
        assert [(each.status, each.error) for each in refused] == [(409, "table-full")]
        seats = (await aki.look(table))["head"]["seats"]
        assert seats[1]["name"] in ("Ben", "Eve")
        await until_version(eve, table, (await aki.look(table))["version"])
        assert (await eve.look(table))["head"]["seats"] == seats


async def test_damaged_match_is_voided_by_both_requests(tmp_path: Path, name: str) -> None:
    """The second process to close it finds it closed."""
    path, time = tmp_path / "mekuri.db", FakeTime()
    async with both(path, time) as (one, two), guests(one, "Aki", "Ben") as people:
        tables = [await begun(people, name) for _ in range(6)]
        time.move(1000)
        for server in (one, two):
            await sweep_once(server.desk)
            assert not server.desk.tables.live_tables
        for table in tables:
            await write(path, "update log set kind = 'open' where match = ? and kind = 'round'", [table])
        watchers = [Guest(one.address), Guest(two.address)]
        for table in tables:
            wholes = await asyncio.gather(*(watcher.look(table) for watcher in watchers))
            assert [whole["head"]["why"] for whole in wholes] == ["void", "void"]


async def test_damaged_match_is_closed_once_at_start(tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture) -> None:
    """Both servers find it at start; one closes it, and both continue."""
    path = tmp_path / "mekuri.db"
    async with serving(path) as server, guests(server, "Aki", "Ben") as people:
        tables = [await begun(people, name) for _ in range(6)]
    for table in tables:
        await write(path, "update log set kind = 'open' where match = ? and kind = 'round'", [table])
    async with both(path) as (one, two):
        watchers = [Guest(one.address), Guest(two.address)]
        for watcher in watchers:
            for table in tables:
                assert (await watcher.look(table))["head"]["why"] == "void"
            await watcher.close()
        ends = sql(path, "select match, count(*) from log where kind = 'end' group by match")
        assert sorted(ends) == sorted((table, 1) for table in tables)
    assert "never retrieved" not in caplog.text


@dataclass
class Parted:
    """Aki and Ben at one table of two servers that share a log. Only Aki has a line as yet, and it is to the first of them."""

    path: Path
    time: FakeTime
    one: Serving
    two: Serving
    aki: Guest
    ben: Guest
    table: str
    line: Heard

    async def seen(self, aki: bool, ben: bool) -> Json:
        """Wait until Aki sees these presences, and return the entry of Ben."""
        await until(lambda: [seat["here"] for seat in self.line.of("presence")[-1]["presence"]] == [aki, ben])
        return dict(self.line.of("presence")[-1]["presence"][1])

    async def bots(self) -> list[str | None]:
        return [seat["bot"] for seat in (await self.aki.look(self.table))["head"]["seats"]]


@pytest.fixture
async def parted(tmp_path: Path) -> AsyncIterator[Parted]:
    path, time = tmp_path / "mekuri.db", FakeTime()
    async with both(path, time, grace=GRACE) as (one, two), guests(one, "Aki") as (aki,), guests(two, "Ben") as (ben,):
        ben_here = at(one, ben)
        table = await begun([aki, ben_here], USUAL)
        await ben_here.close()
        async with hearing(aki, table) as line:
            found = Parted(path, time, one, two, aki, ben, table, line)
            await found.line.some("presence")
            yield found


class TestPresence:
    async def test_stream_at_the_other_server_counts_as_present(self, parted: Parted) -> None:
        async with hearing(parted.ben, parted.table) as line:
            await line.some("table")
            assert (await parted.seen(True, True))["bot_at"] is None
            parted.time.move(10 * GRACE)
            for server in (parted.one, parted.two):
                await sweep_once(server.desk)
            assert await parted.bots() == [None, None]

    async def test_lost_stream_at_the_other_server_can_return(self, parted: Parted) -> None:
        async with hearing(parted.ben, parted.table):
            await parted.seen(True, True)
            parted.time.move(10 * GRACE)
        await until(lambda: not parted.two.desk.streams.open)
        bot_at = (await parted.seen(True, False))["bot_at"]
        assert abs(bot_at - (parted.time.now() + GRACE * 1000)) < 5000, "absence begins when the line is lost"
        parted.time.move(GRACE + 1)
        await sweep_once(parted.one.desk)
        assert await parted.bots() == [None, usual_bot(USUAL)]
        async with hearing(parted.ben, parted.table):
            assert (await parted.line.some("event", lambda event: event["kind"] == "back"))["seat"] == 1
            await parted.seen(True, True)
            assert await parted.bots() == [None, None]

    async def test_presence_is_known_before_the_table_is_loaded(self, parted: Parted) -> None:
        """The other server has not loaded the table, and shows the presence."""
        assert not parted.two.desk.tables.live_tables
        presence = (await parted.ben.look(parted.table))["presence"]
        assert [seat["here"] for seat in presence] == [True, False]

    async def test_only_the_home_runs_commands(self, parted: Parted) -> None:
        with pytest.raises(NotHere):
            await parted.two.desk.tables.run(parted.table, partial(commands.hold, seat=0))
        assert await parted.bots() == [None, None]

    async def test_action_at_the_other_server_counts_as_present(self, parted: Parted) -> None:
        """Ben has no line anywhere; what he does is in the log."""
        parted.time.move(GRACE + 1)
        await sweep_once(parted.one.desk)
        assert await parted.bots() == [None, usual_bot(USUAL)]
        await parted.ben.sit(parted.table)
        await parted.line.some("event", lambda event: event["kind"] == "back")
        await sweep_once(parted.one.desk)
        assert await parted.bots() == [None, None]

    async def test_action_counts_as_present_after_a_reload(self, parted: Parted) -> None:
        """For example if both servers write at once, and one has to retry."""
        parted.time.move(GRACE + 1)
        await sweep_once(parted.one.desk)
        live = parted.one.desk.tables.live_tables[parted.table]
        await parted.ben.sit(parted.table)
        async with live.lock:
            await live.open()
        await sweep_once(parted.one.desk)
        assert await parted.bots() == [None, None]

    async def test_stopped_server_leaves_no_presence(self, parted: Parted) -> None:
        async with hearing(parted.ben, parted.table):
            await parted.seen(True, True)
            await parted.two.stop()
            assert len(sql(parted.path, "select * from processes")) == 1
            await parted.seen(True, False)


async def test_server_without_peers_publishes_no_presence(tmp_path: Path) -> None:
    path = tmp_path / "mekuri.db"
    async with serving(path) as server, guests(server, "Aki", "Ben") as people:
        table = await people[0].make(USUAL, **pair(USUAL), public=True)
        async with hearing(people[0], table) as line:
            await line.some("table")
            for _ in range(10):
                await server.desk.peers.renew()
            assert sql(path, "select waiting from processes") == [("{}",)]
            async with serving(path) as other:
                for _ in range(2):
                    await server.desk.peers.renew()
                    await other.desk.peers.renew()
                assert other.desk.peers.cluster.elsewhere == {table: {people[0].id}}
    assert sql(path, "select * from processes") == []
