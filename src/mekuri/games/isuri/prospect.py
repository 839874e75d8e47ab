"""The prospect of a seat in Isuri: a linear formula of its cards and the turn, fitted to the results of played rounds."""

from __future__ import annotations

from mekuri.cards import NONE
from mekuri.engine.compiled import count, rule
from mekuri.games.dealing import hand_size
from mekuri.games.isuri.scoring import POINTS
from mekuri.games.isuri.state import IsuriState
from mekuri.games.sequence import GHOST_KINDS, NAMES, Phase, counting_as, next_numbers, top_numbers, whole

# Weights in hundredths of a point, fitted by least squares to the results of rounds against `greedy`. The first of each pair holds
# in the other seat's turn, the second in the seat's own.
TURN = (-484, 3096)
OWN_CARD, OTHER_CARD = (-86, -1078), (-1024, -1262)
DRAWS_NEXT = (1978, -28)
GHOST, POINT = (1594, 2908), (108, 160)
NEIGHBOURS = (1006, 1276)  # two numbers in a row
GOES_ON = (-466, 1308)  # a card of the next number
OTHER_GOES_ON = (-12, 4)  # for each hundredth of a card that follows which the other seat is expected to hold


@rule
def ghosts(h: IsuriState) -> int:
    """The set of the cards that count as other numbers than their own in a hand."""
    found = 0
    for kind in range(GHOST_KINDS):
        if h.ghost_drawn[kind] == 0:
            found |= h.ghost_cards[kind]
    return found


@rule
def numbers_in(cards: int) -> int:
    """The numbers of some cards, each as its card of clubs."""
    return (cards | cards >> 1 | cards >> 2 | cards >> 3) & NAMES


@rule
def prospect(h: IsuriState, seat: int) -> int:
    """The gain that a seat expects beyond its lead over the other, in hundredths of a point; at the end, the pot."""
    if h.phase == Phase.OVER:
        pot = 100 * (h.stakes[0] + h.stakes[1])
        return pot if h.turn == seat else -pot
    if h.top == NONE:
        return 0  # nothing has been dealt
    own = 1 if h.turn == seat else 0
    other, tops = hand_size(h, 1 - seat), top_numbers(h)
    hoped = TURN[own] + OTHER_CARD[own] * other + (DRAWS_NEXT[own] if h.drawer == seat else 0)
    hand, naturals = h.hand[seat], h.hand[seat] & ~ghosts(h)
    hoped += OWN_CARD[own] * count(hand) + GHOST[own] * count(hand & ~naturals)
    for number in range(12):
        hoped += POINT[own] * POINTS[number] * count(hand & whole(number + 1))
    hoped += NEIGHBOURS[own] * count(numbers_in(naturals) & next_numbers(numbers_in(naturals)))
    if count(tops) == 4 and naturals & next_numbers(tops):
        hoped += GOES_ON[own]
    unseen = h.deck & ~(h.pile | h.hand[seat] | h.absent[1 - seat])
    following = unseen & counting_as(h, next_numbers(tops))
    return hoped + OTHER_GOES_ON[own] * (100 * count(following) * other // max(1, count(unseen)))
