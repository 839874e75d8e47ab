"""A server whose clock leaps decides nothing until the clock is back."""

from email.utils import parsedate_to_datetime
from pathlib import Path
from random import Random

import httpx
import pytest

from mekuri.match.daily import DAY_MS, after, day_of
from mekuri.protocol.table import AskSeat, AskTable, AskTerm
from mekuri.server.http.background import sweep_once
from mekuri.server.storage.clock import SteadyTime
from mekuri.table import commands
from mekuri.table.session import new_match
from tests.helpers.server.gathering import begun, guests, hearing
from tests.helpers.server.leaping import (
    DAY,
    FAR,
    SETTINGS,
    all_kinds,
    caught_up,
    confirm,
    database,
    due_of,
    keeping,
    logged,
    slow,
    states,
    sweeps,
    time,
)
from tests.helpers.server.serving import Guest, Serving, act, serving
from tests.helpers.server.stores import sql
from tests.helpers.tables import USUAL
from tests.helpers.time import FakeTime, until

__all__ = ["database", "time"]


class TestClockIsBack:
    @pytest.mark.parametrize("leap", [FAR, -DAY])
    async def test_no_deadline_passes_during_a_leap(
        self, server: Serving, people: list[Guest], time: FakeTime, database: Path, caplog: pytest.LogCaptureFixture, leap: int
    ) -> None:
        term, tables = await all_kinds(people)
        due, deals = await due_of(people, term), sql(database, "SELECT count(*) FROM daily_deals")
        days = {day_of(time.now()), after(day_of(time.now()))}
        time.leap(leap)
        await sweeps(time, 12, server)
        assert await states(people[0], tables) == tables
        assert sql(database, "SELECT count(*) FROM daily_deals") == deals
        assert (await people[0].http.get("/ready")).status_code == 200
        time.leap(-leap)
        await sweeps(time, 12, server)
        assert await states(people[0], tables) == tables
        assert await due_of(people, term) == due
        assert {day for (day,) in sql(database, "SELECT day FROM daily_deals")} == days
        seen, back = logged(caplog)
        assert seen.startswith(f"The clock has leapt, {'ahead by 100 days' if leap > 0 else 'back by 1 day'}, 0:00:00: no table")
        assert "mekuri admin clock --confirm" in seen
        assert back == "The clock is back: everything goes on"
        time.move(1.1 * DAY)
        await sweep_once(server.desk)
        assert (await people[0].look(term))["head"]["why"] == "late", "and terms pass again"

    async def test_nothing_is_decided_until_the_clock_is_back(
        self, server: Serving, people: list[Guest], time: FakeTime, database: Path
    ) -> None:
        """The real length is unknown."""
        term, tables = await all_kinds(people)
        time.leap(-DAY)
        time.move(40 * DAY)
        await sweeps(time, 2, server)
        assert await states(people[0], tables) == tables
        assert sql(database, "SELECT count(*) FROM daily_deals") == [(0,)]
        time.leap(DAY)
        await sweeps(time, 2, server)
        assert (await people[0].look(term))["head"]["why"] == "late"
        assert set((await states(people[0], tables)).values()) == {"over", "gone"}

    async def test_rows_carry_the_time_before_the_leap(self, server: Serving, people: list[Guest], time: FakeTime) -> None:
        table = await slow(people)
        before = time.now()
        time.leap(FAR)
        assert any([await act(guest, table, Random(0)) for guest in people])
        rows = await server.desk.store.rows(table)
        assert all(before - 60_000 < row.at < before + 60_000 for row in rows), "also before any sweep has seen the leap"
        assert await due_of(people, table) < before + DAY_MS + 60_000

    async def test_no_bot_takes_a_seat(self, server: Serving, people: list[Guest], time: FakeTime) -> None:
        aki, _ = people
        table = await begun(people, USUAL)
        async with hearing(aki, table) as line:
            await line.some("table")
            time.leap(FAR)
            await sweeps(time, 60, server)
            assert [seat["bot"] for seat in (await aki.look(table))["head"]["seats"]][1] is None
            time.leap(-FAR)
            await sweeps(time, 2, server)
            assert [seat["bot"] for seat in (await aki.look(table))["head"]["seats"]][1]

    async def test_date_header_ignores_the_leap(self, server: Serving, time: FakeTime) -> None:
        """Pages count seconds by it."""
        time.leap(FAR)
        await sweep_once(server.desk)
        async with httpx.AsyncClient(base_url=server.address) as client:
            for _ in range(2):
                await time.pass_by(1)
                date = parsedate_to_datetime((await client.get("/health")).headers["date"])
        assert abs(date.timestamp() * 1000 - server.desk.time.now()) < 60_000


