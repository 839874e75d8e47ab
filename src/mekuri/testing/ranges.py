"""Checks that no value of a state leaves its field's range, on plain states that raise an error. Machine code would not notice."""

from __future__ import annotations

from mekuri import bots
from mekuri.engine.chance import stream
from mekuri.engine.compiled import first
from mekuri.engine.contract import over, redeal, waiting
from mekuri.engine.driver import see
from mekuri.lab import playout
from mekuri.match.game import Game
from mekuri.testing.failure import check, hold
from mekuri.testing.states import checked_state, plain_states, start, step


@check
def rounds(game: Game, rounds: int, seed: int = 0, bot: str = "random") -> None:
    """Check that rounds keep to the ranges: in the round itself, in hidden states, and in the states that bots think in."""
    states = plain_states(game, seed % game.seats, checked_state(game.id))
    playout.play_rounds(states, stream(seed), [0] * 4, 0, rounds, bots.find(bot), 0, playout.empty_counts(), [])
    hold(len({type(state) for state in states}) == 1, "rules have put another object in a state's place")


@check
def redealt_worlds(game: Game, seed: int = 0) -> None:
    """Check that redealt worlds keep to the ranges at every step of a round."""
    kind, chance = checked_state(game.id), stream(seed)
    s, world = start(game, seed % game.seats, kind), kind()
    while not over(s):
        for seat in range(game.seats):
            see(s, seat, world)
            redeal(world, seat, chance)
        step(s, first(waiting(s)), chance)


@check
def redealt_worlds_played(game: Game, seed: int = 0, actions: int = 20) -> None:
    """Check that worlds redealt after so many actions keep to the ranges when they are played to their end."""
    kind, chance = checked_state(game.id), stream(seed)
    s, world = start(game, 0, kind), kind()
    for _ in range(actions):
        if not over(s):
            step(s, first(waiting(s)), chance)
    for seat in range(game.seats):
        see(s, seat, world)
        redeal(world, seat, chance)
        while not over(world):
            step(world, first(waiting(world)), chance)
