"""Fit the figures of a game's `prospect.py`: the expected result of positions against `greedy`, for a seat that plays by them.

    python -m tools.fit_prospect mushi            # some minutes; writes src/mekuri/games/mushi/prospect.bin

The figures begin at 0. A seat plays rounds against `greedy`: it takes the most promising action by the figures so far, and a random
one now and then. The figures of each position after its actions are then moved by a part of the error, the error being measured
against the next position's value and the result of the round (TD(0.5)). The steps become smaller. Equal numbers of rounds and equal
steps give equal figures.

The game's module has `READ` figures for a position, out of `FIGURES`; `figure_of(h, seat, i)` is the index of the i-th. Their sum,
in `SCALE`ths of a unit of `returns`, is the value of the position; if `LEAD` is not 0, what it has beyond a `LEAD`th of the lead.
A module that says `SEATS` is fitted to rounds of each of these numbers of seats; all others to rounds of the usual number.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import mekuri
from mekuri.engine.called import act, asked_of, choices_of, greediest, lead, legal_of, turn
from mekuri.engine.chance import begin_round, below, stream
from mekuri.engine.compiled import bit, count, nth, rule
from mekuri.engine.compiled import first as lowest
from mekuri.engine.contract import DRIVER, over, returns
from mekuri.engine.entry import Entry, entry
from mekuri.engine.executor import MACHINE_CODE
from mekuri.engine.fields import copy
from mekuri.engine.setup import new_state
from mekuri.games.figures import HALF

STEP, TRUST = 0.15, 0.5  # the first step; the weight of the round's result
SLIPS = 10  # how many of a thousand actions are random
LONGEST = 512  # positions of a round that are learned from


@cache
def learner(game: str) -> Entry[..., float]:
    """Return the loop that plays rounds of a game and updates its figures."""
    prospect = module_of(game)
    READ, LEAD, figure_of = prospect.READ, prospect.LEAD, prospect.figure_of

    @rule
    def read(s: Any, seat: int, row: Any) -> None:
        """Write the indices of a position's figures, and the seat's lead, into a row."""
        for i in range(READ):
            row[i] = figure_of(s, seat, i)
        row[READ] = lead(s, seat) if LEAD else 0

    @rule
    def thought(row: Any, worths: Any) -> float:
        """Return the estimated value of a position from its row."""
        value = float(row[READ]) / LEAD if LEAD else 0.0
        for i in range(READ):
            value += float(worths[row[i]])
        return value

    @rule
    def worth(s: Any, seat: int, worths: Any, row: Any) -> float:
        """Return the result of a finished round, or the estimated value of a position."""
        if over(s):
            return float(returns(s, seat))
        read(s, seat, row)
        return float(thought(row, worths))

    @rule
    def most_promising(s: Any, seat: int, worths: Any, one: Any, two: Any, row: Any) -> int:
        """Return the action with the best estimate; if this seat then acts again, its best further action counts."""
        choices, chosen, best = choices_of(s, seat), -1, 0.0
        while choices:
            action = lowest(choices)
            choices &= choices - 1
            copy(one, s)
            act(one, seat, action)
            further = legal_of(one, seat) if asked_of(one) == bit(seat) else 0
            if not further:
                value = worth(one, seat, worths, row)
                if chosen < 0 or value > best:
                    best, chosen = value, action
            while further:
                copy(two, one)
                act(two, seat, lowest(further))
                further &= further - 1
                value = worth(two, seat, worths, row)
                if chosen < 0 or value > best:
                    best, chosen = value, action
        return chosen

    @entry
    def learn(states: Any, key: Any, chance: Any, first: int, rounds: int, step: float, worths: Any, rows: Any, row: Any) -> float:
        """Play rounds and update the figures. Returns the sum of the seat's returns.

        Args:
            states: four state records: the start of a round, the round, and two for trying actions.
            key: the four words that the chance of every round comes from.
            chance: four words, the chance of the current round.
            first: the number of the first round.
            rounds: how many rounds are played.
            step: the size of an update.
            worths: the figures, an array of `FIGURES`, which is updated.
            rows: `LONGEST` rows for the positions of a round, each with `READ` indices of figures and the lead.
            row: one more such row.
        """
        brought = 0.0
        s = states[1]
        for number in range(first, first + rounds):
            begin_round(chance, key, number)
            copy(s, states[0])
            own, steps, ended, again = number % s.seats, 0, True, False
            while not over(s):
                seat = lowest(asked_of(s))
                if seat == DRIVER:
                    turn(s, chance)
                    again = False
                    # The end of the seat's turn, with what the driver has turned up in it.
                    if over(s) or ended or s.turn == own:
                        continue
                    ended = True
                else:
                    choices = choices_of(s, seat)
                    if seat != own:
                        act(s, seat, greediest(s, seat, False, chance, states[2], states[3]))
                        again = False
                        continue
                    if below(chance, 1000) < SLIPS:
                        act(s, seat, nth(choices, below(chance, count(choices))))
                    else:
                        act(s, seat, most_promising(s, seat, worths, states[2], states[3], row))
                    # If the seat acts again at once, its first action is judged by the second.
                    later, again = again, asked_of(s) == bit(own)
                    if over(s) or (again and not later):
                        continue
                    ended = s.turn != own
                if steps < LONGEST:
                    read(s, own, rows[steps])
                    steps += 1
            after = came = float(returns(s, own))
            brought += came
            for back in range(steps - 1, -1, -1):
                now = thought(rows[back], worths)
                came = TRUST * came + (1 - TRUST) * after
                for i in range(READ):
                    worths[rows[back][i]] += step / READ * (came - now)
                after = now
        return brought

    return learn


def module_of(game: str) -> Any:
    """Return the module of a game's prospect."""
    return import_module(f"mekuri.games.{game}.prospect")


def fitted(game: str, rounds: int, parts: int, report: Callable[[int, float], None] | None = None) -> bytes:
    """Return the figures after a number of rounds, as prospect.bin stores them.

    Args:
        game: the id of the game.
        rounds: the number of rounds.
        parts: the number of parts, each with a smaller step.
        report: called after each part with its number and the mean result of a round; None for nothing.
    """
    import numpy as np

    prospect, rules = module_of(game), mekuri.game(game)
    seats = getattr(prospect, "SEATS", (rules.seats,))
    states = MACHINE_CODE.states(rules.contract, 4)
    key, chance = np.array(stream("outlook")), np.zeros(4, np.int64)
    read = prospect.READ
    worths, rows, row = np.zeros(prospect.FIGURES), np.zeros((LONGEST, read + 1), np.int64), np.zeros(read + 1, np.int64)
    each = rounds // parts // len(seats)
    for part in range(parts):
        step, brought = STEP * (1 - part / parts), 0.0
        for i, number in enumerate(seats):
            MACHINE_CODE.write(states, 0, new_state(rules.contract, rules.options, number))
            first = (part * len(seats) + i) * each
            brought += learner(game).compiled(states, key, chance, first, each, step, worths, rows, row)
        if report:
            report(part + 1, brought / each / len(seats))
    made: bytes = (np.round(prospect.SCALE * worths).clip(-HALF, HALF - 1) + HALF).astype(">u2").tobytes()
    return made


def main() -> None:
    """Fit the figures of the named game, by as many rounds as its module says, and write its prospect.bin."""
    game = sys.argv[1]
    rounds, parts = module_of(game).FITTED
    made = fitted(game, rounds, parts, lambda part, mean: print(f"{part} of {parts}: {mean:+.3f} a round", flush=True))
    module_of(game).FILE.write_bytes(made)


if __name__ == "__main__":
    main()
