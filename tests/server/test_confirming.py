"""A server whose clock has leapt, and an operator who confirms its new time."""

import asyncio
import json
from pathlib import Path
from random import Random

import pytest

from mekuri.cli import main
from mekuri.desk.stores import FOR_EVER
from mekuri.match.daily import DAY_MS, after, day_of
from mekuri.server.http.background import sweep_once
from mekuri.server.storage.store import StoreError
from mekuri.table.rows import load
from tests.helpers.server.databases import place
from tests.helpers.server.gathering import at, begun, guests, hearing
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
from tests.helpers.server.serving import Guest, Serving, act, play_out, refused, serving
from tests.helpers.server.stores import sql
from tests.helpers.tables import USUAL
from tests.helpers.time import FakeTime, held, until

__all__ = ["database", "time"]


@pytest.mark.parametrize("leap", [FAR, -FAR])
class TestConfirmation:
    @pytest.mark.every_days(4)
    async def test_confirmation_moves_deadlines_and_ages(
        self, server: Serving, people: list[Guest], time: FakeTime, database: Path, caplog: pytest.LogCaptureFixture, leap: int
    ) -> None:
        term, tables = await all_kinds(people)
        due = await due_of(people, term)
        await server.desk.store.ban(people[1].id, time.now() + DAY_MS, "")
        time.leap(leap)
        await sweeps(time, 12, server)
        await confirm(database, time, server)
        await server.desk.store.unban(people[1].id)
        assert server.desk.time.now() == time.now()
        await until(lambda: caught_up(server, term))
        assert await due_of(people, term) == due + leap * 1000
        assert await states(people[0], tables) == tables
        await sweeps(time, 12, server)
        assert await states(people[0], tables) == tables
        acts = sql(database, "SELECT body FROM acts WHERE kind = 'clock'")
        assert [json.loads(body) for (body,) in acts] == [{"by": leap * 1000}]
        assert logged(caplog)[1].startswith("The new time of the clock is confirmed, ")
        time.move((due + leap * 1000 - time.now()) / 1000 - 60)
        await sweep_once(server.desk)
        assert (await people[0].look(term))["head"]["state"] == "running", "a minute before its end"
        time.move(61)
        await sweep_once(server.desk)
        assert (await people[0].look(term))["head"]["why"] == "late"
        time.move(2 * DAY)
        for _ in range(3):
            await sweep_once(server.desk)
        assert set((await states(people[0], tables)).values()) == {"over"}
        time.move(28 * DAY)
        await sweep_once(server.desk)
        left = set((await states(people[0], tables)).values())
        # A match that was over before the clock was set back is kept for longer.
        assert left == ({"over", "gone"} if leap > 0 else {"over"}), "of 30 days, the leap is none"

    async def test_replay_after_confirmation_is_identical(
        self, server: Serving, people: list[Guest], time: FakeTime, database: Path, leap: int
    ) -> None:
        table = await slow(people)
        time.leap(leap)
        await sweeps(time, 2, server)
        await act(people[0], table, Random(0))
        await act(people[1], table, Random(0))
        await confirm(database, time, server)
        await until(lambda: caught_up(server, table))
        store = server.desk.store
        match, rows = await store.match(table), await store.rows(table)
        assert match
        assert [row.body for row in rows if row.kind == "clock"] == [{"by": leap * 1000}]
        again = load(table, match.root, rows)
        assert again.due == await due_of(people, table) == await store.due_of_match(table)
        assert again.fresh == []
        assert abs(rows[-1].at - time.now()) < 60_000

    async def test_bans_and_codes_keep_their_duration(
        self, server: Serving, people: list[Guest], time: FakeTime, database: Path, leap: int
    ) -> None:
        store, until_when = server.desk.store, time.now() + 7 * DAY_MS
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

    async def test_leap_is_confirmed_once(
        self, server: Serving, people: list[Guest], time: FakeTime, database: Path, leap: int
    ) -> None:
        await slow(people)
        async with keeping(database, time) as keeper:
            with pytest.raises(StoreError, match="nothing to confirm"):
                await keeper.confirm_clock()
            time.leap(leap)
            await sweeps(time, 2, server)
            assert await keeper.confirm_clock() == leap * 1000
            with pytest.raises(StoreError, match="nothing to confirm"):
                await keeper.confirm_clock()

    async def test_grace_of_absent_people_is_kept(
        self, server: Serving, people: list[Guest], time: FakeTime, database: Path, leap: int
    ) -> None:
        aki, _ = people
        table = await begun(people, USUAL)
        async with hearing(aki, table) as line:
            await line.some("table")
            time.leap(leap)
            await sweeps(time, 2, server)
            await confirm(database, time, server)
            await sweep_once(server.desk)
            assert [seat["bot"] for seat in (await aki.look(table))["head"]["seats"]][1] is None
            await sweeps(time, 31, server)
            assert [seat["bot"] for seat in (await aki.look(table))["head"]["seats"]][1]

    async def test_late_process_writes_no_row_with_the_old_time(
        self, server: Serving, people: list[Guest], time: FakeTime, database: Path, monkeypatch: pytest.MonkeyPatch, leap: int
    ) -> None:
        """A process that has not yet learned of it writes nothing with the former time."""
        table = await slow(people)
        time.leap(leap)
        await sweeps(time, 2, server)
        with monkeypatch.context() as patch, held():
            patch.setattr(server.desk, "apply", nothing)
            async with keeping(database, time) as keeper:
                await keeper.confirm_clock()
            assert (await refused(people[0].make(USUAL, seats=["person", "person"], term={"days": 1})))[0] == 503
            made = await people[0].make(USUAL, seats=["person", "person"], term={"days": 1})
            assert any([await act(guest, table, Random(0)) for guest in people])
        for one in (table, made):
            assert abs((await server.desk.store.rows(one))[-1].at - time.now()) < 60_000
        await sweep_once(server.desk)
        assert await states(people[0], {table: "", made: ""}) == {table: "running", made: "open"}

    async def test_confirmation_reaches_two_processes(self, database: Path, time: FakeTime, leap: int) -> None:
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


