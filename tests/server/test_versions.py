"""Processes of two releases on one database: requests are not forwarded, and tables move to the process that needs them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import httpx
import msgspec
import pytest

from mekuri.server.cluster import peer_protocol, peers
from mekuri.server.cluster.peer_protocol import NEW_KINDS, VERSION, Call, Follow, Reply
from mekuri.server.cluster.peer_server import _Caller
from mekuri.server.cluster.peers import Peers
from mekuri.table.transitions import KINDS
from tests.helpers.server.gathering import SlowBot, at, begun, choosing, guests, hearing, party
from tests.helpers.server.serving import Guest, Refusal, Serving, act, serving
from tests.helpers.server.stores import sql, write
from tests.helpers.tables import USUAL
from tests.helpers.time import fake_time, moment, until

# The kinds of rows of the release before the protocol had a version.
OF_VERSION_0 = {
    *("make", "sit", "draw", "free", "leave", "hold", "back", "lapse", "ready"),
    *("round", "play", "take-back", "answer", "late", "open", "end", "rematch", "say"),
}


@asynccontextmanager
async def both(path: Path, version: int = VERSION + 1) -> AsyncIterator[tuple[Serving, Serving]]:
    """Return a server and another of a different version, on one database."""
    async with serving(path) as one, serving(path) as two:
        two.desk.peers._client._version = two.desk.peers._server._version = version
        for server in (one, two):
            await server.desk.peers.renew()  # each knows the other
            server.desk.peers._client.close()  # they have connected at the start
        yield one, two


@pytest.fixture
def handed_on(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The calls that a process has done for another."""
    done: list[str] = []

    async def do_here(self: Peers, name: str, body: bytes) -> bytes:
        done.append(name)
        raise AssertionError("a call of another version is done")

    async def follow_here(self: Peers, stream: object, process: str) -> None:
        done.append("follow")
        raise AssertionError("a stream of another version is told")

    monkeypatch.setattr(Peers, "do_here", do_here)
    monkeypatch.setattr(Peers, "follow_here", follow_here)
    return done


async def asked(guest: Guest, table: str) -> httpx.Response:
    return await guest.http.get(f"/api/tables/{table}")


@pytest.mark.parametrize("version", [0, VERSION + 1])
async def test_players_at_two_releases_finish_a_match(tmp_path: Path, handed_on: list[str], version: int) -> None:
    """Each request takes the table to the process that was asked."""
    async with both(tmp_path / "mekuri.db", version) as (one, two), guests(one, *party(USUAL)) as (aki, ben):
        people = [aki, at(two, ben)]
        table = await begun(people, USUAL, rounds=1)
        chance = Random(0)
        while (await people[0].look(table))["head"]["state"] != "over":
            for guest in people:
                await act(guest, table, chance)
        assert not handed_on
        rows = await one.desk.store.rows(table)
        assert [row.n for row in rows] == list(range(len(rows)))
        assert (rows[-1].kind, rows[-1].body["why"]) == ("end", "played")
        await people[1].close()


async def test_streams_end_when_the_table_moves_and_miss_nothing(tmp_path: Path, handed_on: list[str]) -> None:
    async with both(tmp_path / "mekuri.db") as (one, two), guests(one, *party(USUAL)) as people:
        there = at(two, people[0])
        table = await begun(people, USUAL)
        async with hearing(people[1], table) as first:
            version = (await first.some("table"))["version"]
            async with hearing(there, table) as second:
                await second.some("table")
                await until(lambda: first.of("bye"))
                assert list(two.desk.tables.live_tables) == [table]
                assert not one.desk.tables.live_tables
                guest, view = await choosing(table, people)
                await guest.play(table, view["version"], view["legal"][0]["action"])
                await until(lambda: second.of("bye"))
        async with hearing(people[1], table, last=str(version)) as again:
            now = (await people[1].look(table))["version"]
            await again.version(now)
            assert [event["version"] for event in again.of("event")] == list(range(version + 1, now + 1))
        assert not handed_on


