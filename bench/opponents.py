"""Measure how often a beginner, and `greedy`, win rounds against the characters.

    python -m bench.opponents [--game hiyoko] [--rounds 2000] [--processes 2]

The beginner plays like `greedy`, with three choices of ten at random. It meets the characters that the page proposes to a newcomer.
The bench fails if the beginner's share of the decided rounds is more than 5 % away from an equal share of the sides: with two,
below 45 or above 55 %. A round is decided if one side alone has the greatest return; a seat without a partner is a side.

Then each character plays `greedy`: the share of decided rounds that the character wins, with one seat against all others.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Annotated

import cyclopts

from bench.judge import SKILL, played, prepared
from mekuri import bots
from mekuri.bots import Bot, Budget, Seen, company, weakest
from mekuri.bots.ours import greedy
from mekuri.engine.called import choices_of
from mekuri.engine.chance import below, pick
from mekuri.engine.compiled import count
from mekuri.lab.arena import wilson

AT_RANDOM = 3  # of ten choices of the beginner
OFF = 0.05  # the greatest difference from an equal share of the decided rounds
_Z = 1.959964  # 95 %
BEGINNER = "beginner"


def chosen(name: str, seen: Seen, chance: list[int]) -> int:
    """Return the choice of a bot, or of the beginner."""
    if name == BEGINNER and below(chance, 10) < AT_RANDOM:
        choices = choices_of(seen.hidden, seen.seat)
        return pick(choices, count(choices), chance)
    bot: Bot = greedy.bot if name == BEGINNER else bots.find(name)
    return bot.choose(seen, chance, Budget())


def won(game: str, player: str, others: tuple[str, ...], number: int) -> bool | None:
    """Play a round, and return whether the player's side wins it; None if it is not decided."""
    rules = prepared(game)
    own = number % rules.seats
    at = {seat: others[(seat - own - 1) % rules.seats] if seat != own else player for seat in range(rules.seats)}
    returns = played(rules, "opponents", number, lambda seen, chance: chosen(at[seen.seat], seen, chance)).returns
    winners = {rules.sides[seat] for seat, value in enumerate(returns) if value == max(returns)}
    return None if len(winners) > 1 else rules.sides[own] in winners


def main(
    game: Annotated[str | None, cyclopts.Parameter(help="One game of skill; else all.")] = None,
    rounds: int = 2000,
    processes: int = 2,
) -> None:
    """Print the share of decided rounds that are won."""
    failed = False
    for name in [game] if game else SKILL:
        rules = prepared(name)
        newcomers = company(rules.contract, rules.seats - 1, weakest(rules.contract))
        characters = [bot.id for bot in bots.characters(rules.contract)]
        matches = [(BEGINNER, newcomers), *((who, ("greedy",) * (rules.seats - 1)) for who in characters)]
        for player, others in matches:
            with ProcessPoolExecutor(processes, get_context("forkserver")) as pool:
                results = [*pool.map(partial(won, name, player, others), range(rounds), chunksize=10)]
            decided = [one for one in results if one is not None]
            least, most = wilson(sum(decided), len(decided), _Z)
            share = sum(decided) / len(decided)
            missed = player == BEGINNER and abs(share - 1 / len(set(rules.sides))) > OFF
            failed |= missed
            found = f"{share:.1%} [{100 * least:.1f}-{100 * most:.1f}] of {len(decided)} decided rounds"
            print(f"{name}: {player} against {', '.join(others)}: {found}{' MISSED' if missed else ''}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    cyclopts.run(main)