class TestSmallSteps:
    async def test_small_steps_are_followed(
        self, server: Serving, people: list[Guest], time: FakeTime, caplog: pytest.LogCaptureFixture
    ) -> None:
        table = await slow(people)
        due = await due_of(people, table)
        for step in (59, 59, 59, -59, 0.5):
            time.leap(step)
            await sweeps(time, 2, server)
            assert server.desk.time.now() == time.now()
        assert await due_of(people, table) == due
        assert logged(caplog) == []

    def test_pause_between_two_readings_is_no_leap(self) -> None:
        time = FakeTime()
        steady = SteadyTime(time)
        steady.now()
        stood = iter([0, 0, FAR])

        class Stopped(FakeTime):
            def monotonic(self) -> float:
                time.move(next(stood, 0))
                return time.monotonic()

            def now(self) -> int:
                return time.now()

        steady._time = Stopped()
        assert steady.now() == time.now()
        assert steady.leap == 0

    def test_sleep_of_the_machine_is_no_leap(self) -> None:
        time = FakeTime()
        steady = SteadyTime(time)
        before = steady.now()
        time.move(FAR)
        assert (steady.now(), steady.leap) == (before + FAR * 1000, 0)


class TestRestart:
    async def test_leap_survives_a_restart(self, database: Path, time: FakeTime) -> None:
        """As long as the machine runs."""
        async with serving(database, time, **SETTINGS) as server, guests(server, "Aki", "Ben") as people:
            table = await slow(people)
            due = await due_of(people, table)
            time.leap(FAR)
            await sweep_once(server.desk)
            tokens = [guest.http.headers["authorization"] for guest in people]
        async with serving(database, time, **SETTINGS) as server:
            there = [Guest(server.address, headers={"authorization": token}) for token in tokens]
            await sweeps(time, 12, server)
            assert await due_of(there, table) == due
            await confirm(database, time, server)
            await until(lambda: caught_up(server, table))
            assert await due_of(there, table) == due + FAR * 1000

    async def test_end_of_a_leap_is_confirmed_after_a_restart(self, database: Path, time: FakeTime) -> None:
        async with serving(database, time, **SETTINGS) as server, guests(server, "Aki", "Ben") as people:
            table = await slow(people)
            due = await due_of(people, table)
        time.leap(FAR)
        async with keeping(database, time) as keeper:
            assert await keeper.confirm_clock() == FAR * 1000
            assert await keeper.store.due_of_match(table) == due + FAR * 1000
        async with serving(database, time, **SETTINGS) as server:
            assert (server.desk.time.now(), server.desk.store.clock.leap) == (time.now(), 0)
            await sweep_once(server.desk)
            assert await server.desk.store.count("running") == 1

    async def test_clock_behind_the_newest_row_counts_as_leap(
        self, database: Path, time: FakeTime, caplog: pytest.LogCaptureFixture
    ) -> None:
        async with serving(database, time, **SETTINGS) as server, guests(server, "Aki", "Ben") as people:
            table = await slow(people)
            due = await due_of(people, table)
            tokens = [guest.http.headers["authorization"] for guest in people]
        after_its_start = FakeTime(time.now() - 2 * DAY_MS)
        async with serving(database, after_its_start, **SETTINGS) as server:
            there = [Guest(server.address, headers={"authorization": token}) for token in tokens]
            assert logged(caplog)[0].startswith("The clock has leapt, back by 2 days, 0:00:00: ")
            await confirm(database, after_its_start, server)
            await until(lambda: caught_up(server, table))
            assert abs(await due_of(there, table) - due + 2 * DAY_MS) < 60_000


class TestEndingsPerSweep:
    @pytest.mark.parametrize(("number", "first", "second"), [(300, 15, 14), (12, 10, 2)])
    async def test_endings_after_a_long_stop_are_capped(
        self, database: Path, caplog: pytest.LogCaptureFixture, number: int, first: int, second: int
    ) -> None:
        """The clock is far ahead after a stop, which looks like a long stop."""
        time = FakeTime(moves=False)
        async with serving(database, time) as server:
            asked = AskTable(game=USUAL, seats=["person", "person"], term=AskTerm(days=1, late="end"))
            for n in range(number):
                table = commands.make(f"t{n}", bytes(32), asked, "ann", time.now())
                for person in ("ann", "ben"):
                    commands.sit(table, person, person, AskSeat(), time.now())
                await server.desk.store.add_match(new_match(table))
            await time.pass_by(FAR)
            assert await server.desk.store.count("over") == first
            for _ in range(9):
                await time.pass_by(1)
            assert await server.desk.store.count("over") == first
            await time.pass_by(1)
            assert await server.desk.store.count("over") == first + second
        assert (
            f"Too many running tables would end at once: {min(number, 100) - first} or more wait. Is the clock right?"
            in caplog.text
        )
