"""Find the exact value of a position in which all seats see all cards. The same source runs plain and compiled.

One side maximizes its return while the others minimize it (alpha-beta), or each seat maximizes its own (max-n). Solved positions
are kept in a transposition table, by their fingerprints. Forced actions are done at once. Seats that act at the same time are taken
to act one after another, the lowest first, and to see the actions before theirs.
"""

from __future__ import annotations

from typing import Any

from mekuri.engine.called import act, choices_of, turn
from mekuri.engine.chance import fold
from mekuri.engine.compiled import bit, count, first, rule
from mekuri.engine.contract import DRIVER, LAST_WORD, over, returns, side_of, waiting
from mekuri.engine.entry import entry
from mekuri.engine.fields import RoundState, copy, fingerprint

DEPTH = 256  # the most decisions in a row, and the number of states to work in

# A decision of the present line (a frame), as places in its row of ints: the actions not tried yet, the seat that decides, the
# action being tried, the best action so far, the window (alpha, beta) now and as it was at first, the fingerprint of the position,
# 1 if that seat is of another side than the seat whose return is the value, the four words of luck; then the values of the best
# action.
LEFT, ASKED, ACTION, BEST, ALPHA, BETA, LEAST, MOST, KEY, AGAINST, LUCK = range(11)
VALUES = LUCK + 4

# A position in the table, likewise: its fingerprint, the kind of its values (exact or a bound), its best action, the values.
SAME, BOUND, FIRST, KNOWN = range(4)
EXACTLY, AT_LEAST, AT_MOST = 1, 2, 3

# The result of a search, likewise: how it ended, how many positions were looked at, the values.
STATUS, NODES, BROUGHT = range(3)
SOLVED, TOO_MANY, TOO_DEEP, SHUFFLED = range(4)

ACTIONS = LAST_WORD + 1
SIDES = 2  # the seat with its partners, and all others


@entry
def search(
    states: Any,
    seat: int,
    width: int,
    lucky: int,
    least: int,
    most: int,
    nodes: int,
    frames: Any,
    table: Any,
    cuts: Any,
    luck: Any,
    found: Any,
) -> None:
    """Find the value of a position if all seats play perfectly.

    Args:
        states: DEPTH states, the first the position, the others for workspace.
        seat: the seat whose return is the value, where `width` is 1.
        width: 1 if its partners maximize the seat's return and all others minimize it; the number of seats if each maximizes
            its own.
        lucky: 1 if cards may be shuffled, by `luck`; 0 if a search that needs a shuffle ends with SHUFFLED.
        least: the lower end of the window: a value below it may be reported as any value below it.
        most: the upper end, likewise.
        nodes: how many positions may be looked at.
        frames: workspace: DEPTH rows of VALUES + width ints.
        table: the transposition table: a power of two of rows of KNOWN + width ints. It may hold positions of earlier searches with
            equal seat, width and lucky.
        cuts: SIDES rows of ACTIONS ints: how much each action has cut off so far, for the order in which actions are tried.
        luck: four words, from which shuffles come.
        found: the result: STATUS, NODES, and width values from BROUGHT on.
    """
    frame, row = VALUES + width, KNOWN + width
    last = len(table) // row - 1
    frames[ALPHA], frames[BETA] = least, most
    found[STATUS], found[NODES] = SOLVED, 0
    depth, deeper = 0, True
    while True:
        s, at = states[depth], depth * frame
        if deeper:
            found[NODES] += 1
            if found[NODES] > nodes:
                found[STATUS] = TOO_MANY
            elif depth == DEPTH - 1:
                found[STATUS] = TOO_DEEP
            elif not go_on(s, lucky, luck):
                found[STATUS] = SHUFFLED
            if found[STATUS] != SOLVED:
                return
            if over(s):
                for i in range(width):
                    found[BROUGHT + i] = returns(s, seat if width == 1 else i)
                deeper = False
            else:
                begin(s, frames, at, seat, lucky, luck)
                deeper = not look_up(table, (frames[at + KEY] & last) * row, frames, at, width, found)
        else:
            weigh(frames, at, width, found)
            for i in range(4):
                luck[i] = frames[at + LUCK + i]
            if width == 1 and frames[at + ALPHA] >= frames[at + BETA]:
                cuts[frames[at + AGAINST] * ACTIONS + frames[at + BEST]] += 1 << max(0, 20 - depth)
                frames[at + LEFT] = 0
            deeper = frames[at + LEFT] != 0
            if not deeper:
                keep(table, (frames[at + KEY] & last) * row, frames, at, width)
                for i in range(width):
                    found[BROUGHT + i] = frames[at + VALUES + i]
        if deeper:
            choose(frames, at, cuts, frames[at + AGAINST] * ACTIONS)
            copy(states[depth + 1], s)
            act(states[depth + 1], frames[at + ASKED], frames[at + ACTION])
            frames[at + frame + ALPHA], frames[at + frame + BETA] = frames[at + ALPHA], frames[at + BETA]
            depth += 1
        elif depth == 0:
            return
        else:
            depth -= 1


