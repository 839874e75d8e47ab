"""Play on from points of a game tree in all ways, until a seat chooses. The same source runs plain and compiled.

A card of the stock is drawn when the driver turns it up, once for each card that it may be, so the order of cards that never come
is not played out.
"""

from __future__ import annotations

from typing import Any

from mekuri.engine.called import act, asked_of, at_once, choices_of, legal_of
from mekuri.engine.chance import fold
from mekuri.engine.compiled import bit, count, first, rule
from mekuri.engine.contract import DRIVER, over, returns
from mekuri.engine.driver import see
from mekuri.engine.entry import entry
from mekuri.engine.fields import RoundState, copy, fingerprint

# A point of the tree, as places in its row of ints: the input that it comes from; its share of that input, of WHOLE; hashes of the
# responder's past and of the last that it has seen; the cards that may still come from the stock; the seat that chooses; its
# choices; and a hash of what it sees.
FROM, SHARE, PAST, LAST, POOL, ASKED, CHOICES, SEES = range(8)
ROW = 8
WHOLE = 2**8 * 3**4 * 5**2 * 7 * 11 * 13 * 17 * 19 * 23 * 29  # most shares divide it, so that rounding is below 10**-12

# The states to work in: the present one, one to try an action on, what a seat sees, two for greed; then the points that are open.
NOW, TRIAL, VIEW, ONE, TWO, OPEN = range(6)

# How the policy is found: the tree stops where it is asked, or all that `greedy` may choose, or all choices have equal shares.
ASK, GREED, BLIND = range(3)
NOTHING = -1  # no action: the position is played on as it stands
FULL, SHUFFLED, TOO_WIDE = -1, -2, -3


@entry
def unfold(
    states: Any,
    rows: Any,
    places: Any,
    actions: Any,
    begin: int,
    seat: int,
    chooses: int,
    opened: int,
    policy: int,
    until: int,
    work: Any,
    lines: Any,
    totals: Any,
    found: Any,
    found_rows: Any,
    sizes: Any,
) -> int:
    """Do actions at points of the tree, and play on until the responder or an asked bot chooses, or the round is over.

    Args:
        states: states of the points.
        rows: ROW ints for each of these states.
        places: for each input its place in `states`.
        actions: for each input an action of the seat that is asked there, or NOTHING.
        begin: the first input to do.
        seat: the responder.
        chooses: 1 if the responder chooses; 0 if it plays by the policy.
        opened: 1 if the responder sees what every seat sees; else 0.
        policy: ASK, GREED or BLIND.
        until: the last turn; a round that goes on after it brings nothing.
        work: states of workspace: OPEN, and one for each point that may be open at once.
        lines: a row of ROW ints for each of these points.
        totals: for each input the sum of the responder's returns in its rounds, each times its share.
        found: room for the points at which a seat chooses.
        found_rows: their rows.
        sizes: one int: how many points have been found.

    Returns:
        The first input that has not been done, for lack of room in `found`; FULL, SHUFFLED or TOO_WIDE if an input cannot be done.
    """
    sizes[0] = 0
    for i in range(begin, len(places)):
        before, at = sizes[0], places[i] * ROW
        copy(work[OPEN], states[places[i]])
        lines[SHARE], lines[PAST], lines[LAST], lines[POOL] = WHOLE, rows[at + PAST], rows[at + LAST], rows[at + POOL]
        totals[i], left = 0, 1
        if actions[i] != NOTHING:
            act(work[OPEN], rows[at + ASKED], actions[i])
            watch(work[OPEN], seat, opened, work[VIEW], lines, 0)
        while left:
            left = go_on(work, lines, left - 1, i, seat, chooses, opened, policy, until, totals, found, found_rows, sizes)
            if left == FULL:
                sizes[0] = before
                return i if i > begin else FULL
            if left < 0:
                return left
    return len(places)


