"""Simultaneous actions: their order does not matter, and they are hidden until the last."""

import pytest

import mekuri
from mekuri.testing import commitments
from tests.helpers.tables import PLAYED, each_played


def test_some_game_has_simultaneous_actions() -> None:
    assert any(commitments.together(game) for game in PLAYED)


@each_played
class TestTogether:
    def test_order_of_actions_does_not_change_the_state(self, game: mekuri.Game) -> None:
        commitments.order(game)

    def test_order_of_actions_does_not_change_later_play(self, game: mekuri.Game) -> None:
        commitments.what_follows(game)

    @pytest.mark.in_turn(3)
    def test_simultaneous_actions_are_hidden_until_the_last(self, game: mekuri.Game) -> None:
        commitments.unseen(game)

    @pytest.mark.in_turn(3)
    def test_events_show_the_fact_and_not_the_action(self, game: mekuri.Game) -> None:
        commitments.untold(game)

    def test_second_or_late_action_is_refused(self, game: mekuri.Game) -> None:
        commitments.once(game)

    @pytest.mark.in_turn(3)
    def test_redealt_actions_were_possible(self, game: mekuri.Game) -> None:
        commitments.redealt_commitments(game)
