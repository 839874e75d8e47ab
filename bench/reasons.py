"""Measure whether what an analysis says in words is true, and whether it gives reasons.

    python -m bench.reasons [--game hiyoko] [--processes 2] [--positions 500] [--start 0]

Each claim of an analysis with 1,000 play-outs is tried again with other chance, in ten times the worlds:

* size: it hardly matters which of two actions is chosen (then they are less than a tenth of what is open apart), or one is better
  (then it still is);
* chance: how often something happens, which must be the same tenth or the one beside it;
* plan: that yaku, capture, card left or round won explains a tenth of the difference or more, and speaks for the same action;
* card: the place of that card explains a tenth of the difference or more, and elsewhere the same
  action is better as before, or the difference is at most half as great.

The bench fails if fewer than 95 % of the claims of a kind hold in a game, or where fewer than 90 % of the analyses that find an
action better by a tenth of what is open give a reason.
"""

from __future__ import annotations

import gc
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from multiprocessing import get_context
from typing import Annotated

import cyclopts

from bench.judge import FEW, SKILL, position, prepared
from mekuri.bots import Budget
from mekuri.bots.alike import groups
from mekuri.bots.analysis import Weighed, merged, weigh
from mekuri.bots.decisive import (
    A_LITTLE,
    BETTER,
    HARDLY,
    PART,
    Decisive,
    Difference,
    decisive,
    difference,
    events,
    hinges,
    speaks_for,
    tenths,
)
from mekuri.bots.ours import greedy
from mekuri.bots.search.flat import HONEST, WHOLE
from mekuri.bots.search.think import Notes, Trial, think
from mekuri.bots.search.worlds import done_by_others
from mekuri.engine.bot import Seen
from mekuri.engine.chance import stream
from mekuri.engine.compiled import bit
from mekuri.engine.sides import partners, sides

MORE = 10  # times the worlds
HELD, REASONED = 0.95, 0.90


def claims(game: str, number: int) -> Counter[tuple[str, bool]]:
    """Count the claims of the analysis of a position of a game by their kind, and by whether they hold."""
    seen, notes = position(prepared(game), number), Notes()
    tried = merged(seen, think(seen, stream("claims", number), Budget(FEW), greedy.bot, notes=notes), notes)
    first, *others = (one[0] for one in groups(seen.hidden, seen.seat, [one.action for one in tried]))
    found = Counter[tuple[str, bool]]()
    if not others:
        return found
    second, before = others[0], difference(notes, first, others[0])
    weighed: dict[int, Weighed] = {
        one.action: one for one in weigh(seen, [one for one in tried if one.action in (first, second)], notes)
    }
    why, worlds = decisive(seen, weighed[first], weighed[second], notes), MORE * len(notes.won[second])
    if why.size == BETTER and before.mean >= A_LITTLE * before.open:
        found["reason", bool(why.plan or why.hinge)] += 1
    trial = Trial(seen.hidden, seen.seat, stream("again", number), greedy.bot, HONEST, WHOLE, done_by_others(seen), worlds)
    again = Notes() if why.plan or why.hinge else None  # notes cost more than the play-outs
    trial.more(bit(first) | bit(second), worlds, notes=again)
    one, other = trial.tried(first), trial.tried(second)
    found["size", size_holds(why.size, Difference(one.mean - other.mean, 0.0, one.error * sqrt(one.worlds)))] += 1
    if again:
        _check(found, seen, why, again, first, second)
    return found


def size_holds(size: str, now: Difference) -> bool:
    """Return whether a word for a difference holds for a better estimate of it."""
    if size == HARDLY:
        return abs(now.mean) <= A_LITTLE * now.open
    return size != BETTER or now.mean > 0


def _check(found: Counter[tuple[str, bool]], seen: Seen, why: Decisive, again: Notes, first: int, second: int) -> None:
    """Count whether the reasons that were found hold in other worlds."""
    if why.plan:
        now = next(iter(events(again, first, second, seen.seat, why.plan.event)), None)
        found[
            f"plan: {why.plan.event.kind}",
            bool(now and now.share >= PART and speaks_for(now, partners(sides(seen.hidden), seen.seat))),
        ] += 1
        for was, chance in ((why.plan.here, now.here if now else 0.0), (why.plan.there, now.there if now else 0.0)):
            found["chance", abs(tenths(was) - tenths(chance)) <= 1] += 1
    if why.hinge:
        one = why.hinge
        later = next((each for each in hinges(seen.hidden, again, first, second) if each.place == one.place), None)
        same = later is not None and (
            2 * abs(later.elsewhere) <= abs(later.there) if one.even else (one.elsewhere > 0) == (later.elsewhere > 0)
        )
        found["card", later is not None and same and later.share >= PART] += 1
        found["chance", later is not None and abs(tenths(one.chance) - tenths(later.chance)) <= 1] += 1


def main(
    game: Annotated[str | None, cyclopts.Parameter(help="One game of skill; else all.")] = None,
    processes: int = 2,
    positions: int = 500,
    start: Annotated[int, cyclopts.Parameter(help="The number of the first position.")] = 0,
) -> None:
    """Print how many claims of each kind hold in each game."""
    failed = False
    for name in [game] if game else SKILL:
        prepared(name)
        total = Counter[tuple[str, bool]]()
        # Notes are a million objects and no cycle: without the collector the bench takes a fifth less time.
        with ProcessPoolExecutor(processes, get_context("forkserver"), gc.disable) as pool:
            for one in pool.map(partial(claims, name), range(start, start + positions), chunksize=5):
                total += one
        for kind in sorted({kind for kind, _ in total}):
            held, n = total[kind, True], total[kind, True] + total[kind, False]
            least = REASONED if kind == "reason" else HELD
            failed |= held < least * n
            print(f"{name} {kind}: {held} of {n}, {held / n:.1%}{' (too few)' if held < least * n else ''}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    cyclopts.run(main)
