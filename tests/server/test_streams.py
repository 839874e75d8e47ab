"""Streams: each viewer gets every event once and in order, despite broken connections and slow readers."""

import asyncio
import gc
import socket
import weakref
from contextlib import AsyncExitStack
from random import Random

import pytest

from mekuri.desk import live_table
from mekuri.desk import stream as streams
from mekuri.desk import streams as open_streams
from mekuri.desk.stream import Stream
from tests.helpers.server.gathering import MANY, at, begun, full, hearing, kinds_in_turn, pair, party
from tests.helpers.server.serving import Guest, Refusal, Serving, act, data, play_out
from tests.helpers.tables import GAMES, USUAL
from tests.helpers.time import until


async def test_ended_stream_is_not_followed(server: Serving, aki: Guest) -> None:
    """It would never be removed: its person would stay present, and the table in use."""
    table = await begun([aki], USUAL, bots=["random"])
    gone = Stream(aki.id, "127.0.0.1", [table], [None])
    gone.cut_off()
    await server.desk.streams.follow_here(gone, table)
    assert not server.desk.tables.live_tables[table].streams


async def test_closed_stream_is_released_without_gc(server: Serving, aki: Guest) -> None:
    """All its objects are released without the garbage collector, which looks at old objects only after hours."""
    table = await begun([aki], USUAL, bots=["random"])
    gc.collect()
    gc.disable()
    try:
        async with hearing(aki, table) as heard:
            await heard.some("table")
            [stream] = map(weakref.ref, server.desk.streams.open)
        await until(lambda: stream() is None)
    finally:
        gc.enable()


