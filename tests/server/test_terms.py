"""Turn-by-turn tables on a server: terms pass in everyone's absence, also while the server is down."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from mekuri.match.daily import DAY_MS
from mekuri.server.http.background import sweep_once
from mekuri.table.stalling import MOST_MISSED
from tests.helpers.server.gathering import at, guests, hearing, party
from tests.helpers.server.serving import Guest, Json, Serving, act, refused, serving
from tests.helpers.tables import USUAL
from tests.helpers.time import FakeTime, until

DAY = DAY_MS // 1000
SETTINGS = {"grace": 30, "unused": 50, "unattended": 50, "forgotten": 50, "idle": 600}


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


async def begun(people: Sequence[Guest], days: int = 3, late: str = "bot", **more: object) -> str:
    """Return a table at which these people play turn by turn, and the match has begun."""
    term = {"days": days, "late": late}
    table = await people[0].make(USUAL, seats=["person"] * len(people), term=term, match_options={"rounds": "2"}, **more)
    for guest in people:
        await guest.sit(table)
    return table


async def pass_days(server: Serving, time: FakeTime, days: float) -> None:
    time.move(days * DAY)
    await sweep_once(server.desk)


async def asked(people: Sequence[Guest], table: str) -> tuple[int, Json]:
    """Return the number of the person who has to act, and that person's view of the table."""
    for number, guest in enumerate(people):
        whole = await guest.look(table)
        if whole["owed"]:
            return number, whole
    raise AssertionError("nobody owes anything")


class TestMaking:
    async def test_term_needs_two_people(self, people: list[Guest]) -> None:
        assert await refused(people[0].make(USUAL, seats=["person", "random"], term={"days": 3})) == (400, "term-alone")

    @pytest.mark.parametrize("term", [{"days": 0}, {"days": 15}, {}, {"days": 3, "late": "never"}, {"days": 3, "more": 1}])
    async def test_invalid_term_gets_400(self, people: list[Guest], term: Json) -> None:
        assert (await refused(people[0].make(USUAL, seats=["person", "person"], term=term)))[0] == 400

    async def test_term_is_shown_to_spectators(self, server: Serving, people: list[Guest]) -> None:
        table = await begun(people, 7, "end")
        watcher = Guest(server.address)
        assert (await watcher.look(table))["term"] == {"days": 7, "late": "end", "club": False}


class TestNoAbsence:
    async def test_lost_connection_brings_no_bot(self, server: Serving, people: list[Guest], time: FakeTime) -> None:
        aki, ben = people
        table = await begun(people)
        async with hearing(aki, table) as heard:
            async with hearing(ben, table) as line:
                await line.some("table")
            await until(lambda: not any(stream.person == ben.id for stream in server.desk.streams.open))
            await until(lambda: heard.of("presence") and not heard.of("presence")[-1]["presence"][1]["here"])
            assert heard.of("presence")[-1]["presence"][1]["bot_at"] is None
            await pass_days(server, time, 2.9)
            assert [seat["bot"] for seat in (await aki.look(table))["head"]["seats"]] == [None, None]

    async def test_tables_with_terms_are_not_closed_early(self, server: Serving, people: list[Guest], time: FakeTime) -> None:
        """Running and waiting tables are not closed by the usual limits."""
        running = await begun(people, 14)
        waiting = await people[0].make(USUAL, seats=["person", "person"], term={"days": 14}, public=True)
        await people[0].sit(waiting)
        await pass_days(server, time, 13.9)
        assert [(await people[0].look(table))["head"]["state"] for table in (running, waiting)] == ["running", "open"]
        await pass_days(server, time, 0.2)
        assert (await people[0].look(waiting))["head"]["why"] == "abandoned", "it has waited for two weeks"
        assert (await people[0].look(running))["head"]["state"] == "running"


