"""A round of a game with its side games at the table in the terminal, by keyboard."""

import pytest

import mekuri
from mekuri.engine.rulebook import Lang
from mekuri.terminal.screens.sheet import SheetScreen
from mekuri.terminal.screens.table import table_app
from tests.helpers.screens import LARGE, SMALL, on_screen, play_card, read_paper, screen_text, solo, table_of, until_asked
from tests.helpers.time import until
from tests.terminal.test_table import check_secrets


@pytest.mark.in_turn(2)
@pytest.mark.parametrize(("lang", "size"), [("en", SMALL), ("ja", LARGE)], ids=["en-small", "ja-large"])
async def test_round_by_keyboard(lang: Lang, size: tuple[int, int]) -> None:
    game = mekuri.game("tensho", yaku_set="one", shoniban="hon-bana", tokotoko="choose")
    play = await solo(game, seed=4)
    app, match = table_app(play, lang), play.match
    asked = set()
    async with app.run_test(size=size) as pilot:
        while await until_asked(pilot):
            if size == SMALL:
                check_secrets(app, match, lang)  # on a large screen stand the cards that a yaku lacks
            table = table_of(app)
            assert table.view
            assert table.view.prompt
            asked.add(table.view.prompt.id)
            assert table.translator.text(table.view.prompt)[:12] in screen_text(app)
            await play_card(pilot)
        assert asked >= {"prompts.bet", "prompts.stake", "prompts.leave-out"}
        assert isinstance(app.screen, SheetScreen)
        sheet = await read_paper(pilot)
        for line in match.round.score_sheet().lines:
            assert app.screen.translator.text(line.text).replace(" ", "")[:20] in sheet


async def test_vote_explains_each_word() -> None:
    async with on_screen(await solo("tensho", seed=4), size=LARGE) as (app, pilot):
        assert await until_asked(pilot)
        await until(lambda: "Front Elder wins the round" in screen_text(app))
        assert "If you differ, the dealer decides." in screen_text(app)
        await pilot.press("right")
        assert "Red Four wins the round" in screen_text(app)
