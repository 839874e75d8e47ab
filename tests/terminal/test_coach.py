"""The coach in the terminal at a table with bots: hints, reasons and taking back."""

import pytest

import mekuri
from mekuri.bots import Budget
from mekuri.table import weighing
from mekuri.table.reasons import last_seen
from mekuri.terminal.base.local import LocalPlay, ask_table, local_play
from mekuri.terminal.base.translate import SUIT_SIGNS
from mekuri.terminal.screens.ask import AskScreen
from mekuri.terminal.screens.coach import HintScreen, WhyScreen
from mekuri.terminal.screens.table import TableScreen, table_app
from tests.helpers.machine_code import without_machine_code
from tests.helpers.screens import LARGE, SMALL, on_screen, play_card, read_paper, screen_text, solo, table_of, until_asked
from tests.helpers.tables import USUAL
from tests.helpers.time import until


@pytest.fixture(autouse=True)
def briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use few play-outs and no machine code."""
    monkeypatch.setattr(weighing, "BUDGET", Budget(30))
    without_machine_code(monkeypatch)


async def test_hint_shows_part_then_whole() -> None:
    async with on_screen(await solo(USUAL)) as (app, pilot):
        assert await until_asked(pilot)
        await pilot.press("a")
        await until(lambda: "(a: all of it)" in " ".join(screen_text(app).split()))
        assert "Suggestion" not in screen_text(app)
        await pilot.press("a")
        await until(lambda: isinstance(app.screen, HintScreen))
        assert isinstance(app.screen, HintScreen)
        assert any(each in app.screen.heading() for each in SUIT_SIGNS), "cards are named as they are drawn"
        assert "Suggestion" in await read_paper(pilot) + "".join(screen_text(app).split())
        await pilot.press("enter")
        assert isinstance(app.screen, TableScreen)


@pytest.mark.every_days(4)
async def test_take_back_restores_view_and_marks_practice() -> None:
    async with on_screen(await solo(USUAL), size=LARGE) as (app, pilot):
        assert await until_asked(pilot)
        table = table_of(app)
        first = table.view
        assert first
        await play_card(pilot)
        assert await until_asked(pilot)
        await pilot.press("u")
        await until(lambda: isinstance(app.screen, AskScreen))
        await pilot.press("escape", "u")
        await until(lambda: isinstance(app.screen, AskScreen))
        await pilot.press("enter")
        await until(lambda: table.view and table.view.zones == first.zones)
        assert "practice" in screen_text(app).splitlines()[0]
        await until_asked(pilot)
        await pilot.press("u")
        await until(lambda: "nothing to take back" in screen_text(app))


async def test_why_explains_move_of_other_seat() -> None:
    async with on_screen(await solo(USUAL), "ja") as (app, pilot):
        play = table_of(app).play
        assert isinstance(play, LocalPlay)
        while not last_seen(play.table.running, 0):
            assert await until_asked(pilot)
            await play_card(pilot)
        await until_asked(pilot)
        await pilot.press("w")
        await until(lambda: isinstance(app.screen, WhyScreen))
        assert "欲ばりにもっとよい手があったかどうかは" in await read_paper(pilot)
        await pilot.press("enter")


async def test_spectator_has_no_coach() -> None:
    game = mekuri.game(USUAL)
    app = table_app(await local_play(ask_table(game, ["greedy"] * game.seats, {"rounds": 1}), 60, 3))  # seconds
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: table_of(app).view)
        await pilot.press("a", "u", "w")
        assert not isinstance(app.screen, AskScreen | HintScreen | WhyScreen)
