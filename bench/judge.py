"""Whether what the judge promises is true: the same with other chance and more play-outs, and what a good player then wins.

    python bench/judge.py [--game hiyoko] [--positions 100] [--openings 100] [--worlds 60]

Of each game of skill: how far the values of 1,000 and of 40,000 play-outs with other chance are apart, in standard errors, as the
root mean square over all actions that were tried in 30 worlds or more; and what `flat` wins by playing on from an opening beyond
what was promised, as a part of what was open in the round (`docs/review.md`), with its 95 % interval. The bench fails where the
first is above 1.3, or the second beyond a tenth.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from math import sqrt
from typing import Annotated

import cyclopts

import mekuri
from mekuri import games
from mekuri.bots import Budget, Seen, find
from mekuri.bots.ours import greedy
from mekuri.bots.search.flat import HONEST, WHOLE
from mekuri.bots.search.machine_code import prepare
from mekuri.bots.search.think import Notes, Trial, promises, think
from mekuri.engine.called import choices_of
from mekuri.engine.chance import below, stream
from mekuri.engine.compiled import bit, count
from mekuri.engine.fields import RoundState
from mekuri.match.game import Game
from mekuri.match.round import Round

FEW, MANY = 1000, 40_000  # play-outs
WORLDS = 30  # an action that was tried in fewer is not compared
MOST = 1.3  # the root mean square of deviations, in standard errors
PART = 0.1  # of what was open
_Z = 1.959964  # 95 %
SKILL = [name for name in games.names() if promises(games.find(name))]  # the games of skill


@dataclass(frozen=True)
class Kept:
    """How far openings keep their promise, in the game's units of `returns`.

    Attributes:
        beyond: the mean of what was won beyond what was promised.
        error: its standard error, over the openings.
        open: the mean of what was open.
    """

    beyond: float
    error: float
    open: float


def decisions(game: Game, number: int) -> list[Seen]:
    """Return all decisions of a round that greedy seats play, as their seats saw them."""
    round, found = game.deal(seed="judge", number=number), []
    chance = stream("judge", number)
    while not round.over:
        for seat in round.waiting_in_turn:
            seen = round.seen(seat)
            choices = choices_of(seen.hidden, seat)
            if count(choices) > 1:
                found.append(seen)
            if choices:  # else another seat's action has made this seat's needless
                round.play(greedy.bot.choose(seen, chance, Budget()), seat)
    return found


def position(game: Game, number: int) -> Seen:
    """Return one decision of a round, any of them with equal chance; of the next round that has one, if it has none."""
    while not (found := decisions(game, number)):
        number += 1_000_000
    return found[below(stream("position", number), len(found))]


def deviations(seen: Seen, number: int) -> list[float]:
    """Return how far two searches of a position are apart in each action's value, in standard errors.

    The spread of an action's results is taken from the larger search: thirty equal results have none, and yet an error.
    """
    few, many = (
        {each.action: each for each in think(seen, stream(name, number), Budget(playouts), greedy.bot)}
        for name, playouts in (("few", FEW), ("many", MANY))
    )
    found = []
    for action, one in few.items():
        other = many[action]
        error = other.error * sqrt((other.worlds - 1) * (1 / one.worlds + 1 / other.worlds))
        if one.worlds >= WORLDS and error:
            found.append((one.mean - other.mean) / error)
    return found


def root_mean_square(values: list[float]) -> float:
    """Return the root of the mean of the squares."""
    return sqrt(sum(value**2 for value in values) / len(values))


def play_on(game: Game, world: RoundState, seat: int, action: int, chance: list[int]) -> int:
    """Return what a seat wins after an action in a world if it goes on as `flat`, and the others are greedy."""
    flat = find("flat", game.contract)
    round = Round(game, world, chance)
    round.play(action, seat)
    while not round.over:
        for other in round.waiting_in_turn:
            seen = round.seen(other)
            bot = flat if other == seat else greedy.bot
            if choices_of(seen.hidden, other):
                round.play(bot.choose(seen, chance, Budget(FEW)), other)
    return round.returns[seat]


def kept(game: Game, openings: int, worlds: int) -> Kept:
    """Play openings on in worlds that their seats may be in, and compare what that brings with the promise in the same worlds."""
    beyond, spreads = [], []
    for number in range(openings):
        seen = decisions(game, number)[0]
        chance = stream("kept", number)
        best = think(seen, chance, Budget(FEW), greedy.bot)[0].action
        trial = Trial(seen.hidden, seen.seat, chance, greedy.bot, HONEST, WHOLE, (), FEW)
        notes = Notes()
        trial.more(bit(best), worlds, notes=notes)
        won = [play_on(game, world, seen.seat, best, chance) for world in notes.worlds]
        beyond.append((sum(won) - sum(notes.won[best])) / worlds)
        spreads.append(trial.tried(best).error * sqrt(worlds - 1))
    mean = sum(beyond) / openings
    error = sqrt(sum((each - mean) ** 2 for each in beyond) / openings / (openings - 1))
    return Kept(mean, error, sum(spreads) / openings)


def main(
    *,
    game: Annotated[list[str], cyclopts.Parameter(consume_multiple=True)] | None = None,
    positions: int = 100,
    openings: int = 100,
    worlds: int = 60,
) -> None:
    """Measure the games, print the figures, and exit with 1 where one misses its limit."""
    missed = False
    for name in game or SKILL:
        rules = mekuri.game(name)
        prepare(rules.contract, greedy.bot)
        found = [each for number in range(positions) for each in deviations(position(rules, number), number)]
        apart = root_mean_square(found) if found else 0.0
        if positions:
            print(
                f"{name}: {FEW} and {MANY} play-outs are {apart:.2f} standard errors apart ({len(found)} actions; at most {MOST})",
                flush=True,
            )
        missed |= apart > MOST
        if openings:
            result = kept(rules, openings, worlds)
            part, half = result.beyond / result.open, _Z * result.error / result.open
            print(
                f"{name}: flat wins {result.beyond:+.3f} beyond the promise: {part:+.3f} ± {half:.3f} of the stake of "
                f"{result.open:.2f} (at most {PART})",
                flush=True,
            )
            missed |= abs(part) > PART
    sys.exit(missed)


if __name__ == "__main__":
    cyclopts.run(main)
