"""No value of a state leaves its field's range. Machine code would not notice; the plain state in its `checked` class does."""

import dataclasses
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mekuri
from mekuri import games
from mekuri.bots import find
from mekuri.engine.chance import stream
from mekuri.engine.fields import checked, fields
from mekuri.lab import playout
from mekuri.testing import ranges
from mekuri.testing.settings import random_games
from mekuri.testing.states import checked_state, plain_states
from tests.helpers.tables import BOTS, any_game, each_game, presets_and_bots


class TestRounds:
    @pytest.mark.in_turn(2)
    @each_game
    def test_values_stay_in_range_in_every_preset(self, name: str, subtests: pytest.Subtests) -> None:
        for preset, bot in presets_and_bots(name):
            with subtests.test(preset=preset, bot=bot):
                ranges.rounds(mekuri.game(name, preset), 20, bot=bot)

    @settings(max_examples=60)
    @given(any_game(), st.integers(0, 1000), st.sampled_from([BOTS[0], BOTS[0], BOTS[0], BOTS[1]]))
    def test_values_stay_in_range_with_random_options(self, game: mekuri.Game, seed: int, bot: str) -> None:
        ranges.rounds(game, 2, seed, bot)

    @pytest.mark.soak
    @each_game
    def test_values_stay_in_range_with_many_random_options(self, name: str) -> None:
        for number, game in enumerate(random_games(name, 500)):
            ranges.rounds(game, 10, number, BOTS[number % 2])

    @settings(max_examples=40)
    @given(any_game(), st.integers(0, 1000))
    def test_values_stay_in_range_in_redealt_worlds(self, game: mekuri.Game, seed: int) -> None:
        ranges.redealt_worlds(game, seed)

    @settings(max_examples=20)
    @given(any_game(), st.integers(0, 1000), st.integers(0, 60))
    def test_redealt_worlds_can_be_played(self, game: mekuri.Game, seed: int, actions: int) -> None:
        ranges.redealt_worlds_played(game, seed, actions)


@each_game
class TestDetection:
    def test_value_out_of_range_is_found(self, name: str) -> None:
        s: Any = checked_state(name)()
        for field in fields(type(s)):
            for value in (field.least - 1, field.most + 1):
                with pytest.raises(OverflowError, match=field.name):
                    self.put(s, field.name, value, field.length)
            for value in (field.least, field.most):
                self.put(s, field.name, value, field.length)

    def test_row_out_of_range_is_found(self, name: str) -> None:
        s: Any = checked_state(name)()
        for field in fields(type(s)):
            if field.length:
                with pytest.raises(OverflowError, match=field.name):
                    getattr(s, field.name)[:] = [field.most + 1] * field.length
                with pytest.raises(OverflowError, match=field.name):
                    setattr(s, field.name, [field.most + 1] * field.length)
                setattr(s, field.name, [field.most] * field.length)
                with pytest.raises(OverflowError, match=field.name):  # a row that was set whole is watched too
                    getattr(s, field.name)[0] += 1

    def test_broken_rule_is_found(self, name: str) -> None:
        """A game whose every action loses five cards of the stock."""
        game = mekuri.game(name)
        contract = game.contract

        def broken(s: Any, seat: int, action: int) -> None:
            contract.rules.play(s, seat, action)
            s.stock -= 5

        members = {**vars(contract), "rules": dataclasses.replace(contract.rules, play=broken)}
        kind = type("Broken", (checked_state(name),), {"__slots__": (), "contract": SimpleNamespace(**members)})
        states = plain_states(game, 0, kind)
        with pytest.raises(OverflowError, match="stock holds"):
            playout.play_rounds(states, stream(0), [0] * 4, 0, 5, find(BOTS[0]), 0, playout.empty_counts(), [])

    @staticmethod
    def put(s: Any, name: str, value: int, length: int) -> None:
        if length:
            getattr(s, name)[length - 1] = value
        else:
            setattr(s, name, value)


@each_game
def test_negative_index_of_a_row_is_refused(name: str) -> None:
    """A negative index would read from the end in plain rules, and beside the row in machine code."""
    state = checked(games.find(name).state)()
    with pytest.raises(OverflowError, match="no place"):
        state.pack[-1]
    with pytest.raises(OverflowError, match="no place"):
        state.pack[-1] = 0
    with pytest.raises(OverflowError, match="no more and no fewer"):
        state.pack[:] = [1, 2, 3]
