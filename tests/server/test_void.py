"""Matches that the present rules cannot replay: they are closed with a notice, and their seats and results are kept."""

import json
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from mekuri import replay
from tests.helpers.server.gathering import at, begun, choosing, guests, hearing, kinds_in_turn, party
from tests.helpers.server.serving import Guest, Json, Refusal, play_out, refused, serving
from tests.helpers.server.stores import sql, write
from tests.helpers.time import FakeTime, until

LOGS = ("mekuri.desk", "mekuri.server")


class TestVoid:
    """A running match whose log the rules do not lead through."""

    @kinds_in_turn(2)
    async def test_unreplayable_match_is_closed_with_a_notice(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str
    ) -> None:
        path = tmp_path / "mekuri.db"
        async with serving(path) as server, guests(server, *party(name)) as people:
            table = await begun(people, name)
            for _ in range(4):
                guest, view = await choosing(table, people)
                await guest.play(table, view["version"], view["legal"][0]["action"])
            before = await people[0].look(table)
        await damage(path, table)
        rows = sql(path, "select * from log where match = ? order by n", [table])
        async with serving(path) as server:
            aki, watcher = at(server, people[0]), Guest(server.address)
            for guest in (aki, watcher):
                async with hearing(guest, table, last=str(before["version"])) as heard:
                    message = await heard.some("table")
                assert (message["head"]["state"], message["head"]["why"], message["head"]["winners"]) == ("over", "void", None)
                assert message["view"] is None
                assert [seat["name"] for seat in message["head"]["seats"]] == list(party(name))
            assert (await aki.look(table))["you"] == 0
            assert await aki.events(table) == []
            asking: list[Callable[[], Awaitable[object]]] = [
                lambda: aki.ready(table, 1),
                lambda: aki.play(table, 1, "1H"),
                lambda: record_of(aki, table),
                lambda: replay_of(aki, table),
            ]
            for ask in asking:
                assert (await refused(ask()))[0] in (404, 409)
            # The existing rows are unchanged; one row more closes it.
            after = sql(path, "select * from log where match = ? order by n", [table])
            assert after[:-1] == rows
            assert await server.desk.store.ids("running") == []
        warnings = [each for each in caplog.records if each.levelno == logging.WARNING and each.name in LOGS]
        assert len(warnings) == 1
        assert name in warnings[0].getMessage()
        assert table not in warnings[0].getMessage(), "an id is an invitation"

    @kinds_in_turn(0)
    async def test_match_with_too_many_seats_is_closed(self, tmp_path: Path, name: str) -> None:
        """It is closed like any other, and harms no other."""
        path = tmp_path / "mekuri.db"
        async with serving(path) as server, guests(server, *party(name)) as people:
            first, second = [await begun(people, name) for _ in range(2)]
        body = json.loads(sql(path, "select body from log where match = ? and n = 0", [first])[0][0])
        values = [json.dumps(body | {"seats": ["person"] * 99}), first]
        await write(path, "update log set body = ? where match = ? and n = 0", values)
        async with serving(path) as server:
            watcher = Guest(server.address)
            head = (await watcher.look(first))["head"]
            assert (await watcher.look(second))["head"]["state"] == "running"
        assert head["why"] == "void"
        assert [seat["name"] for seat in head["seats"]] == [*party(name), *[None] * (99 - len(party(name)))]

    async def test_resumed_stream_gets_the_void_notice(self, tmp_path: Path, name: str) -> None:
        path = tmp_path / "mekuri.db"
        async with serving(path) as server, guests(server, *party(name)) as people:
            table = await begun(people, name)
            version = (await people[0].look(table))["version"]
        await damage(path, table)
        async with serving(path) as server:
            watcher = Guest(server.address)
            for last in range(version + 1):
                async with hearing(watcher, table, last=str(last)) as heard:
                    await until(lambda: any(why_of(message) == "void" for message in heard.of("table") + heard.of("event")))

    async def test_match_found_damaged_during_play_is_voided(self, tmp_path: Path, name: str) -> None:
        """A table found damaged notifies its followers."""
        path = tmp_path / "mekuri.db"
        async with serving(path, time := FakeTime(), idle=60) as server, guests(server, *party(name)) as people:
            table = await begun(people, name)
            for _ in range(3):
                guest, view = await choosing(table, people)
                await guest.play(table, view["version"], view["legal"][0]["action"])
            guest, view = await choosing(table, people)
            async with hearing(people[0], table) as heard:
                await heard.some("table")
                await damage(path, table)
                # Another process writes, so that the log must be read again.
                end = sql(path, "select max(n) from log where match = ?", [table])[0][0]
                values = (table, end + 1, "ready", 0, "{}", time.now(), "another")
                await write(path, "insert into log (match, n, kind, seat, body, at, writer) values (?, ?, ?, ?, ?, ?, ?)", values)
                with pytest.raises(Refusal) as refused:
                    await guest.play(table, view["version"], view["legal"][0]["action"])
                assert refused.value.error in ("not-running", "ahead")
                assert (await heard.some("table", lambda message: message["head"]["state"] == "over"))["head"]["why"] == "void"

    async def test_void_match_keeps_its_seats(self, tmp_path: Path, name: str) -> None:
        path = tmp_path / "mekuri.db"
        async with serving(path) as server, guests(server, *party(name)) as people:
            table = await begun(people, name)
            await people[1].leave(table)
            await people[1].sit(table)
            before = (await people[0].look(table))["head"]["seats"]
        await damage(path, table)
        async with serving(path) as server:
            watcher = Guest(server.address)
            seats = (await watcher.look(table))["head"]["seats"]
        assert [(seat["name"], seat["bot"]) for seat in seats] == [(seat["name"], seat["bot"]) for seat in before]

    async def test_void_match_has_a_rematch_by_the_same_rules(self, tmp_path: Path, name: str) -> None:
        path = tmp_path / "mekuri.db"
        async with serving(path) as server, guests(server, *party(name)) as people:
            table = await begun(people, name, rounds=3)
            before = await people[0].look(table)
        await damage(path, table)
        async with serving(path) as server:
            aki = at(server, people[0])
            following = await aki.rematch(table)
        for each in ("options", "match_options", "length"):
            assert following[each] == before[each]

    @kinds_in_turn(1)
    async def test_damaged_finished_match_keeps_its_result(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str
    ) -> None:
        """A match that was played to its end keeps its winners and its record, though its cards cannot be looked at any more."""
        path = tmp_path / "mekuri.db"
        async with serving(path) as server, guests(server, *party(name)) as people:
            table = await begun(people, name)
            end = await play_out(table, people)
            record = await record_of(people[0], table)
        await damage(path, table)
        rows = sql(path, "select * from log where match = ? order by n", [table])
        async with serving(path) as server:
            watcher = Guest(server.address)
            whole = await watcher.look(table)
            assert (whole["head"]["why"], whole["head"]["winners"]) == ("played", end["head"]["winners"])
            assert whole["view"] is None
            assert await record_of(watcher, table) == record
            assert replay(json.dumps(record)).over
            with pytest.raises(Refusal):
                await replay_of(watcher, table)
        assert sql(path, "select * from log where match = ? order by n", [table]) == rows
        assert not [each for each in caplog.records if each.levelno >= logging.WARNING and each.name in LOGS]


def why_of(message: Json) -> object:
    return message["head"] and message["head"]["why"]


async def damage(path: Path, table: str) -> None:
    """Remove the table's own first action of the round, or the first one of a seat."""
    await write(
        path,
        "update log set kind = 'open' where match = ? and n = (select min(n) from log where match = ? and kind = 'round')",
        [table] * 2,
    )


async def record_of(guest: Guest, table: str) -> Json:
    return dict(await guest.call("GET", f"/api/tables/{table}/record"))


async def replay_of(guest: Guest, table: str) -> Json:
    return dict(await guest.call("GET", f"/api/tables/{table}/rounds/1"))
