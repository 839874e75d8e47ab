"""That the judge's values do not depend on the number of play-outs. `bench/judge.py` asks more of it."""

import pytest

import mekuri
from bench.judge import MOST, SKILL, deviations, position, root_mean_square
from mekuri.bots.ours import greedy
from mekuri.bots.review.version import JUDGE
from mekuri.bots.search.machine_code import prepare
from tools.pin_judge import figures, pinned

POSITIONS = 20


@pytest.mark.machine_code
@pytest.mark.in_turn(len(SKILL))
@pytest.mark.parametrize("skilled", SKILL)
def test_few_play_outs_and_many_agree(skilled: str) -> None:
    game = mekuri.game(skilled)
    prepare(game.contract, greedy.bot)
    found = [each for number in range(POSITIONS) for each in deviations(position(game, number), number)]
    assert len(found) > POSITIONS
    assert root_mean_square(found) <= MOST


@pytest.mark.machine_code
@pytest.mark.in_turn(len(SKILL))
@pytest.mark.parametrize("skilled", SKILL)
def test_figures_of_the_judge_match_its_version(skilled: str) -> None:
    """Where they move, raise JUDGE in bots/review/version.py, run `python -m tools.pin_judge`, and mine the puzzles again."""
    assert pinned(skilled) == (JUDGE, figures(skilled))