async def test_table_does_not_move_during_a_bot_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move to another process would break the choice off, again and again."""
    async with both(tmp_path / "mekuri.db") as (one, two), guests(one, "Aki") as (aki,):
        there = at(two, aki)
        with SlowBot("random", monkeypatch) as bot:
            table = await begun([aki], USUAL)
            while not bot.turns:
                if not await act(aki, table, Random(0)):
                    await moment()
            with monkeypatch.context() as patch:
                patch.setattr(peers, "_UNTIL_QUIET", 0)  # time stands still while a bot thinks
                refused = await asked(there, table)
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
            assert list(one.desk.tables.live_tables) == [table]
            bot.answer()
            await until(lambda: not one.desk.tables.live_tables[table].bots)
            assert (await asked(there, table)).status_code == 200
            assert list(two.desk.tables.live_tables) == [table]


async def test_lists_move_only_tables_without_streams(tmp_path: Path) -> None:
    """Each look at a list would else end the streams of all tables in it."""
    async with both(tmp_path / "mekuri.db") as (one, two), guests(one, *party(USUAL)) as people:
        there = at(two, people[0])
        followed, other = [await begun(people, USUAL) for _ in range(2)]
        async with hearing(people[1], followed) as heard:
            await heard.some("table")
            lists = await there.call("GET", "/api/tables")
            assert ([table["id"] for table in lists["yours"]], lists["unanswered"]) == ([other], 1)
            assert (list(one.desk.tables.live_tables), list(two.desk.tables.live_tables)) == ([followed], [other])
            assert not heard.of("bye")


async def test_table_followed_by_version_0_does_not_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Version 0 does so if the table is followed."""
    dropped: list[int] = []

    async def follow(self: _Caller, call: Call, *_: object) -> None:
        assert msgspec.msgpack.decode(call.body, type=Follow).table == table
        self._line.send(Reply(call.number, "message", b"{}", "table", 7))
        self._line.send(Reply(call.number, "done"))

    monkeypatch.setattr(_Caller, "_give_up", follow)
    monkeypatch.setattr(_Caller, "_drop", lambda self, number: dropped.append(number))
    async with both(tmp_path / "mekuri.db", 0) as (one, two), guests(one, "Aki") as (aki,):
        there = at(two, aki)
        table = await there.make(USUAL)
        refused = await asked(aki, table)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
        await until(lambda: dropped)


async def test_table_with_rows_unknown_to_a_peer_does_not_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with both(tmp_path / "mekuri.db", 0) as (one, two), guests(one, "Aki") as (aki,):
        there = at(two, aki)
        table, free = await aki.make(USUAL), await aki.make(USUAL)
        await aki.sit(table)
        monkeypatch.setitem(NEW_KINDS, 0, frozenset({"sit"}))
        assert (await asked(there, table)).status_code == 503
        assert (await asked(there, free)).status_code == 200
        assert list(one.desk.tables.live_tables) == [table]


def test_kinds_that_version_0_does_not_know_are_listed() -> None:
    """A new kind of row is in NEW_KINDS for each older version, or a process of that version voids the match."""
    assert NEW_KINDS[0] == KINDS - OF_VERSION_0
    assert set(NEW_KINDS) == set(range(VERSION))


def test_wire_format_between_versions_is_stable() -> None:
    """It never changes, whatever fields are added at the end."""
    encode = msgspec.msgpack.encode
    asked = encode(["m", None, "", None, None, 0, "caller"])
    assert encode(Follow("m", None, "", None, None, 0, "caller"))[1:].startswith(asked[1:])
    assert encode(Call(1, "follow", "", "", asked))[1:].startswith(encode([1, "follow", "", "", asked])[1:])
    assert encode(Reply(1, "elsewhere"))[1:].startswith(encode([1, "elsewhere", b""])[1:])
    assert peer_protocol.UNFOLLOWED == "unfollowed"
    assert msgspec.msgpack.decode(encode([1, "elsewhere", b"", "", None, 0, 0, "more"]), type=Reply).kind == "elsewhere"
    assert msgspec.msgpack.decode(encode(["m", None, "", None, None, 0, "caller", "more"]), type=Follow).process == "caller"
    nonce = peer_protocol._new_nonce(258)
    assert (len(nonce), nonce[:8]) == (32, b"mekuri\x01\x02")
    assert peer_protocol._version(bytes(32)) == 0


async def add_row(path: Path, table: str) -> None:
    """Add a row of a kind that there is not, as a newer release would."""
    row = "SELECT match, max(n) + 1, 'made-up', '{}', 1, '' FROM log WHERE match = ? GROUP BY match"
    await write(path, f"INSERT INTO log (match, n, kind, body, at, writer) {row}", [table])


class TestNewerRows:
    """A row that this release does not know is no proof that a match cannot be played."""

    async def test_match_with_newer_rows_waits_unchanged(self, tmp_path: Path) -> None:
        path = tmp_path / "mekuri.db"
        async with both(path) as (one, _), guests(one, "Aki", "Ben") as people:
            table = await begun(people, USUAL)
            await add_row(path, table)
            one.desk.tables.drop_all()
            rows = await one.desk.store.rows(table)
            for guest in people:
                refused = await asked(guest, table)
                assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
                assert refused.json()["error"] == "newer"
            assert await one.desk.store.rows(table) == rows
            assert sql(path, "select state, home from matches where id = ?", [table]) == [("running", "")]
            assert one.desk.store.id not in {home for (home,) in sql(path, "select home from matches")}
            await one.desk.tables.visit(table)
            assert sql(path, "select home from matches where id = ?", [table]) == [("",)], "it is not looked at again for its bots"

    async def test_single_process_keeps_a_match_with_newer_rows(self, tmp_path: Path) -> None:
        """Without another process, giving it up would only cost writes."""
        path = tmp_path / "mekuri.db"
        async with serving(path, fake_time()) as server, guests(server, "Aki") as (aki,):
            table = await aki.make(USUAL)
            await add_row(path, table)
            server.desk.tables.drop_all()
            with pytest.raises(Refusal, match="newer rules"):
                await aki.look(table)
            assert sql(path, "select home from matches") == [(server.desk.store.id,)]
