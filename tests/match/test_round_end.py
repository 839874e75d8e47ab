"""The end of a round in views: nothing before it, then the rules' result for every viewer."""

import mekuri
from mekuri.engine.contract import returns
from mekuri.match.view import View
from mekuri.protocol.coding import decode, encode
from mekuri.testing.settings import FEW_SEATS, random_games
from mekuri.testing.worlds import random_round, steps, viewers
from tests.helpers.tables import each_game


def end_of(view: mekuri.View) -> tuple[object, ...]:
    return view.over, view.ending, view.returns, view.next_dealer


@each_game
def test_views_show_the_end_of_a_round(name: str) -> None:
    for seed, game in enumerate(random_games(name, 4, FEW_SEATS)):
        for now in steps(random_round(game, seed)):
            s, contract = now._state, game.contract
            ended = (
                (
                    True,
                    contract.endings[s.ending],
                    tuple(returns(s, seat) for seat in range(game.seats)),
                    contract.match.next_dealer(s),
                )
                if now.over
                else (False, None, None, None)
            )
            for viewer in viewers(game):
                view = now.view(viewer)
                assert end_of(view) == ended
                # And the same where it has travelled.
                assert end_of(decode(encode(view), View)) == ended
