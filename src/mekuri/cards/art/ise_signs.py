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
    """The sign of a suit with a gap of paper around it; `size` is the height of a rod. Swords are crossed, and the cup lies."""
    if suit == CLUBS:
        lean = size * (0.2 - 0.46j)
        return rods(size * 0.3, (at - lean, at + lean))
    if suit == SWORDS:
        pulls = [(at - size * lean, at + size * lean) for lean in (-0.19 - 0.37j, 0.19 - 0.37j)]
        return [draw(PAPER, size * 0.13, *(line(*pull) for pull in pulls)), *blades(size * 0.085, *pulls)]
    if suit == COINS:
        return coins_at(size * 0.27, at)
    return lips(at - size * 0.06j, 1, size * 0.65, size * 0.38)
