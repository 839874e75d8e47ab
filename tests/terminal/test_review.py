"""The review of a finished round in the terminal, and retries of its decisions."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot

import mekuri
from mekuri import games
from mekuri.engine.rulebook import Lang
from mekuri.table import reviewing
from mekuri.terminal.base.finished import FinishedHere
from mekuri.terminal.base.local import LocalPlay, ask_table, local_play
from mekuri.terminal.base.texts import say
from mekuri.terminal.base.trying import TryPlay
from mekuri.terminal.screens.review import ReviewScreen
from mekuri.terminal.screens.sheet import ResultScreen, SheetScreen, TrySheet
from mekuri.terminal.screens.table import TableScreen
from tests.helpers.machine_code import without_machine_code
from tests.helpers.screens import LARGE, SMALL, on_screen, play_card, play_on, play_through, screen_text, solo, until_asked
from tests.helpers.tables import games_in_turn
from tests.helpers.time import until

FEW = (8, 100)


@pytest.fixture(autouse=True)
def briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use few play-outs and no machine code."""
    monkeypatch.setattr(reviewing, "FEW", FEW)
    without_machine_code(monkeypatch)


def flowing(text: str) -> str:
    return "".join(text.split())


@asynccontextmanager
async def reviewed(
    name: str, lang: Lang = "en", size: tuple[int, int] = SMALL, by_keys: bool = False
) -> AsyncIterator[tuple[Pilot[None], LocalPlay]]:
    """Open the review of a finished round by its key."""
    play = await solo(name, rounds=2)
    if not by_keys:
        await play_on(play, lambda: play.table.running.over)
    async with on_screen(play, lang, size=size) as (app, pilot):
        await play_through(pilot)
        assert isinstance(app.screen, SheetScreen)
        assert say("sheet.review", lang).replace("|", " ") in screen_text(app)
        await pilot.press("v")
        await until(lambda: isinstance(app.screen, ReviewScreen) and app.screen._leaves)
        await pilot.pause()
        yield pilot, play


def screen(pilot: Pilot[None]) -> ReviewScreen:
    assert isinstance(pilot.app.screen, ReviewScreen)
    return pilot.app.screen


async def play_out(pilot: Pilot[None]) -> TrySheet:
    """Play the card at the cursor until the round is over."""
    await play_through(pilot)
    assert isinstance(pilot.app.screen, TrySheet)
    return pilot.app.screen


@pytest.mark.in_turn(2)
@games_in_turn(0)
async def test_key_opens_review_of_finished_round(name: str) -> None:
    async with reviewed(name, "ja" if len(name) % 2 else "en", LARGE) as (pilot, play):
        here = screen(pilot)
        telling = here._telling
        assert telling
        assert telling.found.result == play.match.finished[0].returns[0]
        for leaf in here._leaves:
            shown = flowing(screen_text(pilot.app))
            if leaf.moment is None:
                assert flowing(here.say(f"review.{telling.found.verdict}")) in shown
            else:
                question = flowing(here.say("review.question", n=leaf.moment.number))
                answer = flowing(here.say("review.played", action=telling.action(leaf.moment, leaf.moment.action)))[:12]
                assert question in shown
                assert (answer in shown) != leaf.asks
            await pilot.press("right")
            await pilot.pause()
        await pilot.press("g")
        await pilot.pause()
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, SheetScreen)
        await pilot.press("e")
        await until(lambda: isinstance(pilot.app.screen, ResultScreen))


@pytest.mark.every_days(4)
async def test_question_is_asked_before_answer_is_shown() -> None:
    async with reviewed("mushi", by_keys=True) as (pilot, _):
        here = screen(pilot)
        telling = here._telling
        assert telling
        right, asked = here.say("review.right"), [leaf.moment for leaf in here._leaves if leaf.moment and leaf.asks]
        best = [choice.action for choice in asked[0].choices].index(asked[0].best)
        await pilot.press(str((best + 1) % 10))
        await pilot.pause()
        assert right in screen_text(pilot.app)
        await pilot.press("enter")  # on
        other = next(n for n, choice in enumerate(asked[1].choices, 1) if choice.action not in asked[1].right)
        await pilot.press(str(other))
        await pilot.pause()
        assert right not in screen_text(pilot.app)
        assert flowing(telling.answer(asked[1])[0]) in flowing(screen_text(pilot.app))


@pytest.mark.in_turn(2)
@games_in_turn(1)
async def test_retry_leaves_record_and_results(name: str) -> None:
    async with reviewed(name) as (pilot, play):
        moment = screen(pilot)._moment
        if moment is None:
            return
        record, results = play.match.record().to_json(), list(play.results)
        await pilot.press("t")
        await until(lambda: isinstance(pilot.app.screen, TableScreen) and pilot.app.screen.view)
        there = pilot.app.screen
        assert isinstance(there, TableScreen)
        assert there.view
        chosen = [choice.action for choice in moment.choices]
        legal = [choice.action for choice in there.view.legal]
        taken_back = games.find(name).has("undoing")  # an action that only undoes another is no choice of a review
        assert chosen == ([action for action in legal if action in chosen] if taken_back else legal)
        assert there.say("coach.practice") in screen_text(pilot.app).splitlines()[0]
        await play_out(pilot)
        assert f"{play.results[0].change(0):+d}".replace("+0", "0") in screen_text(pilot.app)
        await pilot.press("t")
        await until(lambda: isinstance(pilot.app.screen, TableScreen) and pilot.app.screen is not there and pilot.app.screen.view)
        await pilot.press("q")
        await pilot.pause()
        await pilot.press("enter")
        await until(lambda: isinstance(pilot.app.screen, ReviewScreen))
        assert play.match.record().to_json() == record
        assert list(play.results) == results
        await pilot.press("escape", "enter")
        await until(lambda: play.number == 2 or play.over)  # the match continues


@pytest.mark.every_days(4)
async def test_retry_refuses_illegal_action_with_clause() -> None:
    async with reviewed("tensho") as (pilot, _):
        await pilot.press("t")
        await until(lambda: isinstance(pilot.app.screen, TableScreen) and pilot.app.screen.view)
        there = pilot.app.screen
        assert isinstance(there, TableScreen)
        await until_asked(pilot)
        refusal = await there.play.choose("12K" if "12K" not in {one.action for one in there.view.legal} else "12O")  # type: ignore[union-attr]
        assert refusal
        assert refusal.clause
        assert there.translator.text(refusal.text)
        view = there.view
        await play_card(pilot)
        assert there.view is not view


async def test_retry_alone_closes_app_at_its_end() -> None:
    """`mekuri review` starts it so: at its end the application closes."""
    async with reviewed("hiyoko") as (pilot, play):
        moment, telling = screen(pilot)._moment, screen(pilot)._telling
        finished = FinishedHere(play.match.finished[0], 1, 0)
    assert moment
    assert telling
    async with on_screen(TryPlay(finished, moment, telling.events, telling.found.result, 0), "en") as (app, pilot):
        await until(lambda: isinstance(app.screen, TableScreen) and app.screen.view)
        await play_out(pilot)
        await pilot.press("enter")
        await pilot.pause()
    assert app.return_code == 0


async def test_spectator_has_no_review() -> None:
    game = mekuri.game(games.names()[0])
    play = await local_play(ask_table(game, ["greedy"] * game.seats, {"rounds": 1}), 0, 3)
    assert play.finished(1) is None