@rule
def go_on(
    work: Any,
    lines: Any,
    line: int,
    i: int,
    seat: int,
    chooses: int,
    opened: int,
    policy: int,
    until: int,
    totals: Any,
    found: Any,
    found_rows: Any,
    sizes: Any,
) -> int:
    """Play the open point `line`, the last one, until there is a choice or a card to draw, and put what follows in its place.

    Returns:
        How many points are open then; or FULL, SHUFFLED or TOO_WIDE. All arguments are those of `unfold`.
    """
    s, at = work[NOW], line * ROW
    copy(s, work[OPEN + line])
    while True:
        if over(s) or s.turns > until:
            totals[i] += lines[at + SHARE] * returns(s, seat) if over(s) else 0
            return line
        who = first(asked_of(s))
        if who == DRIVER:
            if s.gathered:
                return SHUFFLED
            left, action = lines[at + POOL], first(legal_of(s, DRIVER))
            # Whether this draws a card shows when it is done.
            copy(work[TRIAL], s)
            if s.stock:
                work[TRIAL].pack[s.stock - 1] = first(left)
            act(work[TRIAL], DRIVER, action)
            drawn = s.stock - work[TRIAL].stock
            if drawn > 1:
                return TOO_WIDE
            if drawn <= 0:
                left, drawn = bit(action), 0
        else:
            left, drawn = choices_of(s, who), 0
            if count(left) > 1:
                see(s, who, work[VIEW])
                if (who == seat and chooses) or policy == ASK:
                    return keep(s, who, left, lines, at, i, work[VIEW], found, found_rows, sizes, line)
                if policy == GREED:
                    left = greedy_choices(work[VIEW], who, work[ONE], work[TWO])
        n = count(left)
        if n > 1:
            break
        if drawn:
            s.pack[s.stock - 1] = first(left)
            lines[at + POOL] = 0
        act(s, who, action if drawn else first(left))
        if not over(s):
            watch(s, seat, opened, work[VIEW], lines, at)
    if OPEN + line + n > len(work):
        return TOO_WIDE
    share, past, last, pool = lines[at + SHARE] // n, lines[at + PAST], lines[at + LAST], lines[at + POOL]
    while left:
        one = first(left)
        left &= left - 1
        new, at = work[OPEN + line], line * ROW
        copy(new, s)
        if drawn:
            new.pack[s.stock - 1] = one
        act(new, who, action if drawn else one)
        if over(new):
            totals[i] += share * returns(new, seat)
        else:
            lines[at + SHARE], lines[at + PAST], lines[at + LAST] = share, past, last
            lines[at + POOL] = pool & ~bit(one) if drawn else pool
            watch(new, seat, opened, work[VIEW], lines, at)
            line += 1
    return line


@rule
def keep(
    s: RoundState,
    who: int,
    choices: int,
    lines: Any,
    at: int,
    i: int,
    view: RoundState,
    found: Any,
    found_rows: Any,
    sizes: Any,
    line: int,
) -> int:
    """Add a point at which a seat chooses to those found. Returns `line`, or FULL where there is no room."""
    if sizes[0] == len(found):
        return FULL
    copy(found[sizes[0]], s)
    to = sizes[0] * ROW
    found_rows[to + FROM], found_rows[to + SHARE] = i, lines[at + SHARE]
    found_rows[to + PAST], found_rows[to + LAST], found_rows[to + POOL] = lines[at + PAST], lines[at + LAST], lines[at + POOL]
    found_rows[to + ASKED], found_rows[to + CHOICES], found_rows[to + SEES] = who, choices, fingerprint(view)
    sizes[0] += 1
    return line


@rule
def watch(s: RoundState, seat: int, opened: int, view: RoundState, lines: Any, at: int) -> None:
    """Add to the responder's past what it sees after an action, if it has changed."""
    see(s, seat, view)
    seen = fingerprint(view)
    if opened:
        for other in range(s.seats):
            if other != seat:
                see(s, other, view)
                # Mixed before the next is added: two seats without hands see the same, and would cancel out.
                seen = fold(fold(0, seen), fingerprint(view))
    if seen != lines[at + LAST]:
        lines[at + PAST] = fold(lines[at + PAST], seen)
        lines[at + LAST] = seen


@rule
def greedy_choices(h: RoundState, seat: int, one: RoundState, two: RoundState) -> int:
    """The set of the actions of which `greedy` chooses each equally often."""
    left, best, equals = choices_of(h, seat), -(1 << 62), 0
    while left:
        action = first(left)
        left &= left - 1
        value = at_once(h, seat, action, False, one, two)
        if value > best:
            best, equals = value, 0
        if value == best:
            equals |= bit(action)
    return equals
