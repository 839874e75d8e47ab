"""Perft, as in chess engines: count the sequences of actions from positions to a given depth, by plain and by compiled rules.

An action of the driver is one branch, and where several seats are to act the lowest acts first. Half of the positions are new
deals, half are points of rounds played at random, so that ends of rounds are counted, too.
"""

from __future__ import annotations

from typing import Any

from mekuri.engine.chance import begin_round, fold, stream
from mekuri.engine.compiled import first, wrap
from mekuri.engine.contract import DRIVER, legal, outlook, over, play, returns, waiting, yaku_of
from mekuri.engine.driver import drive
from mekuri.engine.entry import entry
from mekuri.engine.fields import copy
from mekuri.match.game import Game
from mekuri.testing.failure import check, same
from mekuri.testing.states import int64s, need_machine_code, plain_states, records, step

DEPTH = 6  # actions
MOST_SEQUENCES = 2_000_000
LATEST = 40  # actions before a position, fewer than this
ENDS, CHECKSUM = DEPTH + 1, DEPTH + 2  # places after the counts for 0 to DEPTH actions: ended rounds, and a checksum of their ends


@entry
def perft(states: Any, key: Any, chance: Any, asked: Any, choices: Any, first_position: int, positions: int, counts: Any) -> None:
    """Count the sequences of 0 to DEPTH actions from each position, up to the position at which they exceed MOST_SEQUENCES.

    Args:
        states: a state for each depth from 0 to DEPTH, then one at the start of a round.
        key: four words, from which positions and shuffles come.
        chance: four words of workspace.
        asked: workspace: for each depth the seat that acts.
        choices: workspace: for each depth the actions that are still to be tried.
        first_position: the number of the first position.
        positions: how many positions are counted.
        counts: DEPTH + 3 ints, to which the counts are added: sequences by depth, ended rounds, and a checksum of their ends.
    """
    for position in range(first_position, first_position + positions):
        if counts[DEPTH] > MOST_SEQUENCES:
            return
        s = states[0]
        copy(s, states[DEPTH + 1])
        begin_round(chance, key, position)
        actions = 0 if position % 2 else position // 2 % LATEST
        while actions > 0 and not over(s):
            step(s, first(waiting(s)), chance)
            actions -= 1
        counts[0] += 1
        depth = 0
        asked[0] = first(waiting(s)) if waiting(s) else 0
        choices[0] = legal(s, asked[0])
        while depth >= 0:
            s = states[depth]
            if choices[depth] == 0:
                depth -= 1
                continue
            seat, action = asked[depth], first(choices[depth])
            choices[depth] &= choices[depth] - 1
            depth += 1
            s = states[depth]
            copy(s, states[depth - 1])
            if seat == DRIVER:
                begin_round(chance, key, -1 - position * DEPTH - depth)  # a shuffle depends on the place in the tree only
                drive(s, chance)
            else:
                play(s, seat, action)
            counts[depth] += 1
            if over(s):
                counts[ENDS] += 1
                checksum = fold(position, depth)
                for seat in range(s.seats):
                    checksum = fold(fold(fold(checksum, returns(s, seat)), yaku_of(s, seat)), outlook(s, seat))
                counts[CHECKSUM] = wrap(counts[CHECKSUM] + checksum)
            if over(s) or depth == DEPTH:
                depth -= 1
            else:
                asked[depth] = first(waiting(s))
                choices[depth] = legal(s, asked[depth])


def count_compiled(game: Game, positions: int, begin: int = 0) -> list[int]:
    """Return the counts for so many positions by compiled rules (see `perft`)."""
    states = records(game, DEPTH + 2)
    states[DEPTH + 1] = states[0]
    counts = int64s(*[0] * (DEPTH + 3))
    chance, asked, choices = (int64s(*[0] * n) for n in (4, DEPTH + 1, DEPTH + 1))
    perft.compiled(states, int64s(*stream("perft")), chance, asked, choices, begin, positions, counts)
    return [int(n) for n in counts]


def count_plain(game: Game, positions: int, begin: int = 0) -> list[int]:
    """Return the counts for so many positions by plain rules (see `perft`)."""
    states = [game.contract.state() for _ in range(DEPTH + 1)] + plain_states(game)[:1]
    counts = [0] * (DEPTH + 3)
    perft(states, stream("perft"), [0] * 4, [0] * (DEPTH + 1), [0] * (DEPTH + 1), begin, positions, counts)
    return counts


@check
def counts(game: Game, positions: int, begin: int = 0) -> None:
    """Check that so many positions have equally many sequences of actions, with equal ends of rounds, plain and compiled."""
    need_machine_code()
    plain, compiled = count_plain(game, positions, begin), count_compiled(game, positions, begin)
    for depth, (one, other) in enumerate(zip(compiled[: DEPTH + 1], plain, strict=False)):
        same(one, other, f"compiled and plain rules count other sequences of {depth} actions")
    same(compiled[ENDS:], plain[ENDS:], "rounds end otherwise in compiled and plain rules")
