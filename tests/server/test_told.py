"""Answers are encoded once, cached, and sent again byte by byte to every permitted viewer."""

import asyncio
import gzip
import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from mekuri.desk.sized_cache import SizedCache
from mekuri.protocol import table as wire
from mekuri.protocol.coding import decode
from mekuri.table.events import EventReader
from mekuri.table.history import Again
from tests.helpers.server.gathering import begun, hearing
from tests.helpers.server.serving import Guest, Serving, play_out, serving


class Made:
    """How many events and whole tables have been made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.retold = self.views = 0
        tell, view = Again.tell, EventReader.view

        def make(again: Again, known: Any = ()) -> list[wire.Event]:
            found = tell(again, known)
            self.retold += len(found)
            return found

        def viewed(reader: EventReader, viewer: Any) -> Any:
            self.views += 1
            return view(reader, viewer)

        monkeypatch.setattr(Again, "tell", make)
        monkeypatch.setattr(EventReader, "view", viewed)


@pytest.fixture
async def played(people: list[Guest], name: str) -> str:
    """A match of two rounds that is over."""
    table = await begun(people, name)
    await play_out(table, people)
    return table


async def ask(guest: Guest, path: str, **headers: str) -> Any:
    return await guest.http.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})


class TestEvents:
    @pytest.mark.alone
    async def test_replayed_and_live_events_are_identical(self, server: Serving, people: list[Guest], name: str) -> None:
        table = await begun(people, name)
        async with AsyncExitStack() as lines:
            heard = await lines.enter_async_context(hearing(people[0], table))
            start = (await heard.some("table"))["version"]
            end = (await play_out(table, people))["version"]
            await heard.version(end)
        answer = (await ask(people[0], f"/api/tables/{table}/events?since={max(start, end - 200)}")).content
        assert b",".join(data.encode() for _, data in heard.received[-200:]) in answer

    async def test_each_event_is_encoded_once(self, people: list[Guest], played: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Each event is encoded once, for any number of requests, any version, and streams."""
        end = (await people[0].look(played))["version"]
        since = max(0, end - 200)
        made = Made(monkeypatch)
        first = await people[0].events(played, since)
        assert made.retold == end - since
        for version in range(since, end + 1):
            assert await people[0].events(played, version) == first[version - since :]
        async with hearing(people[0], played, last=str(since)) as heard:
            await heard.version(end)
        assert made.retold == end - since

    async def test_events_of_a_live_stream_are_reused(
        self, people: list[Guest], name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = await begun(people, name)
        version = (await people[0].look(table))["version"]
        async with hearing(people[0], table) as heard:
            await heard.some("table")
            end = (await play_out(table, people))["version"]
        made = Made(monkeypatch)
        assert len(await people[0].events(table, max(version, end - 200))) == end - max(version, end - 200)
        assert made.retold == 0

    async def test_events_for_polling_clients_are_prepared(
        self, people: list[Guest], name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = await begun(people, name)
        made, last = Made(monkeypatch), (await people[0].look(table))["version"]
        for _ in range(12):
            for guest in people:
                view = (await guest.look(table))["view"]
                if view["legal"]:
                    await guest.play(table, view["version"], view["legal"][0]["action"])
            last = ([event["version"] for event in await people[0].events(table, last)] or [last])[-1]
        assert made.retold < 6 < last

    async def test_answer_is_compressed_once(self, people: list[Guest], played: str, monkeypatch: pytest.MonkeyPatch) -> None:
        packed: list[int] = []

        def pack(body: bytes) -> bytes:
            packed.append(len(body))
            return gzip.compress(body)

        monkeypatch.setattr("mekuri.desk.event_cache.compress", pack)
        answers = [(await ask(people[0], f"/api/tables/{played}/events?since=0")).content for _ in range(3)]
        assert len(set(answers)) == 1
        assert len(packed) == 1

    async def test_cache_of_size_zero_gives_equal_answers(self, tmp_path: Path, name: str) -> None:
        """Answers are the same, and encoded each time."""
        async with serving(tmp_path / "mekuri.db", remembered=0) as server:
            guest = await Guest(server.address).arrive()
            table = await guest.make(name, seats=None, match_options={"rounds": "1"})
            await guest.sit(table)
            end = (await play_out(table, [guest]))["version"]
            events = await guest.events(table, max(0, end - 200))
            assert [event["version"] for event in events] == list(range(max(0, end - 200) + 1, end + 1))
            async with hearing(guest, table, last=str(max(0, end - 200))) as heard:
                await heard.version(end)
                assert heard.of("event") == events
            assert server.desk.tables.sized_cache.held == 0


class TestTables:
    async def test_table_view_is_encoded_once(self, people: list[Guest], name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        table = await begun(people, name)
        whole = await people[0].look(table)
        made = Made(monkeypatch)
        for _ in range(5):
            assert await people[0].look(table) == whole
        assert made.views == 0

    @pytest.mark.alone
    async def test_cached_table_is_never_outdated(self, people: list[Guest], name: str) -> None:
        """After every change, including ones hidden from the viewer."""
        table = await begun(people, name)
        for _ in range(20):
            for guest in people:
                whole = await guest.look(table)
                if whole["view"]["legal"]:
                    answer = await guest.play(table, whole["version"], whole["view"]["legal"][0]["action"])
                    assert (await guest.look(table))["version"] >= answer["version"]

    async def test_presence_is_current_in_a_cached_table(self, people: list[Guest], name: str) -> None:
        table = await begun(people, name)
        assert not any(seat["here"] for seat in (await people[0].look(table))["presence"])
        async with hearing(people[0], table) as heard:
            await heard.some("table")
            assert [seat["here"] for seat in (await people[0].look(table))["presence"]].count(True) == 1

    async def test_unloading_a_table_clears_its_cache(self, server: Serving, people: list[Guest], played: str) -> None:
        await people[0].events(played, 0)
        assert server.desk.tables.sized_cache.held > 0
        for live in list(server.desk.tables.live_tables.values()):
            server.desk.tables.put_away(live)
        assert server.desk.tables.sized_cache.held == 0


class TestRounds:
    async def test_finished_round_is_cacheable(self, people: list[Guest], played: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """The first round is final: it is encoded once, and is not sent again to clients that have it. Only names can change."""
        made, path = Made(monkeypatch), f"/api/tables/{played}/rounds/1?seat=0"
        first = await ask(people[0], path)
        assert first.headers["cache-control"] == "public, max-age=0, must-revalidate"
        assert first.headers["vary"] == "Accept-Encoding"
        retold = made.retold
        again = await ask(people[1], path, if_none_match=first.headers["etag"])
        assert (again.status_code, again.content) == (304, b"")
        assert (await ask(people[1], path, if_none_match='"forged"')).content == first.content
        assert (await ask(people[1], path, accept_encoding="identity")).json() == first.json()
        assert made.retold == retold > 0
        decode(first.content, wire.Replay)
        await people[0].call("POST", "/api/guests", {"name": "Ume"})
        renamed = await ask(people[1], path, if_none_match=first.headers["etag"])
        assert (renamed.status_code, renamed.json()["seats"][0]) == (200, "Ume")

    async def test_last_round_is_revalidated_after_a_rematch(self, people: list[Guest], played: str) -> None:
        path = f"/api/tables/{played}/rounds/2"
        first = await ask(people[0], path)
        assert first.headers["cache-control"] == "public, max-age=0, must-revalidate"
        await people[0].rematch(played)
        again = await ask(people[0], path, if_none_match=first.headers["etag"])
        assert again.status_code == 200
        assert again.json()["events"][-1]["kind"] == "rematch"

    async def test_running_match_is_not_cacheable(self, people: list[Guest], name: str) -> None:
        """Refusals and private answers are not cached."""
        table = await begun(people, name)
        for path in ("", "/events", "/rounds/1", "/record"):
            answer = await ask(people[0], f"/api/tables/{table}{path}")
            assert answer.headers["cache-control"] == "no-store"

    async def test_replay_of_each_seat_has_its_own_tag(self, people: list[Guest], played: str) -> None:
        paths = [f"/api/tables/{played}/rounds/1{seat}" for seat in ("", "?seat=0", "?seat=1")]
        answers = [await ask(people[0], path) for path in paths * 2]
        assert [answer.json()["you"] for answer in answers] == [None, 0, 1] * 2
        assert len({answer.headers["etag"] for answer in answers}) == 3

    async def test_records_and_cards_are_cacheable(self, people: list[Guest], played: str) -> None:
        for path, kept in (("record", "public, max-age=0, must-revalidate"), ("cards", "public, max-age=3600")):
            first = await ask(people[0], f"/api/tables/{played}/{path}")
            assert first.headers["cache-control"] == kept
            assert (await ask(people[1], f"/api/tables/{played}/{path}", if_none_match=first.headers["etag"])).status_code == 304

    async def test_concurrent_requests_encode_a_round_once(
        self, people: list[Guest], played: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made = Made(monkeypatch)
        answers = await asyncio.gather(*(ask(people[0], f"/api/tables/{played}/rounds/1") for _ in range(8)))
        assert len({answer.content for answer in answers}) == 1
        assert made.retold == len(json.loads(answers[0].content)["events"])


class TestSizedCache:
    def test_cache_holds_at_most_its_size(self) -> None:
        sized_cache = SizedCache(10_000)
        for number in range(100):
            sized_cache.keep("a", number, b"x" * 1000, 1000)
            assert sized_cache.held <= 10_000
        assert sized_cache.find("a", 0) is None
        assert sized_cache.find("a", 99) == b"x" * 1000

    def test_recently_used_entry_is_kept(self) -> None:
        sized_cache = SizedCache(10_000)
        for number in range(100):
            sized_cache.keep("a", number, number, 1000)
            assert sized_cache.find("a", 0) == 0

    def test_clearing_a_section_keeps_the_others(self) -> None:
        sized_cache = SizedCache(10_000)
        sized_cache.keep("a", 1, b"a", 1)
        sized_cache.keep("b", 1, b"b", 1)
        sized_cache.clear("a")
        assert (sized_cache.find("a", 1), sized_cache.find("b", 1)) == (None, b"b")
        sized_cache.clear("b")
        assert sized_cache.held == 0

    def test_entry_larger_than_the_cache_is_not_kept(self) -> None:
        sized_cache = SizedCache(1000)
        sized_cache.keep("a", 1, b"", 10)
        sized_cache.keep("a", 2, b"", 5000)
        assert (sized_cache.find("a", 1), sized_cache.find("a", 2)) == (b"", None)

    def test_replaced_entry_is_counted_once(self) -> None:
        sized_cache = SizedCache(10_000)
        for size in (10, 20, 10):
            sized_cache.keep("a", 1, b"", size)
        sized_cache.clear("a")
        assert sized_cache.held == 0
