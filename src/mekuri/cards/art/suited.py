"""What the packs of four suits share: the mark in a corner, and which drawing a card has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from mekuri.cards.art.printing import Mark
from mekuri.cards.deck import EXTRA, SUITS, number, suit

_KANJI = "棍剣貨杯"

Drawing = Callable[[int], list[Mark]]


def sign(card: int, style: str, extra: str) -> str:
    """What a corner mark says beside the number: the suit. `extra` is the character of the extra card."""
    if card == EXTRA:
        return extra if style == "kanji" else "G"
    return _KANJI[suit(card)] if style == "kanji" else SUITS[suit(card)]


def figure(
    card: int, pips: Sequence[Drawing], dragon: Drawing, courts: Mapping[int, Drawing], extra: Callable[[], list[Mark]]
) -> list[Mark]:
    """What is printed on a card, in the order of printing: pips by suit and count, dragons and courts by their suit."""
    count = number(card)
    if card == EXTRA:
        return extra()
    if count == 1:
        return dragon(suit(card))
    if count in courts:
        return courts[count](suit(card))
    return pips[suit(card)](count)
