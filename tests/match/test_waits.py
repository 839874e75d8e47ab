"""Views of simultaneous questions to others."""

import mekuri
from mekuri.engine.contract import DRIVER
from mekuri.engine.rulebook import rulebook
from mekuri.testing.settings import FEW_SEATS, random_games
from mekuri.testing.worlds import random_round, steps, viewers
from tests.helpers.tables import each_game


@each_game
def test_views_show_questions_to_several_others(name: str) -> None:
    for seed, game in enumerate(random_games(name, 12, FEW_SEATS)):
        for now in steps(random_round(game, seed)):
            for viewer in viewers(game):
                view = now.view(viewer)
                others = [seat for seat in view.waiting if seat not in (DRIVER, viewer)]
                if not others:
                    assert view.waits is None
                elif len(others) > 1:
                    assert view.waits, f"{game!r}: {view}"
                if view.waits:
                    assert rulebook(game.contract).render(view.waits, "ja")


def test_voter_sees_the_question_to_the_other() -> None:
    voting = mekuri.game("tensho").deal(seed=1)
    assert voting.view(0).waits == voting.view(1).waits == voting.view().waits == mekuri.engine.contract.Text("waits.vote", {})
    voting.play("one", 0)
    assert (voting.view(1).waits, voting.view(0).waits) == (None, voting.view().waits)
