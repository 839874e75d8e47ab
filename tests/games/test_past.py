"""What is past stays as it was: nothing that was handed out changes when play goes on, and replays tell what was seen."""

import pytest

import mekuri
from mekuri.testing import past
from tests.helpers.tables import each_played


@each_played
class TestNothingPastMutates:
    @pytest.mark.in_turn(2)
    def test_of_a_round(self, game: mekuri.Game) -> None:
        for seed in range(2):
            past.of_a_round(game, seed)

    @pytest.mark.in_turn(2)
    def test_of_a_match(self, game: mekuri.Game) -> None:
        past.of_a_match(game)

    def test_by_looking(self, game: mekuri.Game) -> None:
        past.by_looking(game)

    def test_by_refusals(self, game: mekuri.Game) -> None:
        past.by_refusals(game)

    def test_by_bots(self, game: mekuri.Game) -> None:
        past.by_bots(game)

    def test_by_those_who_hold_them(self, game: mekuri.Game) -> None:
        past.by_those_who_hold_them(game)

    def test_of_copies(self, game: mekuri.Game) -> None:
        past.copies(game)


@each_played
class TestEvents:
    def test_replays_tell_what_was_seen_live(self, game: mekuri.Game) -> None:
        for seed in range(2):
            past.events_as_seen(game, seed)

    @pytest.mark.in_turn(3)
    def test_the_past_is_told_the_same_later(self, game: mekuri.Game) -> None:
        past.events_the_same_later(game)

    def test_there_is_one_for_everything_that_happened(self, game: mekuri.Game) -> None:
        past.one_for_everything(game)
