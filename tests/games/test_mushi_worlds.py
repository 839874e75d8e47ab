"""Mushi: the worlds of each seat in positions with few unseen cards, and in rare ones."""

import random
from typing import Any

import pytest

import mekuri
from mekuri.cards import cards_text, each, parse_cards
from mekuri.engine.chance import stream
from mekuri.engine.compiled import first
from mekuri.engine.contract import DRIVER, legal, over, play, waiting
from mekuri.engine.driver import drive
from mekuri.engine.fields import copy
from mekuri.engine.position import parse_position
from mekuri.games.mushi.state import MushiState, Word
from mekuri.testing.states import checked_state, start
from mekuri.testing.visible import differences, visible
from mekuri.testing.worlds import Viewer, astray, beside, count_worlds, hidden_places, redealt, seen
from tests.helpers.tables import assert_uniform

GAME = mekuri.game("mushi")


def state(text: str) -> MushiState:
    """A position, with the cards that it does not name among the captures of seat 1, and nothing driven."""
    s = start(GAME)
    assert isinstance(s, MushiState)
    parse_position(s, text)
    named = {word for word in text.replace(";", " ").split() if word[-1] in "HIOK"}
    s.captured[1] = s.deck & ~parse_cards(" ".join(named))
    return s


POSITIONS = {
    "play": "phase play; hand 1H 3I / 4O 9K; stock 12H 2H; field 5H 6H",
    "stock": "phase play; hand 1H / 4O; stock 12H 2H 8I 9H; field 5H 6H",
    "one-apart": "phase play; turn 1; turns 16; hand - / 4O 9K; stock 12H 2H 8I; field 5H",
    "choose": "phase choose; laid 3I; field 3O 3K 5H; hand 1H 10I / 4O 9K; stock 12H 2H",
    "choose-turned": "phase choose-turned; turn 1; laid 3I; field 3O 3K 5H; hand 1H 10I / 4O 9K; stock 12H 2H",
    "turn-up": "phase turn-up; hand 1H / 4O 9K; stock 12H 2H 8I; field 5H 6H",
    "declared": "phase gather; cause four-in-hand; shown 4H 4I 4O 4K; hand 4H 4I 4O 4K 1H / 3I 9K; stock 12H 2H",
    "declared-second": "phase gather; cause four-in-hand; turn 1; shown 4H 4I 4O 4K; hand 3I 9K / 1H 4H 4I 4O 4K; stock 12H 2H",
    "known": "phase award; field 2H 6I; hand - / -",
}


@pytest.mark.parametrize("position", POSITIONS.values(), ids=POSITIONS)
def test_redeal_is_uniform(position: str) -> None:
    assert_uniform(state(position), position)


def test_number_of_worlds_matches_the_count_by_hand() -> None:
    """By hand: the other hand's two of four unseen cards, and the order of the two that are left."""
    assert [count_worlds(state(POSITIONS["play"]), viewer) for viewer in (0, 1, None)] == [6 * 2, 6 * 2, 15 * 6 * 2]


def test_declared_cards_stay_in_their_hand() -> None:
    s = state(POSITIONS["declared"])
    assert ("hand", 0) in hidden_places(s, 1)
    assert cards_text(hidden_places(s, 1)["hand", 0]) == "1H"
    chance = stream(0)
    for viewer in (1, None):
        for _ in range(50):
            world: Any = redealt(seen(s, viewer), viewer, chance)
            assert world.hand[0] & s.shown == s.shown


FOURS = "phase play; turns 1; hand 4H 4I 4O 4K 1H / 6H 6I 6O 6K 3I; stock 12H 2H 8I 8K; field 5H 9H"


@pytest.mark.parametrize("viewer", [0, 1, None])
@pytest.mark.parametrize("declares", [0, 1])
def test_declared_four_reveals_only_the_four(declares: int, viewer: Viewer) -> None:
    """While it is shown, when it has been gathered up, and after the new deal."""
    now, chance = GAME.position(FOURS), stream(declares)
    if declares == 1:
        now.play("1H")
    now._step(declares, now.parse_action("declare"))
    for driven in range(3):
        if driven:
            now._step(DRIVER)
        world = redealt(now.hidden(viewer), viewer, chance)
        assert differences(visible(now, viewer), visible(beside(now, world), viewer)) == {}


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_redealt_world_can_be_dealt_again(viewer: Viewer) -> None:
    """The pack of a redealt world is whole, so it can be gathered and dealt again."""
    now, chance, bits = GAME.position(FOURS), random.Random(0), stream(1)
    thrown_in = 0
    while thrown_in < 2:
        world: Any = checked_state("mushi")()
        copy(world, redealt(now.hidden(viewer), viewer, bits))
        if legal(world, 0) >> Word.DECLARE & 1:
            play(world, 0, Word.DECLARE)
            while not over(world):
                seat = first(waiting(world))
                if seat == DRIVER:
                    drive(world, bits)
                else:
                    play(world, seat, chance.choice(list(each(legal(world, seat)))))
                assert astray(world, list(each(world.deck))) == []
            assert sum(world.redeals) > 0
            thrown_in += 1