@rule
def go_on(s: RoundState, lucky: int, luck: Any) -> bool:
    """Do forced actions and the driver's until a seat has a choice or the round is over; False if a forbidden shuffle is needed."""
    while not over(s):
        asked = first(waiting(s))
        if asked == DRIVER:
            if s.gathered and not lucky:
                return False
            turn(s, luck)
        else:
            choices = choices_of(s, asked)
            if count(choices) > 1:
                return True
            act(s, asked, first(choices))
    return True


@rule
def begin(s: RoundState, frames: Any, at: int, seat: int, lucky: int, luck: Any) -> None:
    """Fill the frame of a decision that comes next."""
    asked = first(waiting(s))
    key = fingerprint(s)
    for i in range(4):
        frames[at + LUCK + i] = luck[i]
        if lucky:
            key = fold(key, luck[i])
    frames[at + KEY] = key
    frames[at + ASKED], frames[at + LEFT] = asked, choices_of(s, asked)
    frames[at + AGAINST] = int(side_of(s, asked) != side_of(s, seat))
    frames[at + ACTION] = frames[at + BEST] = -1


@rule
def look_up(table: Any, entry: int, frames: Any, at: int, width: int, found: Any) -> bool:
    """Look a position up in the table. True where the value is found there, exact or outside of the window.

    Otherwise a bound in the table narrows the window, and the best action in it is tried first.
    """
    if table[entry + BOUND] and table[entry + SAME] == frames[at + KEY]:
        bound, value = table[entry + BOUND], table[entry + KNOWN]
        if bound == AT_LEAST:
            frames[at + ALPHA] = max(frames[at + ALPHA], value)
        elif bound == AT_MOST:
            frames[at + BETA] = min(frames[at + BETA], value)
        if bound == EXACTLY or (width == 1 and frames[at + ALPHA] >= frames[at + BETA]):
            for i in range(width):
                found[BROUGHT + i] = table[entry + KNOWN + i]
            return True
        frames[at + ACTION] = table[entry + FIRST]
    frames[at + LEAST], frames[at + MOST] = frames[at + ALPHA], frames[at + BETA]
    return False


@rule
def choose(frames: Any, at: int, cuts: Any, of_side: int) -> None:
    """Choose the next action to try: the best one by the table, else the one that has cut off most so far, else the lowest.

    With max-n nothing is cut off, so that of equal actions the lowest is the best.
    """
    left, chosen = frames[at + LEFT], frames[at + ACTION]
    if frames[at + BEST] >= 0 or chosen < 0:
        chosen, others = first(left), left & left - 1
        while others:
            if cuts[of_side + first(others)] > cuts[of_side + chosen]:
                chosen = first(others)
            others &= others - 1
    frames[at + ACTION] = chosen
    frames[at + LEFT] = left & ~bit(chosen)


@rule
def weigh(frames: Any, at: int, width: int, found: Any) -> None:
    """Compare the value of the action just tried with the best so far, and narrow the window."""
    against = width == 1 and frames[at + AGAINST] == 1
    own = 0 if width == 1 else frames[at + ASKED]
    value, best = found[BROUGHT + own], frames[at + VALUES + own]
    if frames[at + BEST] >= 0 and (value >= best if against else value <= best):
        return
    frames[at + BEST] = frames[at + ACTION]
    for i in range(width):
        frames[at + VALUES + i] = found[BROUGHT + i]
    if against:
        frames[at + BETA] = min(frames[at + BETA], value)
    elif width == 1:
        frames[at + ALPHA] = max(frames[at + ALPHA], value)


@rule
def keep(table: Any, entry: int, frames: Any, at: int, width: int) -> None:
    """Write the value of a position into the table."""
    bound, value = EXACTLY, frames[at + VALUES]
    if width == 1 and value <= frames[at + LEAST]:
        bound = AT_MOST
    elif width == 1 and value >= frames[at + MOST]:
        bound = AT_LEAST
    table[entry + SAME], table[entry + BOUND], table[entry + FIRST] = frames[at + KEY], bound, frames[at + BEST]
    for i in range(width):
        table[entry + KNOWN + i] = frames[at + VALUES + i]
