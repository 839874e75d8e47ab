"""What comes of a position in which everybody sees all cards, exactly: one text, run plain or compiled.

One seat wants to win as much as it can, and the others want it to win as little as they can (alpha-beta), or each as much as it
can itself (max-n). Positions that have been worked out are kept in a table, by their fingerprints. What nobody chooses is done at
once. Seats that would act at the same moment act one after another, the lowest first, and see what has been done.
"""

from __future__ import annotations

from typing import Any

from mekuri.engine.called import act, choices_of, turn
from mekuri.engine.chance import fold
from mekuri.engine.compiled import bit, count, first, rule
from mekuri.engine.contract import DRIVER, LAST_WORD, over, returns, waiting
from mekuri.engine.entry import entry
from mekuri.engine.fields import RoundState, copy, fingerprint

DEPTH = 256  # decisions in a row that are looked at, and so states to work in

# A decision that is being looked at, as places in its row of ints: actions not tried yet, who is asked, the action on its way, the
# best so far, the window as it is now and as it was at first, the fingerprint, the luck; then what the best action brings.
LEFT, ASKED, ACTION, BEST, ALPHA, BETA, LEAST, MOST, KEY, LUCK = range(10)
VALUES = LUCK + 4

# A position in the table, likewise: its fingerprint, how its values are known, its best action, the values.
SAME, BOUND, FIRST, KNOWN = range(4)
EXACTLY, AT_LEAST, AT_MOST = 1, 2, 3

# What came of a search, likewise: how it ended, how many positions were looked at, the values.
STATUS, NODES, BROUGHT = range(3)
SOLVED, TOO_MANY, TOO_DEEP, SHUFFLED = range(4)

ACTIONS = LAST_WORD + 1
SIDES = 2  # the seat, and those against it


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
    """Work out what comes of a position if everybody plays as well as can be.

    Args:
        states: DEPTH states, the first the position.
        seat: whose return is looked at where `width` is 1.
        width: 1 for that, with all others against the seat; or the number of seats, each of which plays for itself.
        lucky: 1 where cards may be shuffled, by `luck`; else 0, and a search that comes to that ends.
        least, most: a value beyond these need not be told more exactly than that it is beyond.
        nodes: how many positions may be looked at.
        frames: DEPTH rows of VALUES + width ints, to work in.
        table: rows of KNOWN + width ints, a power of two of them: what is known from searches with equal seat, width and lucky.
        cuts: SIDES rows of ACTIONS ints: which actions have made others needless.
        luck: a row of four words, from which shuffles come.
        found: STATUS, NODES, and the values from BROUGHT on.
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
                begin(s, frames, at, lucky, luck)
                deeper = not look_up(table, (frames[at + KEY] & last) * row, frames, at, width, found)
        else:
            weigh(frames, at, seat, width, found)
            for i in range(4):
                luck[i] = frames[at + LUCK + i]
            if width == 1 and frames[at + ALPHA] >= frames[at + BETA]:
                cuts[side(frames, at, seat) * ACTIONS + frames[at + BEST]] += 1 << max(0, 20 - depth)
                frames[at + LEFT] = 0
            deeper = frames[at + LEFT] != 0
            if not deeper:
                keep(table, (frames[at + KEY] & last) * row, frames, at, width)
                for i in range(width):
                    found[BROUGHT + i] = frames[at + VALUES + i]
        if deeper:
            choose(frames, at, cuts, side(frames, at, seat) * ACTIONS)
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
    """Do what nobody chooses, until somebody has a choice or the round is over. False where cards are shuffled and may not be."""
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
def begin(s: RoundState, frames: Any, at: int, lucky: int, luck: Any) -> None:
    """Begin with a decision."""
    asked = first(waiting(s))
    key = fingerprint(s)
    for i in range(4):
        frames[at + LUCK + i] = luck[i]
        if lucky:
            key = fold(key, luck[i])
    frames[at + KEY] = key
    frames[at + ASKED], frames[at + LEFT] = asked, choices_of(s, asked)
    frames[at + ACTION] = frames[at + BEST] = -1


@rule
def look_up(table: Any, entry: int, frames: Any, at: int, width: int, found: Any) -> bool:
    """Whether the table says enough of a position. If not, what it says narrows the window, and its best action comes first."""
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
def side(frames: Any, at: int, seat: int) -> int:
    """0 where the seat itself is asked, 1 where another is."""
    return 0 if frames[at + ASKED] == seat else 1


@rule
def choose(frames: Any, at: int, cuts: Any, of_side: int) -> None:
    """Take an action that has not been tried: what was best before, else what has made most others needless, else the lowest.

    Where each plays for itself nothing is known of that, so of equal actions the lowest is the best.
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
def weigh(frames: Any, at: int, seat: int, width: int, found: Any) -> None:
    """Compare what an action has brought with the best so far."""
    against = width == 1 and frames[at + ASKED] != seat
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
    """Note what has been worked out of a position."""
    bound, value = EXACTLY, frames[at + VALUES]
    if width == 1 and value <= frames[at + LEAST]:
        bound = AT_MOST
    elif width == 1 and value >= frames[at + MOST]:
        bound = AT_LEAST
    table[entry + SAME], table[entry + BOUND], table[entry + FIRST] = frames[at + KEY], bound, frames[at + BEST]
    for i in range(width):
        table[entry + KNOWN + i] = frames[at + VALUES + i]
