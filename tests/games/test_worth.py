"""The worth of a card matches the rules at every table."""

from itertools import islice, pairwise

import mekuri
from mekuri.cards import each
from mekuri.engine.contract import Worth
from mekuri.testing.states import start
from mekuri.testing.worlds import random_round, steps, viewers
from tests.helpers.tables import each_played


def worths(game: mekuri.Game) -> dict[int, Worth]:
    """What every card in play counts."""
    return {card: game.contract.table.worth(start(game), card) for card in game.contract.rules.pack(game.options)}


def cards_of(game: mekuri.Game) -> dict[str, int]:
    """The cards that are said to belong to each yaku."""
    cards = worths(game)
    return {id: sum(1 << card for card in cards if id in cards[card].yaku) for id in game.contract.yaku}


@each_played
def test_yaku_are_in_the_order_of_the_game(game: mekuri.Game) -> None:
    places = {id: place for place, id in enumerate(game.contract.yaku)}
    for worth in worths(game).values():
        assert all(places[one] < places[other] for one, other in pairwise(worth.yaku))


@each_played
def test_worth_is_the_same_in_every_state(game: mekuri.Game) -> None:
    """Only the options decide it, for every viewer at any time."""
    cards = worths(game)
    for now in islice(steps(random_round(game, 1)), 0, None, 5):
        for s in (now._state, *map(now.hidden, viewers(game))):
            assert {card: game.contract.table.worth(s, card) for card in cards} == cards


@each_played
def test_every_counted_card_is_in_its_yaku(game: mekuri.Game) -> None:
    """Every card of a yaku on a sheet or in reach is listed as a card of that yaku."""
    counted, found = worths(game), 0
    for seed in range(10):
        for now in islice(steps(random_round(game, seed)), 0, None, 4):
            view = now.view(seed % game.seats)
            lacking = [(near.yaku, near.missing) for near in view.near]
            for yaku, cards in [(line.text.args.get("yaku"), line.cards) for line in view.score] + lacking:
                if yaku:
                    found += 1
                    assert all(yaku in counted[card].yaku for card in each(cards))
    # Of a few cards there may be too few for any yaku.
    assert found or not any(worth.yaku for worth in counted.values())
