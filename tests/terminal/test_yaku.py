"""The yaku of a table on one page in the terminal."""

import pytest
from rich.console import Console

import mekuri
from mekuri import games
from mekuri.engine.rulebook import LANGUAGES, Lang
from mekuri.match.view import View
from mekuri.protocol.library import worths
from mekuri.terminal.base.local import LocalPlay, seats_of, solo_table
from mekuri.terminal.base.translate import Translator, sign
from mekuri.terminal.screens.scores import pips
from mekuri.terminal.screens.table import TableScreen, table_app
from mekuri.terminal.screens.yaku import YakuScreen, captured, in_play
from mekuri.testing.worlds import random_round, steps
from tests.helpers.screens import (
    SMALL,
    play_card,
    read_paper,
    table_of,
    until_asked,
)
from tests.helpers.time import until

WITH_YAKU = [name for name in games.names() if mekuri.game(name).rulebook.yaku]


def solo(name: str) -> LocalPlay:
    game = mekuri.game(name)
    return LocalPlay(solo_table(game, seats_of(game, "greedy"), {"rounds": 1}, 3), 0)


def page_of(view: View, name: str, lang: Lang) -> str:
    """What stands on the page, without spaces."""
    game = mekuri.game(name)
    translator = Translator(game.rulebook, lang, ("you", *["greedy"] * (game.seats - 1)))
    console = Console(width=76)
    with console.capture() as got:
        console.print(YakuScreen(view, worths("", game).cards, lambda: translator).content())
    return "".join(got.get().split())


@pytest.mark.parametrize("name", WITH_YAKU)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_yaku_that_counts_is_there_with_its_clause_and_how_far_everybody_is(name: str, lang: Lang) -> None:
    game = mekuri.game(name)
    translator = Translator(game.rulebook, lang, ("you", *["greedy"] * (game.seats - 1)))
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


def test_ones_own_cards_stand_in_brackets() -> None:
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
async def test_a_key_opens_the_page_where_there_are_yaku(name: str) -> None:
    app = table_app(solo(name))
    async with app.run_test(size=SMALL) as pilot:
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