class TestResuming:
    @pytest.mark.alone
    @kinds_in_turn(2)
    async def test_stream_resumes_from_any_id(self, server: Serving, people: list[Guest], name: str, in_full: bool) -> None:
        """Exactly the missed events follow, in order, with the bytes of the live stream."""
        watcher = Guest(server.address)
        table = await people[0].make(name, **full(name, match_options={"rounds": "1"}))
        async with AsyncExitStack() as lines:
            everybody = [*people, watcher]
            heard = [await lines.enter_async_context(hearing(guest, table)) for guest in everybody]
            for guest in people:
                await guest.sit(table)
            await play_out(table, people, seed=5)
            ends = [(await guest.look(table))["version"] for guest in everybody]
            for line, end in zip(heard, ends, strict=True):
                await line.version(end)
        for guest, line, end in zip(everybody, heard, ends, strict=True):
            # A seat's own numbers begin when its person has sat down, and with the whole table.
            start = max(place for place, message in enumerate(line.messages) if message.event == "table")
            messages = [(message.id, message.data) for message in line.messages[start:] if message.event == "event"]
            versions = [int(id) for id, _ in messages]
            assert versions == list(range(versions[0], end + 1))
            for place in range(0, len(messages) - 1, 1 + len(messages) // (40 if in_full else 12)):
                id, _ = messages[place]
                async with hearing(guest, table, last=id) as again:
                    await again.version(end)
                assert again.received == messages[place + 1 :]
                assert not again.of("table")

    @pytest.mark.alone
    async def test_unknown_last_id_gets_the_whole_table(self, people: list[Guest], name: str) -> None:
        """A client with such an id, or with a version ahead, gets the present table."""
        table = await begun(people, name)
        whole = await people[0].look(table)
        for last in ("", "x", "-1", "1,2", "9" * 15, "9" * 40, str(whole["version"] + 1)):
            async with hearing(people[0], table, last=last) as heard:
                message = await heard.some("table")
                assert (message["view"], message["version"]) == (whole["view"], whole["version"])
                assert not heard.of("event")

    async def test_many_missed_events_give_the_whole_table(
        self, people: list[Guest], name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("mekuri.protocol.table.MOST_EVENTS", 3)
        table = await begun(people, name)
        version = (await people[0].look(table))["version"]
        async with hearing(people[0], table, last=str(version - 4)) as heard:
            assert (await heard.some("table"))["version"] == version
            assert not heard.of("event")
        async with hearing(people[0], table, last=str(version - 3)) as heard:
            await heard.version(version)
            assert len(heard.of("event")) == 3


class TestTabs:
    @pytest.mark.alone
    @kinds_in_turn(0)
    async def test_two_tabs_of_one_person_get_equal_events(self, server: Serving, people: list[Guest], name: str) -> None:
        """Both get every event, and either can act."""
        aki, *others = people
        tab = at(server, aki)
        table = await begun(people, name, rounds=1)
        async with hearing(aki, table) as one, hearing(tab, table) as two:
            for line in (one, two):
                await line.some("table")
            chance = Random(name)
            for turn in range(10_000):
                moved = [await act(guest, table, chance) for guest in ((aki, tab)[turn % 2], *others)]
                if not any(moved):
                    break
            end = (await aki.look(table))["version"]
            for line in (one, two):
                await line.version(end)
            assert one.received == two.received
        assert (await aki.look(table))["head"]["why"] == "played"

    @pytest.mark.alone
    async def test_seat_change_resends_the_table_to_every_tab(self, server: Serving, people: list[Guest]) -> None:
        """A player who sits down, in any tab, gets the table from the seat; a player who leaves, from outside."""
        aki, ben, *_ = people
        table = await aki.make(MANY, **pair(MANY))
        async with hearing(aki, table) as first, hearing(aki, table) as second, hearing(ben, table) as other:
            for line in (first, second, other):
                assert (await line.some("table"))["you"] is None
            await aki.sit(table)
            for line in (first, second):
                whole = await line.some("table", lambda whole: whole["you"] == 0)
                assert whole["head"]["seats"][0]["name"] == "Aki"
            await ben.sit(table, seat=1)
            assert (await other.some("table", lambda whole: whole["you"] == 1))["view"]["you"] == 1
            # Before the match a player who leaves is a spectator again; in it the seat stays reserved.
            assert len(first.of("table")) == len(second.of("table")) == len(other.of("table")) == 2
        table = await aki.make(MANY, **pair(MANY))
        await aki.sit(table)
        async with hearing(aki, table) as line:
            assert (await line.some("table"))["you"] == 0
            await aki.leave(table)
            whole = await line.some("table", lambda whole: whole["you"] is None)
            assert whole["head"]["seats"][0]["name"] is None


class TestManyTables:
    @pytest.mark.alone
    async def test_eight_streams_of_one_browser_are_served(self, people: list[Guest]) -> None:
        tables = [await begun(people[:1], USUAL, rounds=1, bots=["greedy"]) for _ in range(8)]
        async with AsyncExitStack() as lines:
            heard = [await lines.enter_async_context(hearing(people[0], table)) for table in tables]
            ends = await asyncio.gather(*(play_out(table, people[:1]) for table in tables))
            for table, line, end in zip(tables, heard, ends, strict=True):
                await line.version(end["version"])
                assert {event["table"] for event in line.of("event")} == {table}

    @pytest.mark.alone
    @pytest.mark.every_days(4)
    async def test_one_stream_of_eight_tables_resumes(self, people: list[Guest]) -> None:
        """After a random break it resumes with the events of each table since."""
        chance = Random(8)
        names = [name for name in GAMES if len(party(name)) == len(people)]
        tables = [await begun(people, names[n % len(names)], rounds=1) for n in range(8)]
        starts = [(await people[0].look(table))["version"] for table in tables]
        async with hearing(people[0], *tables) as heard:
            await until(lambda: len(heard.of("table")) == 8)
            for table in tables:
                await play_out(table, people, seed=8)
            ends = [(await people[0].look(table))["version"] for table in tables]
            await until(lambda: [message.id for message in heard.messages][-1] == ",".join(map(str, ends)))
        messages = [message for message in heard.messages if message.event == "event"]
        for table, start, end in zip(tables, starts, ends, strict=True):
            assert [event["version"] for event in heard.of("event", table)] == list(range(start + 1, end + 1))
        for place in chance.sample(range(len(messages) - 1), 5):
            rest = messages[place + 1 :]
            async with hearing(people[0], *tables, last=messages[place].id) as again:
                await again.count("event", len(rest))
            # Of each table in order; which table is told first is no matter.
            assert again.messages[-1].id == messages[-1].id
            for table in tables:
                missed = [event for event in map(data, rest) if event["table"] == table]
                assert again.of("event", table) == missed
            assert not again.of("table")

    @pytest.mark.alone
    async def test_stream_of_nine_tables_gets_400(self, people: list[Guest]) -> None:
        tables = [await people[0].make(USUAL) for _ in range(9)]
        with pytest.raises(Refusal) as refused:
            async with people[0].stream(*tables):
                pass
        assert (refused.value.status, refused.value.error) == (400, "malformed")

    @pytest.mark.alone
    async def test_stream_with_an_unknown_table_gets_404(self, people: list[Guest]) -> None:
        await self._refused(people[0])

    async def test_refused_stream_is_not_followed(self, server: Serving, people: list[Guest]) -> None:
        await self._refused(people[0])
        assert not server.desk.streams.open

    async def _refused(self, guest: Guest) -> None:
        table = await guest.make(USUAL)
        with pytest.raises(Refusal) as refused:
            async with guest.stream(table, "nowhere"):
                pass
        assert (refused.value.status, refused.value.error) == (404, "no-such-table")


class TestBrokenLines:
    async def test_connections_broken_at_once_are_released(self, server: Serving, people: list[Guest]) -> None:
        """Whenever a client goes away, even before it was answered, the server lets it go."""
        table = await begun(people, USUAL)
        token = people[0].http.headers["authorization"]
        chance = Random(60)
        for _ in range(60):
            line = ask_for_stream(server, table, token)
            await asyncio.sleep(chance.random() * 0.004)
            line.close()
        await until(lambda: not server.desk.streams.open)
        assert not server.desk.tables.live_tables[table].streams


async def test_returning_tab_gets_the_presence(server: Serving, people: list[Guest], name: str) -> None:
    """Though another tab of the same person stayed, so that nothing about that person has changed."""
    table = await begun(people, name)
    aki, ben, *_ = people
    async with hearing(aki, table) as stays:
        async with hearing(ben, table) as line:
            await line.some("table")
            async with hearing(aki, table) as away:
                await away.some("table")
        await stays.some("presence", lambda message: not message["presence"][1]["here"])
        last = str((await aki.look(table))["version"])
        async with hearing(aki, table, last=last) as back:
            assert [message["here"] for message in (await back.some("presence"))["presence"]] == [True, False]


class TestSlowReaders:
    async def test_slow_reader_is_cut_off(self, server: Serving, people: list[Guest], monkeypatch: pytest.MonkeyPatch) -> None:
        """It is cut off, uses no memory, and delays no other stream."""
        table, slow, line = await self._left_behind(server, people, monkeypatch)
        assert slow.closed
        assert not slow._waiting
        assert slow not in server.desk.tables.live_tables[table].streams
        line.close()
        await until(lambda: not server.desk.streams.open)

    async def test_connection_of_a_slow_reader_is_closed(
        self, server: Serving, people: list[Guest], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _, slow, line = await self._left_behind(server, people, monkeypatch)
        try:
            await until(lambda: slow not in server.desk.streams.open)
        finally:
            line.close()

    async def _left_behind(
        self, server: Serving, people: list[Guest], monkeypatch: pytest.MonkeyPatch
    ) -> tuple[str, Stream, socket.socket]:
        """A table, and a stream of it that has not been read while a match was played."""
        monkeypatch.setattr(streams, "_MOST_WAITING", 20)
        # The system's socket buffer is made small, so that it is full after some events.
        server._server._listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        table = await begun(people, USUAL, rounds=3)
        line = ask_for_stream(server, table, people[0].http.headers["authorization"])
        await until(lambda: server.desk.streams.open)
        slow = next(iter(server.desk.streams.open))
        async with hearing(people[1], table) as quick:
            await play_out(table, people)
            await quick.version((await people[1].look(table))["version"])
        return table, slow, line


def ask_for_stream(server: Serving, table: str, authorization: str) -> socket.socket:
    """Return a connection that requests a stream and is not read."""
    host, port = server.address.removeprefix("http://").split(":")
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect((host, int(port)))
    line.sendall(f"GET /api/stream?table={table} HTTP/1.1\r\nhost: {host}\r\nauthorization: {authorization}\r\n\r\n".encode())
    return line


class TestUnreadMessages:
    """What waits for clients that do not read has a size, for each and for all."""

    def test_unread_messages_of_a_stream_are_limited(self) -> None:
        stream = Stream(None, "192.0.2.1", ["t"], [None])
        for version in range(100):
            stream.put("t", "event", bytes(1 << 15), version)
        assert stream.closed
        assert stream.size == 0

    async def test_queues_share_one_message_object(self) -> None:
        data, streams = bytes(1 << 15), [Stream(None, "192.0.2.1", ["t"], [None]) for _ in range(2)]
        for stream in streams:
            for version in range(3):
                stream.put("t", "event", data, version)
            assert [part is data for message in stream._waiting for part in message].count(True) == 3
            messages = aiter(stream)
            sent = [await anext(messages) for _ in range(3)]
            assert [len(part) // len(data) for part in sent] == [1, 1, 1]
            assert stream.size == 0

    async def test_unread_messages_of_all_streams_are_limited(
        self, server: Serving, people: list[Guest], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Streams with the most unread messages are cut off, and readers get every message."""
        monkeypatch.setattr(open_streams, "_MOST_WAITING", 1 << 17)
        table = await people[0].make(USUAL)
        following = server.desk.streams
        unread = [Stream(None, f"192.0.2.{n}", [table], [None], time=server.desk.time) for n in range(3)]
        for stream in unread:
            await following.connect(stream)
        async with hearing(people[0], table) as heard:
            await heard.count("table", 1)
            for _ in range(8):
                for stream in unread:
                    stream.put(table, "presence", bytes(1 << 14))
            assert following._waiting <= 1 << 17
            assert any(stream.closed for stream in unread)
            await people[1].sit(table)
            await heard.some("event")
        for stream in unread:
            following.disconnect(stream)
        await until(lambda: not following.open)
        assert following._waiting == 0

    async def test_long_resume_gives_the_whole_table(self, people: list[Guest], monkeypatch: pytest.MonkeyPatch) -> None:
        table = await begun(people, USUAL, rounds=1)
        start = (await people[0].look(table))["version"]
        await play_out(table, people)
        monkeypatch.setattr(live_table, "_MOST_AGAIN", 1 << 10)
        async with hearing(people[0], table, last=str(start)) as heard:
            await heard.count("table", 1)
            assert not heard.of("event")
