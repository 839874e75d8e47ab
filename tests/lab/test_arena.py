"""The arena: pairs of deals, the statistics, and the refusals."""

import pytest

import mekuri
from mekuri.engine.errors import MekuriError
from mekuri.lab.arena import CEILINGS, Arena, Score, wilson
from mekuri.terminal.printed.lab import show_scores

MUSHI = mekuri.game("mushi")


def test_wilson_interval() -> None:
    assert wilson(0, 0, 1.96) == (0, 1)
    assert wilson(50, 100, 1.959964) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert wilson(10, 10, 1.959964) == pytest.approx((0.7225, 1.0), abs=1e-4)


def test_ties_are_counted_apart() -> None:
    score = Score("a", "b")
    for brought in (4, 0, -2, 6):
        score.add(brought)
    assert (score.won, score.lost, score.tied, score.pairs) == (2, 1, 1, 4)
    assert (score.share, score.mean) == (2 / 3, 2)
    assert score.error == pytest.approx(1.959964 * (40 / 3 / 4) ** 0.5)
    assert not score.clear


def test_ties_alone_have_no_share() -> None:
    score = Score("a", "b", tied=1)
    assert (score.share, score.interval, score.mean, score.error) == (None, (0, 1), 0, 0)
    show_scores("mushi", [score])


def test_run_until_clear_stops_with_the_stronger_bot() -> None:
    arena = Arena(MUSHI, ("greedy", "random"), 500, seed=1, until_clear=True)
    [score] = arena.play()
    assert (score.won + score.lost) % 50 == 0
    assert score.pairs < 500
    assert score.share
    assert score.share > 0.8
    assert score.mean > 10
    assert arena.play() == [score]


def test_every_pair_of_bots_plays_every_seating() -> None:
    game, heard = mekuri.game("tenshu"), list[int]()
    scores = Arena(game, ("greedy", "random"), 2, seed=2).play(heard.append)
    assert [(score.first, score.second, score.pairs) for score in scores] == [("greedy", "random", 2)]
    assert heard == [1, 1]
    arena = Arena(game, ("greedy", "random"), 1, seed=2)
    rounds = [arena._round("greedy", "random", 0, own).returns for own in range(game.seats)]
    assert arena.pair("greedy", "random", 0) == pytest.approx(
        sum(won[own] - sum(won) / game.seats for own, won in enumerate(rounds)) / game.seats
    )


def test_open_cards_win_more() -> None:
    [score] = Arena(MUSHI, ("open-cards", "greedy"), 6, seed=3, budget=mekuri.bots.Budget(24)).play()
    assert score.won == 6
    assert set(CEILINGS) == {"open-cards", "hands-open"}


@pytest.mark.parametrize(
    ("names", "pairs", "message"),
    [
        (("greedy",), 1, "two bots or more"),
        (("greedy", "greedy"), 1, "named once"),
        (("greedy", "nobody"), 1, "there is no bot nobody"),
        (("greedy", "random"), 0, "pairs is 1 to"),
    ],
)
def test_impossible_tournament_is_refused(names: tuple[str, ...], pairs: int, message: str) -> None:
    with pytest.raises(MekuriError, match=message):
        Arena(MUSHI, names, pairs)
