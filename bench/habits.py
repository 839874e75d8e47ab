"""Measure how often the weaker characters act by their habits, and what a player wins by it.

    python -m bench.habits [--game mushi] [--deals 1000] [--processes 2]

A player that searches as well as the best character plays each deal from every seat, with the character in all others: once against
the character as it is, and once against the same level without its habit. The difference is what the habit brings the player.

The bench fails if a habit does not surely (95 %) bring the player anything.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from typing import Annotated

import cyclopts

from bench.judge import SKILL, played, prepared
from mekuri.bots import Budget, Seen, levels
from mekuri.bots.figures import estimate
from mekuri.bots.levels import STRONGEST, choose_as, left_by_habit
from mekuri.engine.called import choices_of
from mekuri.engine.compiled import count
from mekuri.engine.level import Level


def brings(game: str, level: Level, number: int) -> float:
    """Return what a level's habit brings a player a round of a deal, on average over the seats."""
    rules = prepared(game)

    def won(own: int, other: Level) -> float:
        def choose(seen: Seen, chance: list[int]) -> int:
            mine = seen.seat == own
            return STRONGEST.choose(seen, chance, Budget()) if mine else choose_as(other, seen, chance, Budget())

        return played(rules, "habits", number, choose).returns[own]

    plain = replace(level, plays_first=0, plays_last=0)
    return sum(won(own, level) - won(own, plain) for own in range(rules.seats)) / rules.seats


def narrowed(game: str, level: Level, number: int) -> list[bool]:
    """Return for each decision of a round among characters of a level whether their habit rules out a choice."""
    found: list[bool] = []

    def choose(seen: Seen, chance: list[int]) -> int:
        choices = choices_of(seen.hidden, seen.seat)
        if count(choices) > 1:
            found.append(left_by_habit(level, seen, [*chance]) != choices)
        return choose_as(level, seen, chance, Budget())

    played(prepared(game), "habits", number, choose)
    return found


def main(
    game: Annotated[str | None, cyclopts.Parameter(help="One game of skill; else all.")] = None,
    deals: int = 1000,
    processes: int = 2,
) -> None:
    """Print for each habit how often it decides, and what it brings a player a round."""
    failed = False
    for name in [game] if game else SKILL:
        for level in levels(prepared(name).contract):
            if not level.has_habit:
                continue
            with ProcessPoolExecutor(processes, get_context("forkserver")) as pool:
                found = estimate([*pool.map(partial(brings, name, level), range(deals), chunksize=10)])
            decided = [one for number in range(min(deals, 100)) for one in narrowed(name, level, number)]
            least, most = found.interval
            failed |= least <= 0
            print(
                f"{name}: the habit of {level.who} decides {sum(decided) / len(decided):.0%} of the decisions, and brings a player "
                f"{found.mean:+.2f} [{least:+.2f} to {most:+.2f}] a round{' MISSED' if least <= 0 else ''}",
                flush=True,
            )
    sys.exit(failed)


if __name__ == "__main__":
    cyclopts.run(main)
