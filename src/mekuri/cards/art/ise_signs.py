"""One large sign of each suit of Ise, for the cards that have one figure: dragons and courts."""

from __future__ import annotations

from mekuri.cards.art.ise_clubs import rods
from mekuri.cards.art.ise_coins import coins_at
from mekuri.cards.art.ise_cups import lips
from mekuri.cards.art.ise_swords import blades
from mekuri.cards.art.printing import PAPER, Mark, draw
from mekuri.cards.art.strokes import line
from mekuri.cards.deck import CLUBS, COINS, SWORDS


def sign(suit: int, at: complex, size: float) -> list[Mark]:
    """A sign about `size` high, with a gap of paper round it. Swords come crossed; cups lie, and are about so broad."""
    if suit == CLUBS:
        lean = size * (0.26 - 0.45j)
        return rods(size * 0.29, (at - lean, at + lean))
    if suit == SWORDS:
        pulls = [(at - size * lean, at + size * lean) for lean in (-0.22 - 0.5j, 0.22 - 0.5j)]
        return [draw(PAPER, 5.4, *(line(*pull) for pull in pulls)), *blades(2.4, *pulls)]
    if suit == COINS:
        return coins_at(size * 0.27, at)
    return lips(at, 1, size * 0.8)
