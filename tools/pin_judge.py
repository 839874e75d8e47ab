"""Pin the figures of the judge of reviews and puzzles, so that a test notices when they move.

    python -m tools.pin_judge            # after raising JUDGE in src/mekuri/bots/review/version.py

The figures are those of 50 decisions of each game of skill: the value of each action, and what the action played cost. They are
written to tests/bots/judged/GAME.txt. Without a new number nothing is overwritten. Puzzles of another number fail a test, too:
`mekuri mine` finds new ones.
"""

from __future__ import annotations

import sys
from pathlib import Path

from bench.judge import FEW, SKILL, greedy_choice, own, played, prepared
from mekuri.bots import Budget
from mekuri.bots.ours import greedy
from mekuri.bots.review.confirm import judged
from mekuri.bots.review.version import JUDGE
from mekuri.bots.search.think import think
from mekuri.engine.chance import stream

FOLDER = Path(__file__).parents[1] / "tests" / "bots" / "judged"
POSITIONS = 50


def figures(game: str) -> list[str]:
    """Return a line for each decision: the round, the step, the action, its cost, and the value of each action, best first."""
    rules, lines, number = prepared(game), list[str](), 0
    while len(lines) < POSITIONS:
        open, found = own(played(rules, "pinned", number, greedy_choice), number)
        for one in found:
            cost = judged(one, open, Budget(FEW)).cost.mean
            tried = think(one.seen, stream("pinned", number, one.step), Budget(FEW), greedy.bot)
            values = " ".join(f"{each.action}:{each.mean:.4f}" for each in tried)
            lines.append(f"{number} {one.step} {one.action} {cost:.4f} {values}")
        number += 1
    return lines[:POSITIONS]


def pinned(game: str) -> tuple[str, list[str]]:
    """Return the number of the judge whose figures of a game are pinned, and the figures; empty if none are pinned."""
    path = FOLDER / f"{game}.txt"
    number, *lines = path.read_text("ascii").splitlines() if path.exists() else [""]
    return number, lines


def main() -> None:
    """Write the figures of all games of skill. Exits with an error if they have changed under the same number."""
    FOLDER.mkdir(exist_ok=True)
    for game in SKILL:
        now, (number, before) = figures(game), pinned(game)
        if number == JUDGE and now != before:
            sys.exit(f"the judge of {game} has changed: raise JUDGE in src/mekuri/bots/review/version.py first")
        (FOLDER / f"{game}.txt").write_text("\n".join([JUDGE, *now]) + "\n", "ascii")


if __name__ == "__main__":
    main()
