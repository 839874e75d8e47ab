"""A server whose clock leaps: it decides nothing until the clock is back, or an operator confirms the new time."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from email.utils import parsedate_to_datetime
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from mekuri.cli import main
from mekuri.match.daily import after, day_of
from mekuri.protocol.table import AskSeat, AskTable, AskTerm
from mekuri.server.admin import Admin
from mekuri.server.background import sweep_once
from mekuri.server.clock import SteadyTime
from mekuri.server.moderation import FOR_EVER
from mekuri.server.store import Store, StoreError
from mekuri.server.work import WorkerThread
from mekuri.table import commands
from mekuri.table.session import new_match
from mekuri.table.state import DAY_MS
from mekuri.table.table import Table
from tests.helpers.server.databases import place, ready
from tests.helpers.server.gathering import at, begun, guests, hearing
from tests.helpers.server.serving import Guest, Refusal, Serving, act, play_out, serving
from tests.helpers.server.stores import sql
from tests.helpers.tables import USUAL, seats_for
from tests.helpers.time import FakeTime, held, until

DAY = DAY_MS // 1000
FAR = 100 * DAY
SETTINGS: dict[str, Any] = {
    "retention": 30,
    "grace": 30,
    "unused": DAY,
    "unattended": DAY,
    "forgotten": DAY,
    "alone": DAY,
    "unfilled": DAY,
}


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "mekuri.db"


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


@pytest.fixture
async def server(database: Path, time: FakeTime) -> AsyncIterator[Serving]:
    async with serving(database, time, **SETTINGS) as running:
        yield running


@pytest.fixture
async def people(server: Serving) -> AsyncIterator[list[Guest]]:
    async with guests(server, "Aki", "Ben") as found:
        yield found


@asynccontextmanager
async def keeping(database: Path, time: FakeTime) -> AsyncIterator[Admin]:
    """An operator at the machine of the server."""
    store, worker = await Store.open(ready(database), time), WorkerThread()
    try:
        yield Admin(store, worker)
    finally:
        worker.close()
        await store.close()


async def slow(people: Sequence[Guest], days: int = 1) -> str:
    """Return a table that is played turn by turn, and whose match ends where a term passes."""
    seats = seats_for(USUAL, "person", "person")
    table = await people[0].make(USUAL, seats=seats, term={"days": days, "late": "end"}, match_options={"rounds": "2"})
    for guest in people:
        await guest.sit(table)
    return table


async def all_kinds(people: Sequence[Guest]) -> tuple[str, dict[str, str]]:
    """Return a table that is played turn by turn, and tables of all kinds that time ends, by their states."""
    aki, _ = people
    over = await begun(people, USUAL, rounds=1)
    await play_out(over, list(people))
    alone = await aki.make(USUAL)
    await aki.sit(alone)
    term = await slow(people)
    return term, {
        over: "over",
        await begun(people, USUAL): "running",
        term: "running",
        alone: "running",
        await aki.make(USUAL, seats=["person", "person"]): "open",
        await aki.make(USUAL, seats=["person", "person"], public=True): "open",
        await aki.make(USUAL, seats=["person", "person"], term={"days": 2}): "open",
    }


async def states(guest: Guest, tables: dict[str, str]) -> dict[str, str]:
    """Return the present states of tables; `gone` where one was deleted."""
    found = {}
    for table in tables:
        answer = await guest.http.get(f"/api/tables/{table}")
        found[table] = answer.json()["head"]["state"] if answer.status_code == 200 else "gone"
    return found


async def due_of(people: Sequence[Guest], table: str) -> int:
    """Return until when somebody owes something at a table."""
    (due,) = [whole["owed"]["until"] for guest in people if (whole := await guest.look(table))["owed"]]
    return int(due)


async def sweeps(time: FakeTime, seconds: int, *servers: Serving) -> None:
    for _ in range(seconds):
        time.move(1)
        for server in servers:
            await sweep_once(server.tables)


async def confirm(database: Path, time: FakeTime, *servers: Serving) -> None:
    """Confirm the new time, and wait until every server has heard of it."""
    async with keeping(database, time) as keeper:
        await keeper.confirm_clock()
    await until(lambda: not any(server.tables.store.clock.leap for server in servers))


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if "clock" in record.getMessage()]


class TestItIsBack:
    @pytest.mark.parametrize("leap", [FAR, -DAY])
    async def test_nothing_was_closed_nor_decided(
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
        await sweep_once(server.tables)
        assert (await people[0].look(term))["head"]["why"] == "late", "and terms pass again"

    async def test_nothing_is_decided_for_as_long_as_it_is_not(
        self, server: Serving, people: list[Guest], time: FakeTime, database: Path
    ) -> None:
        """Nobody knows how long it really was."""
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

    async def test_people_play_on_by_the_time_before(self, server: Serving, people: list[Guest], time: FakeTime) -> None:
        table = await slow(people)
        before = time.now()
        time.leap(FAR)
        assert any([await act(guest, table, Random(0)) for guest in people])
        rows = await server.tables.store.rows(table)
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

    async def test_the_date_of_answers_does_not_leap(self, server: Serving, time: FakeTime) -> None:
        """Pages count seconds by it."""
        time.leap(FAR)
        await sweep_once(server.tables)
        async with httpx.AsyncClient(base_url=server.address) as client:
            for _ in range(2):
                await time.pass_by(1)
                date = parsedate_to_datetime((await client.get("/health")).headers["date"])
        assert abs(date.timestamp() * 1000 - server.tables.time.now()) < 60_000


@pytest.mark.parametrize("leap", [FAR, -FAR])
class TestItIsConfirmed:
    async def test_deadlines_and_ages_are_moved(
        self, server: Serving, people: list[Guest], time: FakeTime, database: Path, caplog: pytest.LogCaptureFixture, leap: int
    ) -> None:
        term, tables = await all_kinds(people)
        due = await due_of(people, term)
        await server.tables.store.ban(people[1].id, time.now() + DAY_MS, "")
        time.leap(leap)
        await sweeps(time, 12, server)
        await confirm(database, time, server)
        await server.tables.store.unban(people[1].id)
        assert server.tables.time.now() == time.now()
        await until(lambda: caught_up(server, term))
        assert await due_of(people, term) == due + leap * 1000
        assert await states(people[0], tables) == tables
        await sweeps(time, 12, server)
        assert await states(people[0], tables) == tables
        acts = sql(database, "SELECT body FROM acts WHERE kind = 'clock'")
        assert [json.loads(body) for (body,) in acts] == [{"by": leap * 1000}]
        assert logged(caplog)[1].startswith("The new time of the clock is confirmed, ")
        time.move((due + leap * 1000 - time.now()) / 1000 - 60)
        await sweep_once(server.tables)
        assert (await people[0].look(term))["head"]["state"] == "running", "a minute before its end"
        time.move(61)
        await sweep_once(server.tables)
        assert (await people[0].look(term))["head"]["why"] == "late"
        time.move(2 * DAY)
        for _ in range(3):
            await sweep_once(server.tables)
        assert set((await states(people[0], tables)).values()) == {"over"}
        time.move(28 * DAY)
        await sweep_once(server.tables)
        left = set((await states(people[0], tables)).values())
        # A match that was over before the clock was set back is kept for longer.
        assert left == ({"over", "gone"} if leap > 0 else {"over"}), "of 30 days, the leap is none"

    async def test_a_replay_gives_the_same(
        self, server: Serving, people: list[Guest], time: FakeTime, database: Path, leap: int
    ) -> None:
        table = await slow(people)
        time.leap(leap)
        await sweeps(time, 2, server)
        await act(people[0], table, Random(0))
        await act(people[1], table, Random(0))
        await confirm(database, time, server)
        await until(lambda: caught_up(server, table))
        store = server.tables.store
        match, rows = await store.match(table), await store.rows(table)
        assert match
        assert [row.body for row in rows if row.kind == "clock"] == [{"by": leap * 1000}]
        again = Table.load(table, match.root, rows)
        assert again.due == await due_of(people, table) == await store.due_of_match(table)
        assert again.fresh == []
        assert abs(rows[-1].at - time.now()) < 60_000

    async def test_bans_and_codes_last_as_long(
        self, server: Serving, people: list[Guest], time: FakeTime, database: Path, leap: int
    ) -> None:
        store, until_when = server.tables.store, time.now() + 7 * DAY_MS
        aki, ben = people
        await store.ban(aki.id, until_when, "")
        await store.ban(ben.id, FOR_EVER, "")
        sql(database, "INSERT INTO codes (person, code_hash, until) VALUES (?, 'hash', ?)", [aki.id, until_when])
        time.leap(leap)
        await sweeps(time, 2, server)
        await confirm(database, time, server)
        bans = dict(sql(database, "SELECT id, banned_until FROM people"))
        assert bans == {aki.id: until_when + leap * 1000, ben.id: FOR_EVER}
        assert sql(database, "SELECT until FROM codes") == [(until_when + leap * 1000,)]

    async def test_it_is_done_once(self, server: Serving, people: list[Guest], time: FakeTime, database: Path, leap: int) -> None:
        await slow(people)
        async with keeping(database, time) as keeper:
            with pytest.raises(StoreError, match="nothing to confirm"):
                await keeper.confirm_clock()
            time.leap(leap)
            await sweeps(time, 2, server)
            assert await keeper.confirm_clock() == leap * 1000
            with pytest.raises(StoreError, match="nothing to confirm"):
                await keeper.confirm_clock()

    async def test_people_who_are_absent_are_waited_for_as_long(
        self, server: Serving, people: list[Guest], time: FakeTime, database: Path, leap: int
    ) -> None:
        aki, _ = people
        table = await begun(people, USUAL)
        async with hearing(aki, table) as line:
            await line.some("table")
            time.leap(leap)
            await sweeps(time, 2, server)
            await confirm(database, time, server)
            await sweep_once(server.tables)
            assert [seat["bot"] for seat in (await aki.look(table))["head"]["seats"]][1] is None
            await sweeps(time, 31, server)
            assert [seat["bot"] for seat in (await aki.look(table))["head"]["seats"]][1]

    async def test_no_row_gets_a_time_that_is_over(
        self, server: Serving, people: list[Guest], time: FakeTime, database: Path, monkeypatch: pytest.MonkeyPatch, leap: int
    ) -> None:
        """A process that has not heard of it yet writes nothing by the time before."""
        table = await slow(people)
        time.leap(leap)
        await sweeps(time, 2, server)
        with monkeypatch.context() as patch, held():
            patch.setattr(server.tables, "heard_act", nothing)
            async with keeping(database, time) as keeper:
                await keeper.confirm_clock()
            with pytest.raises(Refusal) as refused:
                await people[0].make(USUAL, seats=["person", "person"], term={"days": 1})
            assert refused.value.status == 503
            made = await people[0].make(USUAL, seats=["person", "person"], term={"days": 1})
            assert any([await act(guest, table, Random(0)) for guest in people])
        for one in (table, made):
            assert abs((await server.tables.store.rows(one))[-1].at - time.now()) < 60_000
        await sweep_once(server.tables)
        assert await states(people[0], {table: "", made: ""}) == {table: "running", made: "open"}

    async def test_two_processes(self, database: Path, time: FakeTime, leap: int) -> None:
        async with (
            serving(database, time, **SETTINGS) as one,
            serving(database, time, **SETTINGS) as two,
            guests(one, "Aki", "Ben") as people,
        ):
            term, tables = await all_kinds(people)
            there = [at(two, guest) for guest in people]
            other = await slow(there)
            due = [await due_of(people, term), await due_of(there, other)]
            time.leap(leap)
            await sweeps(time, 12, one, two)
            assert await states(people[0], tables) == tables
            await confirm(database, time, one, two)
            await until(lambda: caught_up(one, term) and caught_up(two, other))
            assert [await due_of(there, term), await due_of(people, other)] == [each + leap * 1000 for each in due]
            await sweeps(time, 12, one, two)
            assert await states(there[0], {**tables, other: "running"}) == {**tables, other: "running"}
            for guest in there:
                await guest.close()


async def test_two_leaps_within_the_time_that_is_kept(server: Serving, people: list[Guest], time: FakeTime, database: Path) -> None:
    """And a third one before it. All are left out."""
    over = await begun(people, USUAL, rounds=1)
    await play_out(over, people)
    for days in (15, 10, 4):
        time.leap(FAR)
        await sweep_once(server.tables)
        await confirm(database, time, server)
        time.move(days * DAY)
        await sweep_once(server.tables)
    assert await states(people[0], {over: ""}) == {over: "over"}, "after 29 days"
    time.move(1.1 * DAY)
    await sweep_once(server.tables)
    assert await states(people[0], {over: ""}) == {over: "gone"}


async def test_days_over_which_the_clock_has_leapt_are_no_age(server: Serving, time: FakeTime, database: Path) -> None:
    """Deals of the day are kept for 60 days."""
    days = {day_of(time.now()), after(day_of(time.now()))}
    await sweep_once(server.tables)
    time.leap(FAR)
    await sweep_once(server.tables)
    await confirm(database, time, server)
    for moved, kept in ((1, True), (58 * DAY, True), (3 * DAY, False)):
        time.move(moved)
        await sweep_once(server.tables)
        found = {day for (day,) in sql(database, "SELECT day FROM daily_deals")}
        assert day_of(time.now()) in found
        assert (days <= found) == kept


class TestSmallSteps:
    async def test_they_are_followed(
        self, server: Serving, people: list[Guest], time: FakeTime, caplog: pytest.LogCaptureFixture
    ) -> None:
        table = await slow(people)
        due = await due_of(people, table)
        for step in (59, 59, 59, -59, 0.5):
            time.leap(step)
            await sweeps(time, 2, server)
            assert server.tables.time.now() == time.now()
        assert await due_of(people, table) == due
        assert logged(caplog) == []

    def test_a_process_that_stood_still_between_two_readings_sees_no_leap(self) -> None:
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

    def test_a_machine_that_slept_sees_no_leap(self) -> None:
        time = FakeTime()
        steady = SteadyTime(time)
        before = steady.now()
        time.move(FAR)
        assert (steady.now(), steady.leap) == (before + FAR * 1000, 0)


class TestWhileNoProcessRuns:
    async def test_a_leap_stands_over_a_restart(self, database: Path, time: FakeTime) -> None:
        """As long as the machine runs."""
        async with serving(database, time, **SETTINGS) as server, guests(server, "Aki", "Ben") as people:
            table = await slow(people)
            due = await due_of(people, table)
            time.leap(FAR)
            await sweep_once(server.tables)
            tokens = [guest.http.headers["authorization"] for guest in people]
        async with serving(database, time, **SETTINGS) as server:
            there = [Guest(server.address, headers={"authorization": token}) for token in tokens]
            await sweeps(time, 12, server)
            assert await due_of(there, table) == due
            await confirm(database, time, server)
            await until(lambda: caught_up(server, table))
            assert await due_of(there, table) == due + FAR * 1000
            for guest in there:
                await guest.close()

    async def test_its_end_is_confirmed(self, database: Path, time: FakeTime) -> None:
        async with serving(database, time, **SETTINGS) as server, guests(server, "Aki", "Ben") as people:
            table = await slow(people)
            due = await due_of(people, table)
        time.leap(FAR)
        async with keeping(database, time) as keeper:
            assert await keeper.confirm_clock() == FAR * 1000
            assert await keeper.store.due_of_match(table) == due + FAR * 1000
        async with serving(database, time, **SETTINGS) as server:
            assert (server.tables.time.now(), server.tables.store.clock.leap) == (time.now(), 0)
            await sweep_once(server.tables)
            assert await server.tables.store.count("running") == 1

    async def test_a_clock_behind_the_newest_row_has_leapt_back(
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
            for guest in there:
                await guest.close()


class TestACapOfEndings:
    @pytest.mark.parametrize(("number", "first", "second"), [(300, 15, 14), (12, 10, 2)])
    async def test_few_end_at_once(
        self, database: Path, caplog: pytest.LogCaptureFixture, number: int, first: int, second: int
    ) -> None:
        """Where the clock is far ahead after a stop, which nobody can tell from a long stop."""
        time = FakeTime(moves=False)
        async with serving(database, time) as server:
            asked = AskTable(game=USUAL, seats=["person", "person"], term=AskTerm(days=1, late="end"))
            for n in range(number):
                table = commands.make(f"t{n}", bytes(32), asked, "ann", time.now())
                for person in ("ann", "ben"):
                    commands.sit(table, person, person, AskSeat(), time.now())
                await server.tables.store.add_match(new_match(table))
            await time.pass_by(FAR)
            assert await server.tables.store.count("over") == first
            for _ in range(9):
                await time.pass_by(1)
            assert await server.tables.store.count("over") == first
            await time.pass_by(1)
            assert await server.tables.store.count("over") == first + second
        assert (
            f"Too many running tables would end at once: {min(number, 100) - first} or more wait. Is the clock right?"
            in caplog.text
        )


class TestTheCommand:
    async def test_it_tells_and_confirms(
        self, server: Serving, people: list[Guest], time: FakeTime, database: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        async def admin(*words: str) -> str:
            await asyncio.to_thread(main, ["admin", *words, "--database", str(place(database))])
            return capsys.readouterr().out

        table = await slow(people)
        due, boot = await due_of(people, table), time.boot()
        assert await admin("clock") == f"the clock of machine {boot} can be trusted\n"
        time.leap(FAR)
        await sweep_once(server.tables)
        told = "has leapt, ahead by 100 days, 0:00:00: nothing is decided by it"
        assert await admin("clock") == f"the clock of machine {boot} {told}\n"
        assert (
            await admin("clock", "--confirm")
            == "the new time is confirmed, ahead by 100 days, 0:00:00: all deadlines have moved with it\n"
        )
        await until(lambda: caught_up(server, table))
        assert await due_of(people, table) == due + FAR * 1000

    async def test_nothing_is_deleted_meanwhile(self, server: Serving, time: FakeTime, database: Path) -> None:
        async with keeping(database, time) as keeper:
            time.leap(FAR)
            await sweep_once(server.tables)
            with pytest.raises(StoreError, match="the clock has leapt"):
                await keeper.prune(1, dry_run=False)

    async def test_machines_that_do_not_agree(self, server: Serving, time: FakeTime, database: Path) -> None:
        other = FakeTime()
        async with serving(database, other), keeping(database, time) as keeper:
            time.leap(FAR)
            await sweep_once(server.tables)
            with pytest.raises(StoreError, match="do not agree"):
                await keeper.confirm_clock()


def caught_up(server: Serving, table: str) -> bool:
    """Return whether a table is in memory as it is after the leap was confirmed, or not at all."""
    live = server.tables.cache.live_tables.get(table)
    if server.tables.store.clock.leap:
        return False
    return live is None or live.table is None or any(event.kind == "clock" for event in live.table.events(None, 0) or ())


async def nothing(*_: object) -> None:
    pass
