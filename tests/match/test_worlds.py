"""Rounds that wait for the order of the cards, worlds that a seat cannot tell apart, and rounds as values."""

import pickle
from collections.abc import Iterator
from copy import deepcopy
from random import Random

import pytest

import mekuri
from mekuri.engine.chance import stream
from mekuri.engine.contract import redeal
from mekuri.engine.errors import MekuriError
from mekuri.match.round import Round
from mekuri.match.worlds import another_world
from mekuri.testing.worlds import random_round
from tests.helpers.tables import GAMES, each_game


def dealt(round: Round, packs: list[list[int]]) -> None:
    """Give a round that waits for it the order of its cards."""
    while round.unshuffled:
        round.shuffled(packs[len(round.packs)])


def moments(name: str, seed: int) -> Iterator[Round]:
    """Yield every third choice of a random round, at most twenty."""
    round, chance = mekuri.game(name).deal(seed=seed), Random(seed)
    for turn in range(60):
        if turn % 3 == 0:
            yield round.copy()
        seat = chance.choice(round.waiting)
        round.play(chance.choice(round.choices(seat)), seat)
        if round.over:
            return


@each_game
def test_round_without_chance_waits_for_each_shuffle(name: str) -> None:
    game = mekuri.game(name)
    played = random_round(game, 1)
    round = game.undealt(played.dealer)
    dealt(round, played.packs)
    for seat, action in played.actions:
        assert seat in round.waiting
        round.play(action, seat)
        dealt(round, played.packs)
    assert round == played
    assert round.returns == played.returns


def test_other_cards_than_those_to_shuffle_are_refused() -> None:
    game = mekuri.game("mushi")
    round = game.undealt()
    cards = list(round.unshuffled)
    with pytest.raises(MekuriError, match="does not hold the cards"):
        round.shuffled(cards[1:])
    assert list(round.unshuffled) == cards
    assert round.waiting == ()
    dealt(round, game.deal(seed=1).packs)
    with pytest.raises(MekuriError, match="nothing is to be shuffled"):
        round.shuffled(cards)


@each_game
def test_seat_cannot_tell_another_world_from_its_own(name: str) -> None:
    """It has seen the same, all the time, and everybody can play on."""
    differ = 0
    for seed in range(3):
        for now in moments(name, seed):
            seat = Random(seed).choice(range(now.game.seats))
            before = deepcopy(now)
            other = another_world(now, seat, stream(seed))
            assert now == before
            assert other.information(seat) == now.information(seat)
            assert other.legal_for(seat) == now.legal_for(seat)
            differ += other != now
            chance = Random(seed)
            while not other.over:
                other.play(chance.choice(other.choices(other.waiting[0], undo=False)))
    assert differ


@pytest.mark.parametrize("name", ["mushi", "hiyoko"])
def test_worlds_are_those_of_redeal(name: str) -> None:
    """So they are as likely as `redeal` makes them, and its tests hold for them."""
    for now in moments(name, 2):
        other, world, chance = another_world(now, 0, stream(5)), now.hidden(0), stream(5)
        redeal(world, 0, chance)
        assert other.hidden(1).hand[1] == world.hand[1]  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", GAMES)
def test_rounds_are_copied_and_pickled(name: str) -> None:
    for seed in range(2):
        round = mekuri.game(name).deal(seed=seed)
        copies = round.copy(), deepcopy(round), pickle.loads(pickle.dumps(round))
        round.play(round.choices(round.waiting[0])[0])
        for other in copies:
            assert other != round
            other.play(other.choices(other.waiting[0])[0])
            assert other == round
