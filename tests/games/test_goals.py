"""The goals of a round, as shown to every viewer."""

from itertools import islice

import mekuri
from mekuri.testing.worlds import random_round, steps, viewers
from tests.helpers.tables import each_played


@each_played
def test_goals_and_scores_are_the_same_for_every_viewer(game: mekuri.Game) -> None:
    """Goals follow from open cards, so a hidden card changes none of them."""
    for now in islice(steps(random_round(game, 1)), 0, None, 4):
        shown = [(view.goals, view.scores) for view in map(now.view, viewers(game))]
        assert all(one == shown[0] for one in shown)


@each_played
def test_cards_of_a_goal_match_its_steps(game: mekuri.Game) -> None:
    """It has as many cards as it has steps, and lacks the other cards or more, of which any so many will do."""
    for now in islice(steps(random_round(game, 2)), 0, None, 3):
        for seat in range(len(now.view(None).scores)):
            goals = game.contract.table.goals(now.hidden(seat), seat)
            for goal in goals:
                assert goal.seat == seat
                assert 0 <= goal.has <= goal.needs
                assert goal.made & goal.lacks == 0
                if goal.lacks:
                    assert goal.made.bit_count() == goal.has
                    assert goal.lacks.bit_count() >= goal.needs - goal.has or goal.lost
                elif goal.made:
                    assert goal.made.bit_count() >= goal.has


@each_played
def test_round_begins_without_negative_scores(game: mekuri.Game) -> None:
    for score in game.deal(seed=1).view(0).scores:
        assert score is None or score.points >= 0


def test_groups_have_every_card_of_a_game_once() -> None:
    for name in ("mekuri", "mushi", "tensho", "tenshu"):
        contract = mekuri.game(name).contract
        grouped = list(contract.capture_groups.values())
        for card in contract.rules.pack(contract.options()):
            assert sum(group >> card & 1 for group in grouped) == 1


def test_yaku_is_lost_when_another_seat_has_a_card_of_it() -> None:
    view = mekuri.game("mushi").position("phase play; captured 1H 3H 4H 4I 4O / 6H; hand 9H / 9I; field 10H; stock 10I 10O").view(1)
    goals = {(goal.seat, goal.text.args["yaku"]): (goal.has, goal.needs, goal.lost) for goal in view.goals}
    assert goals[0, "four-wisteria"] == (3, 4, False)
    assert goals[0, "three"] == (2, 3, False)
    assert (0, "four-paulownia") not in goals  # it was never begun
    assert goals[1, "four-paulownia"] == (1, 4, False)
    assert [score and score.wins_from for score in view.scores] == [116, 116]


def test_split_yaku_is_lost_for_both_seats() -> None:
    view = mekuri.game("mushi").position("phase play; captured 1H 3H / 12H; hand 9H / 9I; field 10H; stock 10I 10O").view(None)
    assert [(goal.seat, goal.lost) for goal in view.goals if goal.text.args["yaku"] == "three"] == [(0, True), (1, True)]
