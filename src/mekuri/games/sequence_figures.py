"""The figures of a position in a sequence game, for its `prospect`. Numbers are counted from the top of the pile."""

from __future__ import annotations

from itertools import accumulate

from mekuri.cards import each
from mekuri.engine.compiled import count, first, has, rule
from mekuri.games.dealing import hand_size
from mekuri.games.sequence import HAND, ISE_GHOSTS, Phase, SequenceState, followers, next_numbers, top_numbers, whole

GHOSTS = each(ISE_GHOSTS)
NUMBERS = 12
SIZES = HAND + 1  # of a hand, with none
# How many steps each index of a table has; larger amounts count as the last of them.
TURNS = 6  # whether a card is about to be turned up, whose turn it is, and who draws when nobody discards
FEW, MANY = 3, 13
CHANCES = 4

# Every table is indexed with the turn, and then with these.
TABLES = (
    NUMBERS * 5 * 8 * 2,  # a number, its unseen cards, which of it and its neighbours are in hand, whether the other has many cards
    CHANCES * FEW << NUMBERS,  # how likely the other follows, the ghosts and the numbers in hand
    (FEW + 1) << NUMBERS,  # the other's cards, and the numbers in hand
    SIZES * SIZES * (FEW + 1) * 2,  # both hands' cards, the ghosts in hand, whether the top counts as several numbers
    SIZES * MANY,  # the other's cards, and the unseen cards that follow
    SIZES << len(GHOSTS),  # the cards and the ghosts in hand
    SIZES * (FEW + 1),  # the cards in hand, and how many of them repeat a number
)
STARTS = (0, *accumulate(TURNS * size for size in TABLES))
READ, FIGURES = NUMBERS + len(TABLES) - 1, STARTS[-1]


@rule
def turn_of(h: SequenceState, seat: int) -> int:
    """Whose turn it is, as the first index of each table."""
    if h.phase == Phase.TURN_UP or h.phase == Phase.RECYCLE:
        return 4 + int(h.turn == seat)
    return 2 * int(h.turn == seat) + int(h.drawer == seat)


@rule
def ahead(h: SequenceState, i: int) -> int:
    """The i-th number from the lowest one that follows the top of the pile, 0 to 11."""
    return (first(next_numbers(top_numbers(h))) // 4 + i) % NUMBERS


@rule
def holds(h: SequenceState, seat: int, number: int) -> int:
    """1 if a hand holds a number, 0 to 11, by a card that is no ghost; else 0."""
    return int(h.hand[seat] & ~ISE_GHOSTS & whole(number + 1) != 0)


@rule
def numbers_held(h: SequenceState, seat: int) -> int:
    """The numbers of a hand without its ghosts, as bits; bit 0 stands for the lowest number that follows the top of the pile."""
    held = 0
    for i in range(NUMBERS):
        held |= holds(h, seat, ahead(h, i)) << i
    return held


@rule
def ghosts_held(h: SequenceState, seat: int) -> int:
    """The ghosts in a hand, as bits."""
    held = 0
    for i in range(len(GHOSTS)):
        held |= has(h.hand[seat], GHOSTS[i]) << i
    return held


@rule
def unseen(h: SequenceState, seat: int) -> int:
    """The set of the cards that may lie in the other's hand."""
    return h.deck & ~(h.pile | h.hand[seat] | h.absent[1 - seat])


@rule
def chance_of(h: SequenceState, seat: int, other: int) -> int:
    """How likely the other holds a card that follows, in few steps, by how many it may be expected to hold."""
    following = count(unseen(h, seat) & followers(h))
    if following == 0:
        return 0
    expected = 100 * following * other // count(unseen(h, seat))
    return 1 if expected < 40 else 2 if expected < 90 else 3


@rule
def pile_figure(h: SequenceState, seat: int, i: int) -> int:
    """The index of the figure of the i-th number ahead, or of the table after these."""
    # A position may give a seat more cards than are dealt.
    own, other, turn = min(count(h.hand[seat]), HAND), min(hand_size(h, 1 - seat), HAND), turn_of(h, seat)
    if i < NUMBERS:
        number = ahead(h, i)
        left = count(h.deck & ~(h.pile | h.hand[seat]) & whole(number + 1))
        below, above = holds(h, seat, (number + NUMBERS - 1) % NUMBERS), holds(h, seat, (number + 1) % NUMBERS)
        held = below + 2 * holds(h, seat, number) + 4 * above
        return (((turn * NUMBERS + i) * 5 + left) * 8 + held) * 2 + int(other > 2)
    ghosts, table = count(h.hand[seat] & ISE_GHOSTS), i - NUMBERS + 1
    if table == 1:
        at = ((turn * CHANCES + chance_of(h, seat, other)) * FEW + min(ghosts, FEW - 1) << NUMBERS) + numbers_held(h, seat)
    elif table == 2:
        at = (turn * (FEW + 1) + min(max(other - 1, 0), FEW) << NUMBERS) + numbers_held(h, seat)
    elif table == 3:
        several = int(count(top_numbers(h)) > 4)
        at = (((turn * SIZES + own) * SIZES + other) * (FEW + 1) + min(ghosts, FEW)) * 2 + several
    elif table == 4:
        at = (turn * SIZES + other) * MANY + min(count(unseen(h, seat) & followers(h)), MANY - 1)
    elif table == 5:
        at = (turn * SIZES + own << len(GHOSTS)) + ghosts_held(h, seat)
    else:
        at = (turn * SIZES + own) * (FEW + 1) + min(count(h.hand[seat]) - ghosts - count(numbers_held(h, seat)), FEW)
    return STARTS[table] + at