async def test_several_leaps_within_the_retention_are_left_out(
    server: Serving, people: list[Guest], time: FakeTime, database: Path
) -> None:
    """And a third one before it. All are left out."""
    over = await begun(people, USUAL, rounds=1)
    await play_out(over, people)
    for days in (15, 10, 4):
        time.leap(FAR)
        await sweep_once(server.desk)
        await confirm(database, time, server)
        time.move(days * DAY)
        await sweep_once(server.desk)
    assert await states(people[0], {over: ""}) == {over: "over"}, "after 29 days"
    time.move(1.1 * DAY)
    await sweep_once(server.desk)
    assert await states(people[0], {over: ""}) == {over: "gone"}


async def test_leapt_days_do_not_age_daily_deals(server: Serving, time: FakeTime, database: Path) -> None:
    """Deals of the day are kept for 60 days."""
    days = {day_of(time.now()), after(day_of(time.now()))}
    await sweep_once(server.desk)
    time.leap(FAR)
    await sweep_once(server.desk)
    await confirm(database, time, server)
    for moved, kept in ((1, True), (58 * DAY, True), (3 * DAY, False)):
        time.move(moved)
        await sweep_once(server.desk)
        found = {day for (day,) in sql(database, "SELECT day FROM daily_deals")}
        assert day_of(time.now()) in found
        assert (days <= found) == kept


class TestClockCommand:
    async def test_clock_command_shows_and_confirms_the_leap(
        self, server: Serving, people: list[Guest], time: FakeTime, database: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        async def admin(*words: str) -> str:
            await asyncio.to_thread(main, ["admin", *words, "--database", str(place(database))])
            return capsys.readouterr().out

        table = await slow(people)
        due, boot = await due_of(people, table), time.boot()
        assert await admin("clock") == f"the clock of machine {boot} can be trusted\n"
        time.leap(FAR)
        await sweep_once(server.desk)
        state = "has leapt, ahead by 100 days, 0:00:00: nothing is decided by it"
        assert await admin("clock") == f"the clock of machine {boot} {state}\n"
        assert (
            await admin("clock", "--confirm")
            == "the new time is confirmed, ahead by 100 days, 0:00:00: all deadlines have moved with it\n"
        )
        await until(lambda: caught_up(server, table))
        assert await due_of(people, table) == due + FAR * 1000

    async def test_second_of_two_confirmations_is_refused(
        self, server: Serving, people: list[Guest], time: FakeTime, database: Path
    ) -> None:
        table = await slow(people)
        due = await due_of(people, table)
        time.leap(FAR)
        await sweep_once(server.desk)
        async with keeping(database, time) as one, keeping(database, time) as two:
            (leap,) = await one.clocks()
            await two.confirm_clock()
            with pytest.raises(StoreError, match="confirmed meanwhile"):
                await one.store.move_time(leap)
            assert await one.store.due_of_match(table) == due + FAR * 1000

    async def test_pruning_is_refused_during_a_leap(self, server: Serving, time: FakeTime, database: Path) -> None:
        async with keeping(database, time) as keeper:
            time.leap(FAR)
            await sweep_once(server.desk)
            with pytest.raises(StoreError, match="the clock has leapt"):
                await keeper.prune(1, dry_run=False)

    async def test_confirmation_needs_machines_to_agree(self, server: Serving, time: FakeTime, database: Path) -> None:
        other = FakeTime()
        async with serving(database, other), keeping(database, time) as keeper:
            time.leap(FAR)
            await sweep_once(server.desk)
            with pytest.raises(StoreError, match="do not agree"):
                await keeper.confirm_clock()

    @pytest.mark.postgresql
    async def test_machine_started_after_the_leap_decides_nothing(
        self, server: Serving, people: list[Guest], time: FakeTime, database: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        """Its clock is as far ahead as the others, and it has no time to compare it with."""
        _, tables = await all_kinds(people)
        time.leap(FAR)
        await sweep_once(server.desk)
        async with serving(database, FakeTime(time.now()), **SETTINGS) as two:
            assert "The clock of another machine has leapt: no table is closed" in caplog.text
            await sweep_once(two.desk)
            assert await states(people[0], tables) == tables
            time.leap(-FAR)
            await sweep_once(server.desk)
            await sweep_once(two.desk)
            assert "over" in (await states(people[0], tables)).values()


async def nothing(*_: object) -> None:
    pass
