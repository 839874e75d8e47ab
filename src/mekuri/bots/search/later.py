"""What a seat does later in its play-outs: what has brought it most there so far.

A choice is known by what the seat has chosen before it, by what it may do, and by what is usual there: by nothing that the seat may
not know when it comes to it. The first time the usual is done, then everything else once, then what brings most, what was seldom
done being thought the better of.
"""

from __future__ import annotations

from typing import Any

from mekuri.engine.chance import fold
from mekuri.engine.compiled import first, rule

# What is kept of a thought: the least and the most that a play-out has brought; of the present one by what its next choice is
# known, whether that is looked at, how many choices have been, and the rows of what was done; then a table of rows.
LEAST, MOST, NODE, KNOWN, STEPS, PATH = range(6)
MOST_STEPS = 32
TABLE = PATH + MOST_STEPS
KEY, TIMES, BROUGHT = range(3)  # what an action is known by, how often it was done, what that brought in all
ROW = 3

_PLACES = 8  # where a row may be
_HOPE = 2  # times what lies between the least and the most are added to what an action has brought


def memory(playouts: int) -> list[int]:
    """What is kept of a thought of so many play-outs, of which each adds a row or two; no table where there are none."""
    return [0] * (TABLE + (ROW << min(16, (2 * playouts).bit_length()) if playouts else 0))


@rule
def place(kept: Any, key: int) -> int:
    """The row of a key, or an empty one for it; 0 where the table is too full."""
    last = (len(kept) - TABLE) // ROW - 1
    for i in range(_PLACES):
        row = TABLE + (key + i & last) * ROW
        if kept[row + KEY] == key or kept[row + KEY] == 0:
            return row
    return 0


@rule
def begin(kept: Any, action: int) -> None:
    """Begin a play-out with an action."""
    kept[NODE], kept[KNOWN], kept[STEPS] = action + 1, int(len(kept) > TABLE), 0


@rule
def go_on(kept: Any, choices: int, usual: int) -> int:
    """What the seat does at its next choice, where that is looked at; else the usual."""
    if not kept[KNOWN]:
        return usual
    node = fold(fold(kept[NODE], choices), usual)
    action, row = usual, place(kept, fold(node, usual))
    kept[KNOWN] = int(row != 0 and kept[row + TIMES] != 0 and kept[STEPS] < MOST_STEPS - 1)
    if kept[KNOWN]:
        action = best_so_far(kept, node, choices, usual)
        row = place(kept, fold(node, action))
    if row:
        kept[NODE] = kept[row + KEY] = fold(node, action)
        kept[PATH + kept[STEPS]] = row
        kept[STEPS] += 1
    return action


@rule
def best_so_far(kept: Any, node: int, choices: int, usual: int) -> int:
    """What has brought most of what may be done at a choice."""
    hope, best, chosen = _HOPE * (kept[MOST] - kept[LEAST]), -(1 << 62), usual
    while choices:
        action = first(choices)
        choices &= choices - 1
        row = place(kept, fold(node, action))
        if row:
            times = kept[row + TIMES]
            if times == 0:
                return action
            value = (kept[row + BROUGHT] + hope << 8) // times
            if value > best:
                best, chosen = value, action
    return chosen


@rule
def learn(kept: Any, won: int) -> None:
    """Note what a play-out has brought."""
    kept[LEAST], kept[MOST] = min(kept[LEAST], won), max(kept[MOST], won)
    for i in range(kept[STEPS]):
        row = kept[PATH + i]
        kept[row + TIMES] += 1
        kept[row + BROUGHT] += won
