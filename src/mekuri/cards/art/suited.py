"""Shared by the packs of four suits: the sign of a corner mark, and the choice of the drawing for a card."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from mekuri.cards.art.printing import Mark
from mekuri.cards.deck import EXTRA, SUITS, number, suit

_KANJI = "棍剣貨杯"

Drawing = Callable[[int], list[Mark]]


def sign(card: int, style: str, extra: str) -> str:
    """The suit as a corner mark shows it beside the number, in a style. `extra` is the kanji of the extra card."""
    if card == EXTRA:
        return extra if style == "kanji" else "G"
    return _KANJI[suit(card)] if style == "kanji" else SUITS[suit(card)]


def figure(
    card: int, pips: Sequence[Drawing], dragon: Drawing, courts: Mapping[int, Drawing], extra: Callable[[], list[Mark]]
) -> list[Mark]:
    """The marks on a card, in the order of printing.

    Args:
        card: the card.
        pips: by suit, a function that draws a number of pips.
        dragon: a function that draws the 1 of a suit.
        courts: by number, a function that draws the court of a suit.
        extra: a function that draws the extra card.
    """
    count = number(card)
    if card == EXTRA:
        return extra()
    if count == 1:
        return dragon(suit(card))
    if count in courts:
        return courts[count](suit(card))
    return pips[suit(card)](count)
