"""Absence: all players see a lost connection, a bot plays for a player who does not return, and gives the seat back."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from mekuri.match.verify import verify
from mekuri.server.http.background import sweep_once
from tests.helpers.server.gathering import SlowBot, at, begun, choosing, guests, hearing, kinds_in_turn, pair, party, usual_bot
from tests.helpers.server.serving import Guest, Json, Refusal, Serving, act, play_out, serving
from tests.helpers.time import FakeTime, until

GRACE = 30
SETTINGS = {"grace": GRACE, "idle": 600, "unused": 5000, "forgotten": 50_000}
pytestmark = kinds_in_turn()


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


@pytest.fixture
async def people(server: Serving) -> AsyncIterator[list[Guest]]:
    """Two guests; bots have the other seats where the game needs more."""
    async with guests(server, "Aki", "Ben") as found:
        yield found


async def bots(guest: Guest, table: str) -> list[str | None]:
    """Return the players of the seats, bots included."""
    return [seat["bot"] for seat in (await guest.look(table))["head"]["seats"] if seat["kind"] == "person"]


def presence_of(seat: int, **wanted: Any) -> Any:
    """Return whether a presence message says so about a seat."""

    def says(message: Json) -> bool:
        found: Json = next((each for each in message["presence"] if each["seat"] == seat), {})
        return all(found.get(name) == value for name, value in wanted.items())

    return says


async def pass_time(server: Serving, time: FakeTime, seconds: float) -> None:
    time.move(seconds)
    await sweep_once(server.desk)


async def lose(server: Serving, time: FakeTime, aki: Guest, ben: Guest, table: str, bot: str) -> int:
    """Ben's line breaks, is waited for, and a bot takes his seat; the version at which Aki saw that."""
    async with hearing(ben, table) as line:
        await line.some("table")
    await until(lambda: not any(stream.person == ben.id for stream in server.desk.streams.open))
    await pass_time(server, time, GRACE + 1)
    assert await bots(aki, table) == [None, bot]
    return int((await aki.look(table))["version"])


