"""The 48 cards, the extra card, and sets of them.

A set uses bits 0..48 of a signed 64-bit int, so that `&`, `|`, `~` and `<<` mean the same in Python and in machine code.
"""

from functools import lru_cache
from operator import index

SUITS = "HIOK"  # hau (clubs), isu (swords), oru (coins), koppu (cups)
CLUBS, SWORDS, COINS, CUPS = range(4)
EXTRA = 48  # ghost or demon
NONE = -1  # no card, or a card that may not be seen
ALL = (1 << 48) - 1  # the set of the 48 numbered cards


def card(number: int, suit: int) -> int:
    """The card with a number (1..12) and a suit (0..3)."""
    return (number - 1) * 4 + suit


def number(card: int) -> int:
    """The number of a card, 1..12; 13 for the extra card."""
    return card // 4 + 1


def suit(card: int) -> int:
    """The suit of a card, 0..3."""
    return card % 4


def whole_number(number: int) -> int:
    """The set of the four cards of a number."""
    return 15 << (number - 1) * 4


@lru_cache(1 << 14)  # views for several viewers ask for the same sets
def each(cards: int) -> tuple[int, ...]:
    """The cards of a set (or the bits of any int), lowest first."""
    found = []
    cards = index(cards)
    while cards:
        found.append((cards & -cards).bit_length() - 1)
        cards &= cards - 1
    return tuple(found)
