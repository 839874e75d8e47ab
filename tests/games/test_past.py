"""The past does not change: values handed out stay the same when play continues, and replays match."""

import pytest

import mekuri
from mekuri.testing import past
from tests.helpers.tables import each_played


@each_played
class TestImmutability:
    @pytest.mark.in_turn(2)
    def test_past_of_a_round_does_not_change(self, game: mekuri.Game) -> None:
        for seed in range(2):
            past.of_a_round(game, seed)

    @pytest.mark.in_turn(2)
    def test_past_of_a_match_does_not_change(self, game: mekuri.Game) -> None:
        past.of_a_match(game)

    def test_looking_changes_no_state(self, game: mekuri.Game) -> None:
        past.by_looking(game)

    def test_refusals_change_no_state(self, game: mekuri.Game) -> None:
        past.by_refusals(game)

    def test_bots_change_no_state(self, game: mekuri.Game) -> None:
        past.by_bots(game)

    def test_holders_of_views_cannot_change_them(self, game: mekuri.Game) -> None:
        past.by_those_who_hold_them(game)

    def test_copies_are_independent(self, game: mekuri.Game) -> None:
        past.copies(game)


@each_played
class TestEvents:
    def test_replay_shows_the_live_events(self, game: mekuri.Game) -> None:
        for seed in range(2):
            past.events_as_seen(game, seed)

    @pytest.mark.in_turn(3)
    def test_past_events_stay_the_same(self, game: mekuri.Game) -> None:
        past.events_the_same_later(game)

    def test_every_action_has_an_event(self, game: mekuri.Game) -> None:
        past.one_for_everything(game)