class TestPlayerGoes:
    async def test_every_stream_gets_the_time_of_the_bot(
        self, server: Serving, people: list[Guest], time: FakeTime, name: str
    ) -> None:
        aki, ben = people
        table = await begun(people, name)
        async with hearing(aki, table) as heard:
            async with hearing(ben, table):
                await heard.some("presence", presence_of(1, here=True, bot_at=None))
            await until(lambda: presence_of(1, here=False)(heard.of("presence")[-1]))
            bot_at = heard.of("presence")[-1]["presence"][1]["bot_at"]
            assert abs(bot_at - (time.now() + GRACE * 1000)) < 5000
            await pass_time(server, time, GRACE - 5)
            assert await bots(aki, table) == [None, None]
            await pass_time(server, time, 6)
            held = await heard.some("event", lambda event: event["kind"] == "hold")
            assert (held["seat"], held["text"]["args"]["name"]) == (1, "Ben")
            assert held["head"]["seats"][1]["bot"] == usual_bot(name)
            await until(lambda: presence_of(1, here=False, bot_at=None)(heard.of("presence")[-1]))

    async def test_bot_plays_the_match_to_its_end(self, server: Serving, people: list[Guest], time: FakeTime, name: str) -> None:
        """The match continues to its end; a held seat confirms every round."""
        aki, ben = people
        table = await begun(people, name)
        async with hearing(aki, table):
            await lose(server, time, aki, ben, table, usual_bot(name))
            end = await play_out(table, [aki])
        assert (end["head"]["why"], end["head"]["round"]) == ("played", 2)
        record = (await aki.http.get(f"/api/tables/{table}/record")).text
        assert verify(record).players[:2] == ("Aki", "Ben")

    @pytest.mark.parametrize("way", ["stream", "seat", "action", "ready"])
    async def test_returning_player_gets_the_seat_back(
        self, server: Serving, people: list[Guest], time: FakeTime, monkeypatch: pytest.MonkeyPatch, name: str, way: str
    ) -> None:
        aki, ben = people
        table = await begun(people, name)
        async with AsyncExitStack() as lines:
            heard = await lines.enter_async_context(hearing(aki, table))
            if way == "action":
                # So that Ben is quicker.
                bot = lines.enter_context(SlowBot(usual_bot(name), monkeypatch))
            await lose(server, time, aki, ben, table, usual_bot(name))
            if way == "stream":
                await lines.enter_async_context(hearing(ben, table))
            elif way == "seat":
                assert (await ben.sit(table))["head"]["seats"][1]["bot"] is None
            else:
                await self._until_asked(aki, ben, table, way)
            back = await heard.some("event", lambda event: event["kind"] == "back")
            assert (back["seat"], back["head"]["seats"][1]["bot"]) == (1, None)
            if way == "action":
                own = await heard.some("event", lambda event: event["kind"] == "play" and event["version"] > back["version"])
                assert own["seat"] == 1
                bot.answer()
            assert await bots(aki, table) == [None, None]
        rows = [row for row in await server.desk.store.rows(table) if row.kind == "play" and row.seat == 1]
        decisions = [row.decision or 0 for row in rows]
        assert decisions == sorted(set(decisions))

    @pytest.mark.parametrize("site", ["cross-site", "same-site"])
    async def test_stream_opened_by_another_site_is_not_a_return(
        self, server: Serving, people: list[Guest], time: FakeTime, name: str, site: str
    ) -> None:
        """The stream is refused, so a browser lured by another site does not count as present."""
        aki, ben = people
        table = await begun(people, name)
        async with hearing(aki, table) as heard:
            version = await lose(server, time, aki, ben, table, usual_bot(name))
            lured = at(server, ben)
            lured.http.headers["sec-fetch-site"] = site
            with pytest.raises(Refusal) as refused:
                async with lured.stream(table):
                    pass
            assert (refused.value.status, refused.value.error) == (403, "origin")
            assert await bots(aki, table) == [None, usual_bot(name)]
            # Next, he really comes back.
            before = len(heard.of("presence"))
            async with hearing(ben, table):
                await heard.some("event", lambda event: event["kind"] == "back" and event["version"] > version)
            assert presence_of(1, here=True)(heard.of("presence")[before])

    async def _until_asked(self, aki: Guest, ben: Guest, table: str, way: str) -> None:
        """Aki plays until Ben owes an action, or can confirm the round that the bot has played."""
        while True:
            whole = await ben.look(table)
            if way == "action" and whole["view"]["legal"]:
                # All that he owes: some of it may be hidden from Aki.
                while whole["view"]["legal"]:
                    await act(ben, table, Random(0), whole)
                    whole = await ben.look(table)
                return
            if way == "ready" and whole["view"]["over"]:
                await ben.ready(table, whole["head"]["round"])
                return
            view = (await aki.look(table))["view"]
            if view["legal"]:
                await aki.play(table, view["version"], view["legal"][0]["action"])


class TestNoReplacement:
    async def test_player_alone_with_bots_is_not_replaced(
        self, server: Serving, people: list[Guest], time: FakeTime, name: str
    ) -> None:
        aki = people[0]
        table = await begun([aki], name, bots=["greedy"])
        async with hearing(people[1], table) as watcher:  # who has no seat, and waits for nobody
            async with hearing(aki, table):
                await watcher.some("presence", presence_of(0, here=True))
            gone = await watcher.some("presence", presence_of(0, here=False))
            assert gone["presence"][0]["bot_at"] is None
            await pass_time(server, time, 10 * GRACE)
        assert await bots(aki, table) == [None]

    async def test_no_seat_is_replaced_when_all_are_gone(
        self, server: Serving, people: list[Guest], time: FakeTime, name: str
    ) -> None:
        table = await begun(people, name)
        async with hearing(people[0], table), hearing(people[1], table):
            pass
        await until(lambda: not server.desk.streams.open)
        await pass_time(server, time, GRACE * 3)
        assert await bots(people[0], table) == [None, None]

    async def test_polling_player_is_not_replaced(self, server: Serving, people: list[Guest], time: FakeTime, name: str) -> None:
        """A client without a stream is there by asking."""
        aki, ben = people
        table = await begun(people, name)
        async with hearing(aki, table):
            for _ in range(6):
                await pass_time(server, time, GRACE - 15)
                await ben.look(table)
            assert await bots(aki, table) == [None, None]
            await pass_time(server, time, GRACE + 1)
            assert await bots(aki, table) == [None, usual_bot(name)]

    async def test_no_bot_comes_before_or_after_the_match(
        self, server: Serving, people: list[Guest], time: FakeTime, name: str
    ) -> None:
        aki, ben = people
        table = await aki.make(name, **pair(name, match_options={"rounds": "1"}))
        await aki.sit(table)
        await pass_time(server, time, GRACE * 3)
        assert await bots(aki, table) == [None, None]
        await ben.sit(table)
        await play_out(table, people)
        async with hearing(aki, table) as heard:
            await heard.some("table")
            await pass_time(server, time, GRACE * 3)
            assert await bots(aki, table) == [None, None]

    async def test_connected_player_is_not_replaced(self, server: Serving, people: list[Guest], time: FakeTime, name: str) -> None:
        """Absence is a lost line, not slow thought."""
        table = await begun(people, name)
        async with hearing(people[0], table) as one, hearing(people[1], table) as two:
            for line in (one, two):
                await line.some("table")
            await pass_time(server, time, GRACE * 100)
            assert await bots(people[0], table) == [None, None]


