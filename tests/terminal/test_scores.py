"""How seats stand in a round, what it is played for, who sits where, and the last move: beside the cards, at every size."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

import pytest
from rich.cells import cell_len
from rich.console import Console
from textual.pilot import Pilot

import mekuri
from mekuri import games
from mekuri.engine.contract import Goal, Text
from mekuri.match.view import View
from mekuri.terminal.base.local import LocalPlay, seats_of, solo_table
from mekuri.terminal.base.translate import Translator, signs
from mekuri.terminal.screens.scores import goal_lines, pips, score_line
from mekuri.terminal.screens.seats import tag
from mekuri.terminal.screens.sheet import ScoreScreen
from mekuri.terminal.screens.table import TableScreen, table_app
from mekuri.testing.worlds import random_round, steps
from tests.helpers.screens import LARGE, SMALL, play_card, read_paper, screen_text, table_of, until_asked


@asynccontextmanager
async def asked(name: str, acts: int = 2) -> AsyncIterator[tuple[Pilot[None], TableScreen]]:
    """A small table at which the person is asked, after some cards."""
    game = mekuri.game(name)
    app = table_app(LocalPlay(solo_table(game, seats_of(game, "greedy"), {"rounds": 1}, 3), 0))
    async with app.run_test(size=SMALL) as pilot:
        for _ in range(acts):
            assert await until_asked(pilot)
            await play_card(pilot)
        assert await until_asked(pilot)
        await pilot.pause()
        yield pilot, table_of(app)


@cache
def views(name: str) -> tuple[View, ...]:
    """What the first seat sees at every step of a round."""
    return tuple(now.view(0) for now in steps(random_round(mekuri.game(name), 1)))


def voice_of(name: str, *others: str) -> Translator:
    game = mekuri.game(name)
    return Translator(game.rulebook, "en", ("you", *(others or ["greedy"] * (game.seats - 1))))


def flowing(text: str) -> str:
    """A text without its breaks of lines."""
    return " ".join(text.split())


COUNTING = [name for name in games.names() if any(one and one.wins_from for one in views(name)[-1].scores)]
WITH_GOALS = [name for name in games.names() if any(view.goals for view in views(name))]


def test_there_are_such_games() -> None:
    assert COUNTING
    assert WITH_GOALS


@pytest.mark.every_days(4)
@pytest.mark.parametrize("name", COUNTING)
async def test_a_small_table_shows_what_is_counted_up_and_from_how_much_it_wins(name: str) -> None:
    async with asked(name) as (pilot, here):
        for _ in ("en", "ja"):
            assert here.view
            own = here.view.scores[0]
            assert own
            assert own.wins_from
            bar = here.translator.text(Text("counted.from", {"n": own.wins_from}))
            line = next(line for line in screen_text(pilot.app).splitlines() if bar in line)
            assert f"{here.translator.player(0)} {own.points}" in line
            await pilot.press("g")
            await pilot.pause()


def begun(goal: Goal, seat: int = 0) -> bool:
    return goal.seat == seat and 0 < goal.has < goal.needs and not goal.lost


@pytest.mark.parametrize("name", WITH_GOALS)
def test_goals_that_are_begun_stand_in_the_line_as_far_as_there_is_room(name: str) -> None:
    translator = voice_of(name)
    assert any(begun(goal) for view in views(name) for goal in view.goals)
    for view in views(name):
        line = score_line(view, translator, 999)
        for goal in filter(begun, view.goals):
            assert f"{translator.text(goal.text)} {pips(goal)}" in line
            assert signs(goal.lacks) in line
        assert all(cell_len(score_line(view, translator, width)) <= width for width in range(0, 120, 17))


def printed(view: View, translator: Translator, *, brief: bool) -> str:
    console = Console(width=60)
    with console.capture() as got:
        console.print(goal_lines(view, translator, brief))
    return flowing(got.get())


@pytest.mark.parametrize("name", WITH_GOALS)
def test_beside_the_table_stands_what_can_still_be_had_and_what_others_have_begun(name: str) -> None:
    translator = voice_of(name)
    for view in views(name)[::5]:
        whole, brief = printed(view, translator, brief=False), printed(view, translator, brief=True)
        names = [(goal, translator.text(goal.text)) for goal in view.goals]
        assert all(told in whole for _, told in names)
        assert all(told in brief for goal, told in names if begun(goal) or begun(goal, 1))
        assert (translator.say("table.lost") in whole) == any(goal.lost for goal in view.goals)
        assert translator.say("table.lost") not in brief


@pytest.mark.every_days(4)
async def test_goals_stand_beside_a_wide_table_and_with_the_seats_behind_a_key_everywhere() -> None:
    async with asked(WITH_GOALS[-1]) as (pilot, here):
        assert here.view
        goal = next(goal for goal in here.view.goals if goal.seat == 0)
        name = here.translator.text(goal.text)
        await pilot.press("s")
        await pilot.pause()
        assert isinstance(pilot.app.screen, ScoreScreen)
        paper = await read_paper(pilot)
        for told in (here.say("table.goals"), name, pips(goal), here.say("sitting.title"), "Greedy", "bot."):
            assert told.replace(" ", "") in paper
        await pilot.press("enter")
        await pilot.resize_terminal(*LARGE)
        await pilot.pause()
        for told in (here.say("table.goals"), name.split()[0], pips(goal)):
            assert told in screen_text(pilot.app)


def test_among_people_a_bot_is_said_to_be_one() -> None:
    view = views("tenshu")[0]
    translator = Translator(mekuri.game("tenshu").rulebook, "en", ("you", "kiku", "Ume", "open"), people=frozenset({2}))
    assert ["(bot)" in tag(seat, view, translator) for seat in range(4)] == [False, True, False, False]
    alone = voice_of("tenshu", "kiku", "kiku", "kakuo")
    assert not any("(bot)" in tag(seat, view, alone) for seat in range(4))


async def test_the_whole_last_move_stands_beside_the_question() -> None:
    """The card laid, and the card turned up."""
    async with asked("mushi") as (pilot, here):
        while len(here.move) < 2 or here.move[0].args["seat"] != 1:
            await play_card(pilot)
            assert await until_asked(pilot)
        await pilot.pause()
        assert {text.args["seat"] for text in here.move} == {1}
        assert " ".join(map(here.translator.text, here.move)) in flowing(screen_text(pilot.app))
