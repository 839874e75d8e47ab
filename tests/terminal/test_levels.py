"""A round of every game against every one of its characters, in the terminal."""

import pytest

import mekuri
from mekuri import bots, games
from mekuri.terminal.base.local import seats_of
from mekuri.terminal.base.translate import Translator
from mekuri.terminal.screens.home import home_app
from mekuri.terminal.screens.options import OPPONENT, OptionRow, OptionsScreen
from tests.helpers.screens import LARGE, on_screen, play_card, screen_text, solo, until_asked
from tests.helpers.tables import GAMES, LARGER, in_turn

EVERY = [(name, one.id) for name in GAMES for one in bots.characters(games.find(name))]


@pytest.mark.every_days(4)
@pytest.mark.parametrize(("name", "who"), in_turn(EVERY, 1, len(EVERY)))
async def test_round_against_character_is_played(name: str, who: str) -> None:
    play = await solo(name, who, seed=1)
    known = bots.known(who)
    assert known
    async with on_screen(play, size=LARGE) as (app, pilot):
        first = play.match.round
        while not first.over and await until_asked(pilot):
            assert known.name["en"] in screen_text(app)
            await play_card(pilot)
        assert first.over


@pytest.mark.every_days(4)
async def test_characters_are_offered_first(subtests: pytest.Subtests) -> None:
    """Each with its name, and its level if the game has levels."""
    app = home_app()
    async with app.run_test(size=LARGE) as pilot:
        for contract in map(games.find, GAMES):
            with subtests.test(contract.id):
                characters = bots.characters(contract)
                screen = OptionsScreen(contract)
                await app.push_screen(screen)
                row = next(row for row in screen.query(OptionRow) if row.owner == OPPONENT)
                assert row.value == bots.weakest(contract)
                assert row.option.values[: len(characters)] == tuple(one.id for one in characters)
                for place, one in enumerate(characters, 1):
                    row.value = one.id
                    screen.retext()
                    await pilot.pause()
                    shown = screen_text(app)
                    level = f"{one.name['en']}, level {place} of {len(characters)}"
                    assert (level in shown) == bool(bots.levels(contract))
                    assert one.name["en"] in shown
                    assert one.help["en"][:20] in shown


def test_several_opponents_are_different_characters() -> None:
    """There are as many as the level has; a repeated character has a number."""
    larger = mekuri.game(LARGER)
    for opponent in ("", bots.characters(larger.contract)[-1].id):
        sitting = seats_of(larger, opponent)
        translator = Translator(larger.rulebook, "en", sitting)
        names = [translator.player(seat) for seat in range(larger.seats)]
        assert len(set(sitting)) > 2
        assert len(set(names)) == larger.seats
        assert not opponent or sitting[1] == opponent
