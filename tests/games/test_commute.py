"""What several seats do at once: in whatever order they do it, the same comes of it, and nobody sees it before all have."""

import pytest

import mekuri
from mekuri.testing import commitments
from tests.helpers.tables import PLAYED, each_played


def test_some_game_has_this() -> None:
    assert any(commitments.together(game) for game in PLAYED)


@each_played
class TestTogether:
    def test_the_order_changes_nothing(self, game: mekuri.Game) -> None:
        commitments.order(game)

    def test_the_order_changes_nothing_that_follows(self, game: mekuri.Game) -> None:
        commitments.what_follows(game)

    @pytest.mark.in_turn(3)
    def test_nobody_sees_it_before_the_last(self, game: mekuri.Game) -> None:
        commitments.unseen(game)

    @pytest.mark.in_turn(3)
    def test_events_tell_that_it_was_done_and_not_what(self, game: mekuri.Game) -> None:
        commitments.untold(game)

    def test_a_second_or_a_late_one_is_refused(self, game: mekuri.Game) -> None:
        commitments.once(game)

    @pytest.mark.in_turn(3)
    def test_redealt_commitments_are_ones_that_could_have_been_made(self, game: mekuri.Game) -> None:
        commitments.redealt_commitments(game)
