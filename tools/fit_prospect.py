"""Fit the figures of `games/mushi/prospect.py`: the expected result of positions against `greedy`, for a seat that plays by them.

    python -m tools.fit_prospect            # some minutes; writes src/mekuri/games/mushi/prospect.bin

The figures begin at 0. A seat plays rounds against `greedy`: it takes the most promising action by the figures so far, and a random
one now and then. The figures of each position after its actions are then moved by a part of the error, the error being measured
against the next position's value and the result of the round (TD(0.5)). The steps become smaller. Equal numbers of rounds and equal
steps give equal figures.
"""

from __future__ import annotations

import sys
from typing import Any

import mekuri
from mekuri.bots.workspace import workspace
from mekuri.engine.called import act, asked_of, choices_of, greediest, lead, legal_of, turn
from mekuri.engine.chance import begin_round, below, stream
from mekuri.engine.compiled import bit, count, nth, rule
from mekuri.engine.compiled import first as lowest
from mekuri.engine.contract import DRIVER, over, returns
from mekuri.engine.entry import entry
from mekuri.engine.fields import copy
from mekuri.engine.setup import new_state
from mekuri.games.mushi import prospect
from mekuri.games.mushi.prospect import FIGURES, HALF, READ, figure_of, table_of

ROUNDS, PARTS = 30_000_000, 100  # rounds in all, in this many parts, each with a smaller step
STEP, TRUST, SLIPS = (
    0.15,
    0.5,
    10,
)  # the first step; the weight of the round's result; how many of a thousand actions are random
LONGEST = 64
LEAD = READ  # the column of a row, after the indices of its figures, that has the seat's lead


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
        own, steps, ended = number % 2, 0, True
        while not over(s):
            seat = lowest(asked_of(s))
            if seat == DRIVER:
                turn(s, chance)
                if over(s) or ended or s.turn == own:
                    continue
                ended = True
            else:
                choices = choices_of(s, seat)
                if seat != own:
                    act(s, seat, greediest(s, seat, False, chance, states[2], states[3]))
                    continue
                if below(chance, 1000) < SLIPS:
                    act(s, seat, nth(choices, below(chance, count(choices))))
                else:
                    act(s, seat, most_promising(s, seat, worths, states[2], states[3], row))
                if over(s) or chooses(s, seat):
                    continue
                ended = s.turn != own
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


@rule
def chooses(s: Any, seat: int) -> bool:
    """Return whether a seat has yet to say which card its played card captures."""
    return asked_of(s) == bit(seat) and s.laid >= 0


@rule
def read(s: Any, seat: int, row: Any) -> None:
    """Write the indices of a position's figures, and the seat's lead, into a row."""
    for i in range(READ):
        row[i] = table_of(s, seat) + figure_of(s, seat, i)
    row[LEAD] = lead(s, seat)


@rule
def thought(row: Any, worths: Any) -> float:
    """Return the estimated value of a position from its row."""
    value = float(row[LEAD]) / 2
    for i in range(READ):
        value += float(worths[row[i]])
    return value


@rule
def most_promising(s: Any, seat: int, worths: Any, one: Any, two: Any, row: Any) -> int:
    """Return the action with the best estimate, where the seat also makes the best choice of what its card captures."""
    choices, chosen, best = choices_of(s, seat), -1, 0.0
    while choices:
        action = lowest(choices)
        choices &= choices - 1
        copy(one, s)
        act(one, seat, action)
        further = legal_of(one, seat) if chooses(one, seat) else 0
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


@rule
def worth(s: Any, seat: int, worths: Any, row: Any) -> float:
    """Return the result of a finished round, or the estimated value of a position."""
    if over(s):
        return float(returns(s, seat))
    read(s, seat, row)
    return float(thought(row, worths))


def fitted(rounds: int, parts: int = PARTS, told: Any = None) -> bytes:
    """Return the figures after a number of rounds, as prospect.bin stores them.

    Args:
        rounds: the number of rounds.
        parts: the number of parts, each with a smaller step.
        told: called after each part with its number and the mean result of a round; None for nothing.
    """
    import numpy as np

    from mekuri.engine import numba_backend

    game = mekuri.game("mushi")
    states = workspace(game.contract, 4, compiled=True)
    numba_backend.to_record(new_state(game.contract, game.options, game.seats), states[0])
    key, chance = np.array(stream("outlook")), np.zeros(4, np.int64)
    worths, rows, row = np.zeros(FIGURES), np.zeros((LONGEST, READ + 1), np.int64), np.zeros(READ + 1, np.int64)
    each = rounds // parts
    for part in range(parts):
        step = STEP * (1 - part / parts)
        brought = learn.compiled(states, key, chance, part * each, each, step, worths, rows, row)
        if told:
            told(part + 1, brought / each)
    # A figure is in hundredths of the lead, which is twice the result of the round.
    return (np.round(200 * worths).clip(-HALF, HALF - 1) + HALF).astype(">u2").tobytes()


def main() -> None:
    """Fit the figures and write prospect.bin."""
    rounds = int(sys.argv[1]) if sys.argv[1:] else ROUNDS
    made = fitted(rounds, told=lambda part, mean: print(f"{part} of {PARTS}: {mean:+.2f} a round", flush=True))
    prospect.FILE.write_bytes(made)


if __name__ == "__main__":
    main()
