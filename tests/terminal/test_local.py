"""Matches against bots in this process."""

import asyncio

import pytest

import mekuri
from mekuri import Record, replay
from mekuri.match.deals import SeedDeals
from mekuri.table import commands
from mekuri.table.commands import Turn
from mekuri.table.showing import record_of
from mekuri.terminal.base.local import LocalPlay, ask_table, local_play, seats_of
from mekuri.terminal.screens.sheet import ResultScreen, SheetScreen
from tests.helpers.screens import SilentStage, on_screen, play_through, screen_text, solo, table_of, until_asked
from tests.helpers.server.gathering import WINDOWS
from tests.helpers.server.windows import asked
from tests.helpers.tables import USUAL, each_game
from tests.helpers.time import FakeTime, until

__all__ = ["asked"]
AT = 1_700_000_000_000
WINDOW = 8.0  # seconds


@pytest.fixture
def time() -> FakeTime:
    return FakeTime(moves=False)


async def timed(name: str, time: FakeTime, seed: int = 1, window: float = WINDOW, **options: int) -> LocalPlay:
    """A match of a person in the first seat against bots, at a table with a clock of its own."""
    game = mekuri.game(name)
    return await local_play(ask_table(game, seats_of(game, "random"), options), 0, seed, window=window, time=time)


async def in_window(name: str, time: FakeTime) -> tuple[LocalPlay, SilentStage, asyncio.Task[None]]:
    """Return a running match in a window in which the player is asked."""
    for seed in range(100):
        play, stage = await timed(name, time, seed), SilentStage()
        if play.table.closes is not None and play.table.running.legal_for(0):
            task = asyncio.create_task(play.run(stage))
            await until(lambda: stage.views and stage.views[-1].legal)  # noqa: B023 - waited for at once
            return play, stage, task
    raise AssertionError("no seed asks the player")


def spoken(play: LocalPlay) -> list[int]:
    """Return the seats of the round's actions, in order."""
    return [seat for seat, _ in play.match.round.actions]


@pytest.mark.parametrize("name", WINDOWS)
class TestWindow:
    async def test_waits_for_player_and_counts_seconds(self, name: str, time: FakeTime, asked: list[Turn]) -> None:
        play, stage, task = await in_window(name, time)
        assert play.seconds_left == WINDOW
        time.move(WINDOW - 0.001)
        assert play.seconds_left == 1
        await play._here.desk.tables.run(play.id, commands.close_window)
        assert not asked
        assert spoken(play) == []
        await play.choose(stage.views[-1].legal[-1].action)
        await until(lambda: asked)
        assert spoken(play)[0] == 0
        task.cancel()

    async def test_silence_counts_as_answer(self, name: str, time: FakeTime, asked: list[Turn]) -> None:
        """Then the bots answer, in turn order."""
        play, _, task = await in_window(name, time)
        silence, owing = play.match.round.silence, play.match.round.waiting_in_turn
        time.move(WINDOW)
        await play._here.desk.tables.run(play.id, commands.close_window)
        assert play.match.round.actions[0] == (0, play.match.round.parse_action(silence or ""))
        await until(lambda: len(spoken(play)) > 1)
        bots = [seat for seat in owing if seat != 0]
        assert spoken(play)[1] == asked[0].seat == bots[0]
        task.cancel()

    async def test_closes_by_itself(self, name: str) -> None:
        """Its length is 0, so that the test does not wait."""
        game = mekuri.game(name)
        play, stage = await local_play(ask_table(game, seats_of(game, "random"), {"rounds": 1}), 0, 3, window=0), SilentStage()
        task = asyncio.create_task(play.run(stage))
        said = {play.match.round.parse_action(play.match.round.silence or "")}
        await until(lambda: play.match.round.silence is None)
        assert {action for seat, action in play.match.round.actions if seat == 0} == said
        task.cancel()

    async def test_seconds_are_on_screen(self, name: str, time: FakeTime) -> None:
        play = await timed(name, time)
        for seed in range(100):
            play = await timed(name, time, seed)
            if play.table.running.legal_for(0):
                break
        async with on_screen(play) as (app, pilot):
            assert await until_asked(pilot)
            here = table_of(app)
            assert here.say("table.seconds", n=round(WINDOW)) in screen_text(app)


@each_game
async def test_seed_deals_as_in_a_match(name: str) -> None:
    game = mekuri.game(name)
    play, match = await timed(name, FakeTime(), seed=5), game.match(5)
    assert isinstance(play.table.deals, SeedDeals)
    assert (play.match.dealer, play.match.round.packs) == (match.dealer, match.round.packs)
    assert play.match.record().fair is None
    assert play.match.record().players == seats_of(game, "random")


async def test_bots_wait_until_events_are_shown(asked: list[Turn]) -> None:
    """A spectator misses no event."""
    game = mekuri.game(USUAL)
    play = await local_play(ask_table(game, ["random"] * game.seats, {"rounds": 2}), 60, 1)
    async with on_screen(play) as (_, pilot):
        for number in range(1, 5):
            while len(play.match.round.actions) < number:
                if play._showing:
                    await pilot.press("enter")
                await asyncio.sleep(0.005)
            await until(lambda: play._showing)
            assert len(asked) == len(play.match.round.actions) == number


async def test_failing_bot_ends_the_run(time: FakeTime, monkeypatch: pytest.MonkeyPatch) -> None:
    def think(turn: Turn) -> int:
        raise ZeroDivisionError("the bot is broken")

    monkeypatch.setattr(commands, "think", think)
    game = mekuri.game(USUAL)
    play = await local_play(ask_table(game, ["random"] * game.seats, {}), 0, 1, time=time)
    with pytest.raises(ZeroDivisionError, match="the bot is broken"):
        await play.run(SilentStage())


@pytest.mark.every_days(4)
async def test_next_match_continues_and_both_have_records() -> None:
    """The deal passes on, and each match has its record."""
    play = await solo(USUAL, seed=2)
    async with on_screen(play) as (app, pilot):
        for _ in range(2):
            await play_through(pilot)
            assert isinstance(app.screen, SheetScreen)
            await pilot.press("enter")
            await until(lambda: isinstance(app.screen, ResultScreen))
            await pilot.press("p")
            await until(lambda: not isinstance(app.screen, ResultScreen))
    following = play.next
    assert following
    assert following.next
    assert [each.match.over for each in (play, following, following.next)] == [True, True, False]
    assert following.match.first_dealer == following.match.dealer == play.match.round.next_dealer
    assert following.seats == play.seats
    assert following.match.round.packs != play.match.round.packs
    for each in (play, following):
        record = Record.from_json(each.match.record().to_json())
        assert replay(record).over
        assert record_of(each.table) == each.match.record().to_json()
        head = each.table.head
        assert (head.commitment, head.secret) == ("", None), "a seed is never opened"
