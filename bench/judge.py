"""Measure whether the promises and the accusations of the judge are true.

    python bench/judge.py [--game hiyoko] [--processes 2] [--positions 100] [--openings 100] [--rounds 100] [--planted 100]

Of each game of skill: how far the values of 1,000 and of 40,000 play-outs with other chance are apart, in standard errors, as the
root mean square over all actions that were tried in 30 worlds or more; and what `flat` wins by playing on from an opening beyond
what was promised, as a part of what was open in the round (`docs/review.md`), with its 95 % interval. The bench fails if the
first is above 1.3, or the second beyond a tenth.

Then, in how many rounds in which every seat plays what is best by ten times the play-outs a review finds a mistake or a blunder;
and how many planted blunders a review calls a mistake or a blunder. A planted blunder is an action in a round of greedy play that
costs at least 0.4 of what was open by ten times the play-outs and other chance, and clearly (95 %) costs something when it and the
best action are played on in up to 400 worlds. The bench fails above 2 %, or below 95 %.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from math import sqrt
from multiprocessing import get_context
from typing import Annotated

import cyclopts

import mekuri
from mekuri import games
from mekuri.bots import Budget, Seen, prepare_solver
from mekuri.bots.figures import estimate
from mekuri.bots.ours import greedy
from mekuri.bots.review import LABELS
from mekuri.bots.review.confirm import SHARE, cost_of_playing_on, judged, open_at, play_on
from mekuri.bots.review.decisions import Decision, decisions
from mekuri.bots.review.judge import label
from mekuri.bots.search.flat import HONEST, WHOLE
from mekuri.bots.search.machine_code import prepare
from mekuri.bots.search.think import Notes, Trial, promises, think
from mekuri.engine.bot import Happened
from mekuri.engine.called import choices_of
from mekuri.engine.chance import below, stream
from mekuri.engine.compiled import bit
from mekuri.match.game import Game
from mekuri.match.round import Chronicle, Round

FEW, MANY = 1000, 40_000  # play-outs
WORLDS = 30  # an action that was tried in fewer is not compared
MOST = 1.3  # the root mean square of deviations, in standard errors
PART = 0.1  # of what was open
MORE = Budget(10 * FEW)
DEAR = 0.4  # of what was open: the least cost of a planted blunder
DEALS = 400  # worlds in which it is played on
WRONG, RIGHT = 0.02, 0.95  # sound rounds with an accusation at most, and planted blunders accused at least
EACH = 2  # planted blunders of one round at most
SKILL = [name for name in games.names() if promises(games.find(name))]  # the games of skill


def asked(game: Game, number: int) -> list[Seen]:
    """Return what the seats had seen at each decision of a round of greedy play."""
    round, chance = game.deal(seed="judge", number=number), stream("judge", number)
    while not round.over:
        for seat in round.waiting_in_turn:
            seen = Seen(round.hidden(seat), seat)  # all that `greedy` looks at
            if choices_of(seen.hidden, seat):
                round.play(greedy_choice(seen, chance), seat)
    return [one.seen for one in decisions(round)]


def position(game: Game, number: int) -> Seen:
    """Return one decision of a round, any of them with equal chance; of the next round that has one, if it has none."""
    while not (found := asked(game, number)):
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


def deviations_at(game: str, number: int) -> list[float]:
    """Return `deviations` of a position of a game."""
    return deviations(position(prepared(game), number), number)


def kept(game: str, worlds: int, number: int) -> tuple[float, float]:
    """Play an opening on in worlds that its seat may be in, and compare what that brings with the promise in the same worlds.

    Returns:
        The mean gain beyond the promise, and the mean of the open part.
    """
    seen, chance = asked(prepared(game), number)[0], stream("kept", number)
    best = think(seen, chance, Budget(FEW), greedy.bot)[0].action
    trial, notes = Trial(seen.hidden, seen.seat, chance, greedy.bot, HONEST, WHOLE, (), FEW), Notes()
    trial.more(bit(best), worlds, notes=notes)
    won = [play_on(world, seen.seat, best, chance, Budget(FEW)) for world in notes.worlds]
    return (sum(won) - sum(notes.won[best])) / worlds, trial.tried(best).error * sqrt(worlds - 1)


def best_of_many(seen: Seen, chance: list[int]) -> int:
    """Return the best action by ten times the play-outs of a review."""
    return think(seen, chance, MORE, greedy.bot)[0].action


def greedy_choice(seen: Seen, chance: list[int]) -> int:
    """Return the action of `greedy`."""
    return greedy.bot.choose(seen, chance, Budget())


def played(game: Game, name: str, number: int, choose: Callable[[Seen, list[int]], int]) -> Round:
    """Play a round, with one function that chooses for all seats."""
    round, chance = game.deal(seed=name, number=number), stream(name, number)
    # Each seat's chronicle goes on where it stood: `Round.seen` would begin anew at every turn.
    past = {seat: (Chronicle(round), list[Happened]()) for seat in range(game.seats)}
    while not round.over:
        for seat in round.waiting_in_turn:
            chronicle, happened = past[seat]
            happened += chronicle.past(seat)
            seen = Seen(round.hidden(seat), seat, tuple(happened))
            if choices_of(seen.hidden, seat):  # else another seat's action has made this seat's needless
                round.play(choose(seen, chance), seat)
    return round


def own(round: Round, number: int) -> tuple[float, list[Decision]]:
    """Return what was open for a seat of a round, and its decisions; seats take turns by the number of the round."""
    found = [one for one in decisions(round) if one.seat == number % round.game.seats]
    return (open_at(found[0], Budget(FEW)) if found else 0.0), found


def accused(one: Decision, open: float) -> bool:
    """Return whether a review calls a decision a mistake or a blunder."""
    return label(judged(one, open, Budget(FEW)), open) != LABELS[0]


def sound_round(game: str, number: int) -> list[bool]:
    """Return whether each decision of a seat in a round of sound play is accused."""
    rules = prepared(game)
    open, found = own(played(rules, "sound", number, best_of_many), number)
    return [accused(one, open) for one in found]


def planted_round(game: str, number: int) -> list[bool]:
    """Return whether each blunder that is planted in a round of greedy play is accused; at most `EACH`."""
    rules = prepared(game)
    open, found = own(played(rules, "planted", number, greedy_choice), number)
    return [accused(one, open) for one, _ in zip(blunders(found, open, number), range(EACH), strict=False)]


def blunders(found: list[Decision], open: float, number: int) -> Iterator[Decision]:
    """Yield decisions with another action, the dearest there is, if that is a blunder."""
    for one in found:
        chance = stream("again", number, one.step)
        tried = think(one.seen, chance, MORE, greedy.bot)
        worst = min(tried, key=lambda each: each.mean)
        if open and tried[0].mean - worst.mean >= DEAR * open:
            cost = cost_of_playing_on(one.seen, tried[0].action, worst.action, DEALS, Budget(FEW // SHARE), chance)
            if cost.interval[0] > 0:
                yield replace(one, action=worst.action)


def prepared(game: str) -> Game:
    """Return a game whose machine code is ready."""
    rules = mekuri.game(game)
    prepare(rules.contract, greedy.bot)
    prepare_solver(rules.contract)
    return rules


def tell(game: str, said: str, missed: bool) -> bool:
    """Print a figure of a game. Returns whether it misses its limit."""
    print(f"{game}: {said}{': MISSED' if missed else ''}", flush=True)
    return missed


def main(
    *,
    game: Annotated[list[str], cyclopts.Parameter(consume_multiple=True)] | None = None,
    positions: int = 100,
    openings: int = 100,
    worlds: int = 60,
    rounds: int = 100,
    planted: int = 100,
    processes: int = 1,
) -> None:
    """Measure the games, print the figures, and exit with 1 if one misses its limit."""
    missed = False
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for name in game or SKILL:
            if positions:
                found = [each for one in pool.map(partial(deviations_at, name), range(positions)) for each in one]
                apart = root_mean_square(found)
                said = f"{FEW} and {MANY} play-outs are {apart:.2f} standard errors apart ({len(found)} actions; at most {MOST})"
                missed |= tell(name, said, apart > MOST)
            if openings:
                beyond, open = zip(*pool.map(partial(kept, name, worlds), range(openings)), strict=True)
                part = estimate([one * openings / sum(open) for one in beyond])
                half, stake = part.interval[1] - part.mean, sum(open) / openings
                said = f"flat wins {part.mean:+.3f} ± {half:.3f} of the stake of {stake:.2f} beyond the promise (at most {PART})"
                missed |= tell(name, said, abs(part.mean) > PART)
            if rounds:
                wrong = sum(map(any, pool.map(partial(sound_round, name), range(rounds))))
                said = f"{wrong} of {rounds} rounds of sound play with an accusation (at most {WRONG:.0%})"
                missed |= tell(name, said, wrong > WRONG * rounds)
            called: list[bool] = []
            for first in range(0, 100 * planted, 16 * processes):
                if len(called) < planted:
                    again = pool.map(partial(planted_round, name), range(first, first + 16 * processes))
                    called += [one for found in again for one in found]
            if planted:
                right = sum(called[:planted])
                said = f"{right} of {len(called[:planted])} planted blunders accused (at least {RIGHT:.0%})"
                missed |= tell(name, said, right < RIGHT * planted)
    sys.exit(missed)


if __name__ == "__main__":
    cyclopts.run(main)
