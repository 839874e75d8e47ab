"""No value of a state leaves its field's range. Machine code would not notice; the plain state in its `checked` class does."""

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mekuri
from mekuri import games
from mekuri.engine.chance import pick, stream
from mekuri.engine.compiled import count, first
from mekuri.engine.contract import DRIVER, legal, over, play, redeal, waiting
from mekuri.engine.driver import drive, see
from mekuri.engine.fields import RoundState, checked, fields
from mekuri.lab import playout
from tests.helpers.tables import BOTS, any_game, checked_state, each_bot, each_game, each_preset, plain_states, random_games, start


def play_checked(game: mekuri.Game, rounds: int, bot: int, seed: int = 0) -> list[RoundState]:
    """Play rounds on checked states: the round itself, what the seats see of it, and what bots think in."""
    counts = playout.empty_counts()
    states = plain_states(game, seed % game.seats, checked_state(game.id))
    playout.play_rounds(states, stream(seed), [0] * 4, 0, rounds, bot, counts)
    assert len({type(state) for state in states}) == 1
    return states


class TestRounds:
    @each_bot
    @each_preset
    def test_presets(self, name: str, preset: str, bot: str) -> None:
        play_checked(mekuri.game(name, preset), 20, BOTS.index(bot))

    @settings(max_examples=60)
    @given(any_game(), st.integers(0, 1000), st.sampled_from([0, 0, 0, 1]))
    def test_random_options(self, game: mekuri.Game, seed: int, bot: int) -> None:
        play_checked(game, 2, bot, seed)

    @pytest.mark.soak
    @each_game
    def test_many_random_options(self, name: str) -> None:
        for number, game in enumerate(random_games(name, 500)):
            play_checked(game, 10, number % 2, number)

    @settings(max_examples=40)
    @given(any_game(), st.integers(0, 1000))
    def test_redealt_worlds(self, game: mekuri.Game, seed: int) -> None:
        """A world that a seat redeals from what it sees keeps to the ranges, and the round can be played on from it."""
        kind, chance = checked_state(game.id), stream(seed)
        s, world = start(game, seed % game.seats, kind), kind()
        while not over(s):
            for seat in range(game.seats):
                see(s, seat, world)
                redeal(world, seat, chance)
            step(s, chance)

    @settings(max_examples=20)
    @given(any_game(), st.integers(0, 1000), st.integers(0, 60))
    def test_redealt_worlds_can_be_played(self, game: mekuri.Game, seed: int, actions: int) -> None:
        kind, chance = checked_state(game.id), stream(seed)
        s, world = start(game, 0, kind), kind()
        for _ in range(actions):
            if not over(s):
                step(s, chance)
        for seat in range(game.seats):
            see(s, seat, world)
            redeal(world, seat, chance)
            while not over(world):
                step(world, chance)


def step(s: RoundState, chance: list[int]) -> None:
    """Do one random thing."""
    seat = first(waiting(s))
    if seat == DRIVER:
        drive(s, chance)
    else:
        choices = legal(s, seat)
        play(s, seat, pick(choices, count(choices), chance))


@each_game
class TestItCanFail:
    def test_a_value_out_of_range(self, name: str) -> None:
        s: Any = checked_state(name)()
        for field in fields(type(s)):
            for value in (field.least - 1, field.most + 1):
                with pytest.raises(OverflowError, match=field.name):
                    self.put(s, field.name, value, field.length)
            for value in (field.least, field.most):
                self.put(s, field.name, value, field.length)

    def test_a_row_out_of_range(self, name: str) -> None:
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

    def test_a_broken_rule(self, name: str) -> None:
        """A game whose every action loses five cards of the stock."""
        game = mekuri.game(name)
        contract = game.contract

        def broken(s: Any, seat: int, action: int) -> None:
            contract.play(s, seat, action)
            s.stock -= 5

        functions = {**vars(contract), "play": broken}
        kind = type("Broken", (checked_state(name),), {"__slots__": (), "contract": SimpleNamespace(**functions)})
        states = plain_states(game, 0, kind)
        with pytest.raises(OverflowError, match="stock holds"):
            playout.play_rounds(states, stream(0), [0] * 4, 0, 5, 0, playout.empty_counts())

    @staticmethod
    def put(s: Any, name: str, value: int, length: int) -> None:
        if length:
            getattr(s, name)[length - 1] = value
        else:
            setattr(s, name, value)


@each_game
def test_no_row_is_read_from_its_end(name: str) -> None:
    """Where plain rules would count from the end of a row, machine code would read beside it."""
    state = checked(games.find(name).state)()
    with pytest.raises(OverflowError, match="no place"):
        state.pack[-1]
    with pytest.raises(OverflowError, match="no place"):
        state.pack[-1] = 0
    with pytest.raises(OverflowError, match="no more and no fewer"):
        state.pack[:] = [1, 2, 3]