class TestLeaving:
    @pytest.mark.alone
    async def test_open_stream_does_not_return_a_player_who_left(self, server: Serving, people: list[Guest], name: str) -> None:
        aki, ben = people
        table = await begun(people, name)
        async with hearing(aki, table) as heard:
            assert (await ben.leave(table))["head"]["seats"][1]["bot"] == usual_bot(name)
            version = (await heard.some("event", lambda event: event["kind"] == "leave"))["version"]
            async with hearing(ben, table) as again:
                assert (await again.some("table"))["you"] == 1
                await heard.some("presence", presence_of(1, here=True))
                assert await bots(aki, table) == [None, usual_bot(name)]
                # To leave twice is to leave once; to sit down is to come back.
                assert (await ben.leave(table))["head"]["seats"][1]["bot"] == usual_bot(name)
                assert (await ben.sit(table))["head"]["seats"][1]["bot"] is None
                await heard.some("event", lambda event: event["kind"] == "back" and event["version"] > version)
        assert len(heard.of("event")) == len({event["version"] for event in heard.of("event")})
        assert [event["kind"] for event in heard.of("event")].count("leave") == 1

    @pytest.mark.alone
    @pytest.mark.parametrize("actions", [0, 7, 30])
    async def test_match_left_by_all_is_abandoned_and_open(self, people: list[Guest], name: str, actions: int) -> None:
        """The match is abandoned; its record, and the secret of the unfinished round, are public."""
        aki, ben = people
        table = await begun(people, name, rounds=12)
        commitment = (await aki.look(table))["head"]["commitment"]
        chance = Random(actions)
        for _ in range(actions):
            for guest in people:
                await act(guest, table, chance)
        await ben.leave(table)
        whole = await aki.leave(table)
        assert (whole["head"]["state"], whole["head"]["why"], whole["head"]["winners"]) == ("over", "abandoned", None)
        found = verify((await aki.http.get(f"/api/tables/{table}/record")).text, commitment=commitment)
        assert found.verified == found.rounds == whole["head"]["round"]

    @pytest.mark.alone
    async def test_match_left_by_its_only_person_is_abandoned(self, people: list[Guest], name: str) -> None:
        table = await begun(people[:1], name, bots=["greedy"])
        assert (await people[0].leave(table))["head"]["why"] == "abandoned"


