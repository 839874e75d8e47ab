"""Learn during a search how the searching seat should play its own later turns in play-outs: by what has won most there so far.

A later choice is identified by the seat's own earlier actions in the play-out, its legal actions, and its usual action there, so
by nothing that the seat may not know by then. At a choice the usual action is done first, then every other action once, and then
the one with the highest mean, to which a bonus is added that shrinks as the action is tried more often.
"""

from __future__ import annotations

from typing import Any

from mekuri.engine.chance import fold
from mekuri.engine.compiled import first, rule

# The memory of a search, as places in a row of ints: the least and the most that a play-out has won; for the present play-out the
# key of its next choice, whether that choice is learned, the number of its choices so far, and the table rows of its actions; then
# the table.
LEAST, MOST, NODE, KNOWN, STEPS, PATH = range(6)
MOST_STEPS = 32
TABLE = PATH + MOST_STEPS
KEY, TIMES, BROUGHT = range(3)  # a table row: the key of an action at a choice, how often it was done, and the sum of what it won
ROW = 3

_PLACES = 8  # rows that are searched for a key
_HOPE = 2  # the bonus: so many times the range of results is added to the sum of what an action has won


def memory(playouts: int) -> list[int]:
    """Return the empty memory of a search of so many play-outs, each of which adds a row or two; without a table for 0."""
    return [0] * (TABLE + (ROW << min(16, (2 * playouts).bit_length()) if playouts else 0))


@rule
def place(kept: Any, key: int) -> int:
    """Return where the row of a key, or an empty row for it, begins; 0 where none of its places is free."""
    last = (len(kept) - TABLE) // ROW - 1
    for i in range(_PLACES):
        row = TABLE + (key + i & last) * ROW
        if kept[row + KEY] == key or kept[row + KEY] == 0:
            return row
    return 0


@rule
def begin(kept: Any, action: int) -> None:
    """Begin a play-out that starts with an action."""
    kept[NODE], kept[KNOWN], kept[STEPS] = action + 1, int(len(kept) > TABLE), 0


@rule
def go_on(kept: Any, choices: int, usual: int) -> int:
    """Return the seat's action at its next choice: a learned one, or the usual one where the choice is not learned yet.

    Args:
        kept: the memory.
        choices: the set of the legal actions.
        usual: the usual action.
    """
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
    """Return an untried action of a choice, or else the one with the highest mean and bonus."""
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
    """Add what the present play-out has won to all of its choices."""
    kept[LEAST], kept[MOST] = min(kept[LEAST], won), max(kept[MOST], won)
    for i in range(kept[STEPS]):
        row = kept[PATH + i]
        kept[row + TIMES] += 1
        kept[row + BROUGHT] += won