class TestTermPasses:
    async def test_bot_plays_the_late_turn(self, server: Serving, people: list[Guest], time: FakeTime) -> None:
        table = await begun(people)
        number, whole = await asked(people, table)
        until_when = whole["owed"]["until"]
        assert abs(until_when - time.now() - 3 * DAY_MS) < 60_000
        assert whole["view"]["due"] == until_when
        async with hearing(people[1 - number], table) as heard:
            await pass_days(server, time, 3.01)
            late = await heard.some("event", lambda event: event["kind"] == "late")
            assert (late["seat"], late["text"]["id"], late["head"]["seats"][number]["bot"]) == (number, "table.late-bot", None)
            await heard.some("event", lambda event: event["kind"] == "play" and event["view"]["waiting"] == [1 - number])

    async def test_late_turn_ends_the_match(self, server: Serving, people: list[Guest], time: FakeTime) -> None:
        table = await begun(people, 1, "end")
        number, _ = await asked(people, table)
        await pass_days(server, time, 1.01)
        head = (await people[0].look(table))["head"]
        assert (head["state"], head["why"], head["late"], head["winners"]) == ("over", "late", number, None)
        played = await people[0].call("GET", "/api/guests/matches")
        assert [(one["why"], one["won"], one["rounds"]) for one in played["matches"]] in ([], [("late", False, [])])

    async def test_passed_term_is_found_after_a_restart(self, tmp_path: Path, time: FakeTime) -> None:
        """It is found in the database, without the table in memory."""
        path = tmp_path / "again.db"
        async with serving(path, time) as server, guests(server, "Aki", "Ben") as people:
            table = await begun(people, 1, "end")
            tokens = [guest.http.headers["authorization"] for guest in people]
        time.move(2 * DAY)
        async with serving(path, time) as server:
            guest = Guest(server.address, headers={"authorization": tokens[0]})
            await sweep_once(server.desk)
            assert (await guest.look(table))["head"]["why"] == "late"

    async def test_two_processes_record_a_late_turn_once(self, tmp_path: Path, time: FakeTime) -> None:
        path = tmp_path / "both.db"
        async with serving(path, time) as one, serving(path, time) as two, guests(one, "Aki", "Ben") as people:
            table = await begun(people)
            other = at(two, people[1])
            await other.look(table)
            time.move(3.01 * DAY)
            for server in (one, two, one, two):
                await sweep_once(server.desk)
            late = [row for row in await one.desk.store.rows(table) if row.kind == "late"]
            assert len(late) == 1
            await other.close()

    async def test_late_player_gets_the_seat_back(self, server: Serving, people: list[Guest], time: FakeTime) -> None:
        table, chance = await begun(people, 1), Random(0)
        late = (await asked(people, table))[0]
        other = people[1 - late]

        async def held() -> str | None:
            return str((await other.look(table))["head"]["seats"][late]["bot"] or "") or None

        async def other_plays() -> None:
            """Let the other person act until the late player is asked, or a bot plays for them."""
            while not await held() and (await asked(people, table))[0] != late:
                await act(other, table, chance)

        for _ in range(MOST_MISSED):
            await other_plays()
            await pass_days(server, time, 1.01)
            rows = [row.kind for row in await server.desk.store.rows(table) if row.seat == late]
            assert rows.count("late") + rows.count("hold") <= MOST_MISSED
            await until(lambda: not any(live.bots for live in server.desk.tables.live_tables.values()))
        assert await held()
        async with hearing(people[late], table) as line:
            await line.some("event", lambda event: event["kind"] == "back")
            assert not await held(), "whoever opens the table has the seat back"


class TestOwedMoves:
    async def test_owed_tables_are_listed_first(self, server: Serving, people: list[Guest], time: FakeTime) -> None:
        aki, _ = people
        slow = await begun(people, 7)
        time.move(10)
        quick = await begun(people, 1)
        time.move(10)
        other = await aki.make(USUAL)
        await aki.sit(other)
        for guest in people:
            listed = (await guest.call("GET", "/api/tables"))["yours"]
            owed = [(await guest.look(table))["owed"] for table in (quick, slow)]
            first = [table for table, one in zip((quick, slow), owed, strict=True) if one]
            assert [one["id"] for one in listed][: len(first)] == first
            assert {one["id"] for one in listed} == {slow, quick} | ({other} if guest is aki else set())

    async def test_owed_table_is_listed_among_many(self, people: list[Guest]) -> None:
        """For any number of later tables of the guest."""
        table = await begun(people, 1)
        aki = people[(await asked(people, table))[0]]
        for _ in range(25):
            await aki.sit(await aki.make(USUAL))
        listed = (await aki.call("GET", "/api/tables"))["yours"]
        assert listed[0]["id"] == table
        assert listed[0]["owed"]["what"] == "action"

    async def test_confirming_the_next_round_is_owed(self, people: list[Guest], time: FakeTime) -> None:
        table, chance = await begun(people), Random(1)
        while not (whole := await people[0].look(table))["view"]["over"]:
            await act(people[(await asked(people, table))[0]], table, chance)
        assert whole["owed"] == {"what": "ready", "until": whole["view"]["due"]}
        await people[0].ready(table, 1)
        assert (await people[0].look(table))["owed"] is None
        assert (await people[1].look(table))["owed"]["what"] == "ready"


async def test_window_answer_reaches_its_seat_only(server: Serving) -> None:
    """Over every line: the stream, the table, its events and the list."""
    name = "tenshu"
    async with guests(server, *party(name)) as people:
        options = {"onifuda_on_field": "any-card"}
        seats = ["person"] * 4
        table = await people[0].make(name, seats=seats, options=options, first_dealer=3, term={"days": 1})
        for guest in people[:4]:
            await guest.sit(table)
        async with hearing(people[1], table) as other, hearing(people[0], table) as own:
            await other.some("table")
            await own.some("table")
            before = await people[1].look(table)
            mine = await people[0].look(table)
            await people[0].play(table, mine["view"]["version"], "notta")
            await own.some("event", lambda event: event["kind"] == "answer")
            after = await people[1].look(table)
            assert after | {"presence": []} == before | {"presence": []}
            assert (await people[0].look(table))["answer"] == "notta"
            await people[1].play(table, before["view"]["version"], "pass")
            await other.some("event", lambda event: event["kind"] == "answer" and event["seat"] == 1)
            assert [event["seat"] for event in other.of("event")] == [1]
