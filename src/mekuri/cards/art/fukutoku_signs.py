"""One large sign of each suit of Fukutoku, for the cards that have one figure: dragons and courts."""

from __future__ import annotations

from mekuri.cards.art.fukutoku_clubs import rods
from mekuri.cards.art.fukutoku_coins import discs_at
from mekuri.cards.art.fukutoku_cups import bulbs
from mekuri.cards.art.fukutoku_swords import blades
from mekuri.cards.art.printing import PAPER, Mark, fill
from mekuri.cards.art.strokes import bar, disc
from mekuri.cards.deck import CLUBS, COINS, SWORDS


def sign(suit: int, at: complex, size: float) -> list[Mark]:
    """The sign of a suit on a ground of paper; `size` is the height of a rod."""
    lean = size * (0.14 - 0.44j)
    if suit == CLUBS:
        return [fill(PAPER, bar(at - lean * 1.06, at + lean * 1.06, size * 0.42)), *rods(size * 0.26, (at - lean, at + lean))]
    if suit == SWORDS:
        pull = at - lean, at + lean * 0.5
        return [fill(PAPER, bar(at - lean * 1.06, at + lean * 1.2, size * 0.44)), *blades(size * 0.24, pull)]
    if suit == COINS:
        return discs_at(size * 0.36, at)
    return [fill(PAPER, disc(at, size * 0.46)), *bulbs(at + size * 0.14j, 1, size * 0.26)]
