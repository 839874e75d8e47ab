"""Points, goals, players and the last move beside the cards, at every size."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

import mekuri
from mekuri import games
from mekuri.engine.contract import Goal, Text
from mekuri.match.view import View
from mekuri.terminal.base.translate import Translator, signs
from mekuri.terminal.printed.sheet import sheet_table
from mekuri.terminal.screens.scores import goal_lines, pips, score_line
from mekuri.terminal.screens.seats import tag
from mekuri.terminal.screens.sheet import ScoreScreen
from mekuri.terminal.screens.table import TableScreen
from mekuri.testing.worlds import random_round, steps
from tests.helpers.partners import contract as of_partners
from tests.helpers.screens import (
    LARGE,
    on_screen,
    play_card,
    printed,
    read_paper,
    screen_text,
    solo,
    table_of,
    translator_of,
    until_asked,
)


@asynccontextmanager
async def asked(name: str, acts: int = 2) -> AsyncIterator[tuple[Pilot[None], TableScreen]]:
    """Open a small table at which the player is asked after some cards."""
    async with on_screen(await solo(name)) as (app, pilot):
        for _ in range(acts):
            assert await until_asked(pilot)
            await play_card(pilot)
        assert await until_asked(pilot)
        await pilot.pause()
        yield pilot, table_of(app)


@cache
def views(name: str) -> tuple[View, ...]:
    """Return the views of the first seat at every step of two rounds: of three players, one need not begin a yaku in a round."""
    return tuple(now.view(0) for seed in (1, 2) for now in steps(random_round(mekuri.game(name), seed)))


def flowing(text: str) -> str:
    """Return a text without its line breaks."""
    return " ".join(text.split())


COUNTING = [name for name in games.names() if any(one and one.wins_from for one in views(name)[-1].scores)]
WITH_GOALS = [name for name in games.names() if any(view.goals for view in views(name))]


def test_some_games_count_points_and_have_goals() -> None:
    assert COUNTING
    assert WITH_GOALS


@pytest.mark.every_days(4)
@pytest.mark.parametrize("name", COUNTING)
async def test_small_table_shows_points_and_winning_number(name: str) -> None:
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
def test_score_line_has_begun_goals_that_fit(name: str) -> None:
    translator = translator_of(name)
    assert any(begun(goal) for view in views(name) for goal in view.goals)
    for view in views(name):
        line = score_line(view, translator, 999)
        for goal in filter(begun, view.goals):
            assert f"{translator.text(goal.text)} {pips(goal)}" in line
            assert signs(goal.lacks) in line
        assert all(cell_len(score_line(view, translator, width)) <= width for width in range(0, 120, 17))


@pytest.mark.parametrize("name", WITH_GOALS)
def test_brief_goals_leave_out_lost_ones(name: str) -> None:
    translator = translator_of(name)
    for view in views(name)[::5]:
        whole, brief = (flowing(printed(goal_lines(view, translator, brief), width=60)) for brief in (False, True))
        names = [(goal, translator.text(goal.text)) for goal in view.goals]
        assert all(text in whole for _, text in names)
        assert all(text in brief for goal, text in names if begun(goal) or begun(goal, 1))
        assert (translator.say("table.lost") in whole) == any(goal.lost for goal in view.goals)
        assert translator.say("table.lost") not in brief


@pytest.mark.every_days(4)
async def test_goals_are_beside_wide_table_and_in_score_window() -> None:
    async with asked(WITH_GOALS[-1]) as (pilot, here):
        assert here.view
        goal = next(goal for goal in here.view.goals if goal.seat == 0)
        name = here.translator.text(goal.text)
        await pilot.press("s")
        await pilot.pause()
        assert isinstance(pilot.app.screen, ScoreScreen)
        paper = await read_paper(pilot)
        for text in (here.say("table.goals"), name, pips(goal), here.say("sitting.title"), "Greedy", "bot."):
            assert text.replace(" ", "") in paper
        await pilot.press("enter")
        await pilot.resize_terminal(*LARGE)
        await pilot.pause()
        for text in (here.say("table.goals"), name.split()[0], pips(goal)):
            assert text in screen_text(pilot.app)


def test_bot_is_marked_among_people() -> None:
    view = views("tenshu")[0]
    translator = Translator(mekuri.game("tenshu").rulebook, "en", ("you", "kiku", "Ume", "open"), people=frozenset({2}))
    assert ["(bot)" in tag(seat, view, translator) for seat in range(4)] == [False, True, False, False]
    alone = translator_of("tenshu", "en", "kiku", "kiku", "kakuo")
    assert not any("(bot)" in tag(seat, view, alone) for seat in range(4))


def test_partners_have_one_mark_and_one_part_of_the_score() -> None:
    game = mekuri.game(of_partners)
    view = random_round(game, 1).view(2)
    players = ("Aki", "Ume", "you", "Ken")
    translator = Translator(game.rulebook, "en", players, people=frozenset({0, 1, 3}), sides=view.sides)
    assert [tag(seat, view, translator).split()[:2] for seat in range(4)] == [
        ["●", "Aki"],
        ["▲", "Ume"],
        ["●", "You"],
        ["▲", "Ken"],
    ]
    totals = tuple(view.returns or ())
    sheet = printed(sheet_table(view.score, translator, totals))
    line = score_line(view, translator, 999)
    for names in ("Aki, You", "Ume, Ken"):
        assert sheet.count(names) == line.count(names) == 1


async def test_last_move_is_above_prompt() -> None:
    """The played card and the card turned up."""
    async with asked("mushi") as (pilot, here):
        while len(here.move) < 2 or here.move[0].args["seat"] != 1:
            await play_card(pilot)
            assert await until_asked(pilot)
        await pilot.pause()
        assert {text.args["seat"] for text in here.move} == {1}
        assert " ".join(map(here.translator.text, here.move)) in flowing(screen_text(pilot.app))