class TestMemory:
    async def test_idle_tables_are_unloaded_and_reload_unchanged(
        self, server: Serving, people: list[Guest], time: FakeTime, name: str
    ) -> None:
        """They return unchanged for every viewer."""
        watcher = Guest(server.address)
        people = [*people, *[await Guest(server.address).arrive(other) for other in party(name)[2:]]]
        table = await begun(people, name)
        chance = Random(name)
        for _ in range(5):
            for guest in people:
                await act(guest, table, chance)
        await choosing(table, people)
        before = [(await guest.look(table), await guest.events(table)) for guest in (*people, watcher)]
        async with hearing(watcher, table):
            await pass_time(server, time, 10_000)
            assert table in server.desk.tables.live_tables, "somebody follows it"
        await until(lambda: not server.desk.streams.open)
        await pass_time(server, time, 601)
        assert table not in server.desk.tables.live_tables
        assert [(await guest.look(table), await guest.events(table)) for guest in (*people, watcher)] == before
        await play_out(table, people)

    async def test_longest_unused_tables_are_unloaded_first(
        self, server: Serving, people: list[Guest], time: FakeTime, monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        """A guest may make many tables, and more guests may come."""
        monkeypatch.setattr("mekuri.desk.tables._MOST_UNUSED", 2)
        tables = []
        for _ in range(5):
            tables.append(await people[0].make(name, **pair(name)))
            time.move(1)
        async with hearing(people[1], tables[1]) as line:
            await line.some("table")
            await people[1].look(tables[0])
            await sweep_once(server.desk)
            assert server.desk.tables.live_tables.keys() == {tables[1], tables[4], tables[0]}
        assert (await people[1].look(tables[2]))["head"]["state"] == "open"

    async def test_table_that_never_fills_is_closed(self, server: Serving, people: list[Guest], time: FakeTime, name: str) -> None:
        table = await people[0].make(name, **pair(name, public=True))
        await people[0].sit(table)
        for _ in range(4):
            await pass_time(server, time, 500)
            assert (await people[0].look(table))["head"]["state"] == "open"
        time.move(5001)
        await people[1].look(table)  # it is in memory
        await sweep_once(server.desk)
        assert (await people[0].look(table))["head"]["why"] == "abandoned"
        assert not (await people[1].call("GET", "/api/tables"))["open"]

    async def test_unfilled_table_without_viewers_is_closed(
        self, server: Serving, people: list[Guest], time: FakeTime, name: str
    ) -> None:
        table = await people[0].make(name, **pair(name, public=True))
        await pass_time(server, time, 601)
        await pass_time(server, time, 5000)
        await pass_time(server, time, 5000)
        assert table not in await server.desk.store.ids("open")

    async def test_match_that_waits_too_long_is_closed(
        self, server: Serving, people: list[Guest], time: FakeTime, name: str
    ) -> None:
        """Against bots as well: nothing happens while only the person owes a move. Playing resets the time."""
        table = await begun(people[:1], name, rounds=6, bots=["greedy"])
        for _ in range(2):
            await choosing(table, people[:1])
            await pass_time(server, time, 40_000)
            guest, view = await choosing(table, people[:1])
            await guest.play(table, view["version"], view["legal"][0]["action"])
        await choosing(table, people[:1])
        await pass_time(server, time, 50_001)
        head = (await people[0].look(table))["head"]
        assert (head["state"], head["why"], head["winners"]) == ("over", "abandoned", None)
        assert verify((await people[0].http.get(f"/api/tables/{table}/record")).text).verified == head["round"]
        assert await server.desk.store.unfinished(people[0].id) == 0

    async def test_match_alone_with_bots_is_closed_sooner(self, tmp_path: Path, time: FakeTime, name: str) -> None:
        """Not so two people, nor a player whose friend has left a seat to a bot: the friend may come back."""
        async with (
            serving(tmp_path / "mekuri.db", time, alone=20_000, forgotten=50_000) as server,
            guests(server, "Aki", "Ben") as people,
        ):
            alone = await begun(people[:1], name, bots=["greedy"])
            both, left = await begun(people, name), await begun(people, name)
            await people[1].leave(left)
            for table in (alone, both, left):
                await choosing(table, people)
            await pass_time(server, time, 19_000)
            assert (await people[0].look(alone))["head"]["state"] == "running"
            await pass_time(server, time, 2000)
            heads = [(await people[0].look(table))["head"] for table in (alone, both, left)]
            assert [head["why"] for head in heads] == ["abandoned", None, None]


async def test_start_loads_no_table(tmp_path: Path, name: str) -> None:
    """A match is loaded when a player returns, so a start costs the same for any number of matches."""
    path = tmp_path / "mekuri.db"
    async with serving(path) as server, guests(server, "Aki", "Ben") as people:
        table = await begun(people, name)
        await choosing(table, people)
        version = (await people[0].look(table))["version"]
    async with serving(path) as server:
        await sweep_once(server.desk)
        assert not server.desk.tables.live_tables
        aki = at(server, people[0])
        assert (await aki.look(table))["version"] == version
        assert list(server.desk.tables.live_tables) == [table]
