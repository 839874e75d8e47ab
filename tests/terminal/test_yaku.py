"""The page with the yaku of a table in the terminal."""

import pytest

import mekuri
from mekuri import games
from mekuri.engine.rulebook import LANGUAGES, Lang
from mekuri.match.view import View
from mekuri.protocol.library import worths
from mekuri.terminal.base.translate import sign
from mekuri.terminal.screens.scores import pips
from mekuri.terminal.screens.table import TableScreen
from mekuri.terminal.screens.yaku import YakuScreen, captured, in_play
from mekuri.testing.worlds import random_round, steps
from tests.helpers.screens import on_screen, play_card, printed, read_paper, solo, table_of, translator_of, until_asked
from tests.helpers.time import until

WITH_YAKU = [name for name in games.names() if mekuri.game(name).rulebook.yaku]


def page_of(view: View, name: str, lang: Lang) -> str:
    """Return the text of the page, without spaces."""
    translator = translator_of(name, lang)
    page = YakuScreen(view, worths("", mekuri.game(name)).cards, lambda: translator).content()
    return "".join(printed(page, width=76).split())


@pytest.mark.parametrize("name", WITH_YAKU)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_page_has_each_yaku_with_clause_and_progress(name: str, lang: Lang) -> None:
    game = mekuri.game(name)
    translator = translator_of(name, lang)
    counted = in_play(worths("", game).cards, translator)
    assert counted
    for now in [*steps(random_round(game, 1))][::6]:
        view = now.view(0)
        page = page_of(view, name, lang)
        for id in counted:
            row = game.rulebook.yaku[id]
            assert row["name"][lang].replace(" ", "") in page
            assert game.rulebook.clauses[row["clause"]].text[lang].replace(" ", "") in page
        for goal in view.goals:
            if goal.has and goal.text.args.get("yaku") in counted:
                assert pips(goal) in page
        assert (translator.say("yaku.own").replace(" ", "") in page) == bool(captured(view))


def test_own_cards_are_in_brackets() -> None:
    seen = False
    for now in steps(random_round(mekuri.game(WITH_YAKU[0]), 1)):
        view = now.view(0)
        page = page_of(view, WITH_YAKU[0], "en")
        for card in {card for zone in view.zones for card in zone.cards if zone.kind == "captured" and card is not None}:
            own = bool(captured(view) >> card & 1)
            assert not own or f"[{sign(card)}]" in page or sign(card) not in page
            assert own or f"[{sign(card)}]" not in page
            seen = seen or f"[{sign(card)}]" in page
    assert seen


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("name", games.names())
async def test_key_opens_page_of_yaku(name: str) -> None:
    async with on_screen(await solo(name)) as (app, pilot):
        assert await until_asked(pilot)
        if name in WITH_YAKU:
            await play_card(pilot)
            assert await until_asked(pilot)
        await pilot.press("y")
        if name not in WITH_YAKU:
            await pilot.pause()
            assert isinstance(app.screen, TableScreen)
            return
        await until(lambda: isinstance(app.screen, YakuScreen))
        book = mekuri.game(name).rulebook
        for lang in LANGUAGES:
            paper = await read_paper(pilot)
            assert any(row["name"][lang].replace(" ", "") in paper for row in book.yaku.values())
            await pilot.press("g")
        await pilot.press("y")
        assert isinstance(app.screen, TableScreen)
        assert table_of(app).view
