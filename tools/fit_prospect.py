"""The figures of `games/mushi/prospect.py`: what positions come to against `greedy`, for a seat that goes on by these same figures.

    python -m tools.fit_prospect            # some minutes; writes src/mekuri/games/mushi/prospect.bin

Beginning with nothing, a seat plays round after round against `greedy`. It does what promises most by what it knows so far, now and
then something else, and each position that it leaves behind is then thought better or worse by part of what it missed: of what the
next was thought to be worth, and of what the round came to (TD(0.5) on positions after its own actions). The steps grow smaller.
Equal rounds and steps give equal figures.
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

ROUNDS, PARTS = 30_000_000, 100  # in so many parts, each with smaller steps
STEP, TRUST, SLIPS = (
    0.15,
    0.5,
    10,
)  # the first step; how much of what the round came to counts; of a thousand choices so many are any
LONGEST = 64
LEAD = READ  # in a row of what was read, after it: how the seat stood


@entry
def learn(states: Any, key: Any, chance: Any, first: int, rounds: int, step: float, worths: Any, rows: Any, row: Any) -> float:
    """Play rounds and mend what positions are thought to be worth. Returns what the rounds brought."""
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
    """Whether a seat has yet to say what the card takes that it has played."""
    return asked_of(s) == bit(seat) and s.laid >= 0


@rule
def read(s: Any, seat: int, row: Any) -> None:
    """Note which figures tell of a position."""
    for i in range(READ):
        row[i] = table_of(s, seat) + figure_of(s, seat, i)
    row[LEAD] = lead(s, seat)


@rule
def thought(row: Any, worths: Any) -> float:
    """What a position is thought to be worth."""
    value = float(row[LEAD]) / 2
    for i in range(READ):
        value += float(worths[row[i]])
    return value


@rule
def most_promising(s: Any, seat: int, worths: Any, one: Any, two: Any, row: Any) -> int:
    """The action after which most is hoped for, the best further choice being taken where there is one."""
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
    """What a position is worth, or thought to be worth."""
    if over(s):
        return float(returns(s, seat))
    read(s, seat, row)
    return float(thought(row, worths))


def fitted(rounds: int, parts: int = PARTS, told: Any = None) -> bytes:
    """The figures after so many rounds, as they are kept."""
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
    # A figure is in hundredths of what a seat stands before the other: two for each hundredth of what the round comes to.
    return (np.round(200 * worths).clip(-HALF, HALF - 1) + HALF).astype(">u2").tobytes()


def main() -> None:
    """Make the figures anew."""
    rounds = int(sys.argv[1]) if sys.argv[1:] else ROUNDS
    made = fitted(rounds, told=lambda part, mean: print(f"{part} of {PARTS}: {mean:+.2f} a round", flush=True))
    prospect.FILE.write_bytes(made)


if __name__ == "__main__":
    main()
