"""Bots at tables: slow ones, broken ones, forgotten turns, and several processes that compute the same turn."""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from mekuri.engine.contract import DRIVER, legal
from mekuri.server.http.background import sweep_once
from mekuri.table import commands
from mekuri.table.commands import Turn
from mekuri.table.rows import catch_up
from mekuri.table.table import Table
from tests.helpers.patience import PATIENCE
from tests.helpers.server.gathering import SlowBot, at, begun, each_vote, guests, hearing, kinds_in_turn
from tests.helpers.server.serving import Guest, Serving, act, play_out, serving
from tests.helpers.tables import USUAL
from tests.helpers.time import FakeTime, moment, settled, until

LOG = "mekuri.table"


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowBot]:
    with SlowBot("random", monkeypatch) as found:
        yield found


async def turn_of_bot(guest: Guest, table: str, slow: SlowBot) -> None:
    """Play until the bot is asked."""
    while not slow.turns:
        view = (await guest.look(table))["view"]
        if view["legal"]:
            await guest.play(table, view["version"], view["legal"][0]["action"])
        await moment()


class TestSlow:
    @kinds_in_turn(0)
    async def test_slow_bot_does_not_delay_another_table(self, aki: Guest, slow: SlowBot, name: str) -> None:
        table = await begun([aki], name, rounds=1, bots=["random"])
        await turn_of_bot(aki, table, slow)
        before = await aki.look(table)
        other = await begun([aki], name, rounds=1, bots=["greedy"])
        assert (await play_out(other, [aki]))["head"]["why"] == "played"
        # All that time the bot has thought about one turn, and its table could be looked at.
        assert (await aki.look(table))["view"] == before["view"]
        assert len([turn for turn in slow.turns if turn.bot == "random"]) == 1
        slow.answer()
        assert (await play_out(table, [aki]))["head"]["why"] == "played"

    @each_vote
    async def test_slow_bot_does_not_delay_a_simultaneous_decision(self, aki: Guest, slow: SlowBot, name: str) -> None:
        table = await begun([aki], name, rounds=1, bots=["random"])
        await until(lambda: slow.turns)
        view = (await aki.look(table))["view"]
        answer = await aki.play(table, view["version"], view["legal"][0]["action"])
        assert answer["version"] == view["version"] + 1
        assert (await aki.look(table))["view"]["waiting"] == [1]
        slow.answer()
        assert (await play_out(table, [aki]))["head"]["why"] == "played"

    async def test_closing_does_not_wait_for_a_slow_bot(self, tmp_path: Path, slow: SlowBot) -> None:
        async with serving(tmp_path / "other.db") as server, guests(server, "Aki") as (aki,):
            table = await begun([aki], USUAL, bots=["random"])
            await turn_of_bot(aki, table, slow)
            before = (await aki.look(table))["version"]
            async with asyncio.timeout(PATIENCE / 2):  # before the bot gives up waiting
                await server.stop()
        slow.answer()
        # The turn is not lost: the next server finds it.
        async with serving(tmp_path / "other.db") as server:
            again = at(server, aki)
            await played_by_bot(again, table, before)


class TestBroken:
    @kinds_in_turn(1)
    @pytest.mark.parametrize("fault", ["raises", "illegal", "nonsense"])
    async def test_failing_bot_is_replaced_for_one_turn(
        self, aki: Guest, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, name: str, fault: str
    ) -> None:
        """One turn fails: another bot plays it, the log has one line, and later turns are the bot's own."""
        quick, failed = commands.think, list[Turn]()

        def think(turn: Turn) -> int:
            if failed:
                return quick(turn)
            failed.append(turn)
            if fault == "raises":
                raise ZeroDivisionError("the bot is broken")
            choices = legal(turn.hidden, turn.seat)
            return next(action for action in range(63) if not choices >> action & 1) if fault == "illegal" else -1

        monkeypatch.setattr(commands, "think", think)
        table = await begun([aki], name, rounds=1, bots=["greedy"])
        assert (await play_out(table, [aki]))["head"]["why"] == "played"
        assert len(failed) == 1
        errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
        assert len(errors) == 1, [record.getMessage() for record in errors]
        assert errors[0].name == LOG
        assert "greedy" in errors[0].getMessage()


class TestForgotten:
    @kinds_in_turn(2)
    async def test_sweeper_resumes_a_lost_turn(self, server: Serving, aki: Guest, time: FakeTime, slow: SlowBot, name: str) -> None:
        table = await begun([aki], name, bots=["random"])
        await turn_of_bot(aki, table, slow)
        live = server.desk.tables.live_tables[table]
        assert live.bots
        live.bots.cancel()
        await until(lambda: live.bots is None)
        slow.answer()
        before = (await aki.look(table))["version"]
        await sweep_once(server.desk)
        assert (await aki.look(table))["version"] == before, "others may be computing it still"
        time.move(10)
        await sweep_once(server.desk)
        await played_by_bot(aki, table, before)

    @kinds_in_turn(0)
    async def test_start_resumes_a_due_bot_turn(self, tmp_path: Path, name: str) -> None:
        """A server that starts takes the bots' turns up at once."""
        async with serving(tmp_path / "mekuri.db") as server, guests(server, "Aki") as (aki,):
            server.desk.tables.closing = True  # it begins no bot's turn any more
            table = await begun([aki], name, bots=["greedy"])
            while await act(aki, table, Random(0)):
                pass
            before = (await aki.look(table))["version"]
            assert await server.desk.store.bots_due(1 << 50) == [table]
        async with serving(tmp_path / "mekuri.db") as server:
            again = at(server, aki)
            await until(lambda: table in server.desk.tables.live_tables)
            await played_by_bot(again, table, before)


async def played_by_bot(guest: Guest, table: str, version: int) -> None:
    """The next thing that a guest sees happen at the table is the bot's."""
    async with hearing(guest, table, last=str(version)) as heard:
        await heard.version(version + 1)
        assert 0 < heard.of("event")[0]["seat"] < DRIVER


class TestSeveralProcesses:
    @kinds_in_turn(1)
    async def test_one_process_computes_a_bot_turn(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        """Of two servers on one log, one computes the turns of a table, wherever it is viewed."""
        quick, asked = commands.think, Counter[tuple[int, int]]()

        def think(turn: Turn) -> int:
            asked[turn.seat, turn.number] += 1
            return quick(turn)

        monkeypatch.setattr(commands, "think", think)
        path = tmp_path / "mekuri.db"
        async with serving(path) as one, serving(path) as two, guests(one, "Aki") as (aki,):
            there = Guest(two.address)
            table = await begun([aki], name, rounds=1, bots=["greedy"])
            await settled()  # no bot is thinking when the table moves to who follows it
            async with hearing(there, table) as heard:
                await until(lambda: table in two.desk.tables.live_tables)
                end = await play_out(table, [aki])
                await heard.some("event", lambda event: event["kind"] == "end")
            assert end["head"]["why"] == "played"
            match = await one.desk.store.match(table)
            assert match
            rows = await one.desk.store.rows(table)
        played = [row for row in rows if row.kind == "play" and row.seat not in (0, DRIVER)]
        decisions = [(row.seat, row.decision) for row in played]
        assert len(set(decisions)) == len(decisions)
        assert max(asked.values()) == 1
        # The bot's action follows from the log alone.
        again = Table(table, match.root)
        for row in rows:
            if row in played:
                turn = commands.bot_turn(again, 0)
                assert turn
                assert again.running.action_text(quick(turn)) == row.body["action"]
            catch_up(again, [row])
