"""The Ise pack, as it was played with around Nagoya: 48 cards and the ghost."""

from __future__ import annotations

from mekuri.cards.art.ise_clubs import clubs
from mekuri.cards.art.ise_coins import coins
from mekuri.cards.art.ise_courts import COURTS
from mekuri.cards.art.ise_cups import cups
from mekuri.cards.art.ise_dragons import dragon
from mekuri.cards.art.ise_ghost import ghost
from mekuri.cards.art.ise_swords import swords
from mekuri.cards.art.pack import Pack
from mekuri.cards.art.printing import Mark, back, printed
from mekuri.cards.deck import EXTRA, SUITS, number, suit
from mekuri.cards.notation import card_text

_PIPS = (clubs, swords, coins, cups)
_KANJI = "棍剣貨杯"


def _face(card: int) -> str:
    return printed(card_text(card), _marks(card))


def _marks(card: int) -> list[Mark]:
    """What is printed on a card, in the order of printing."""
    count = number(card)
    if card == EXTRA:
        return ghost()
    if count == 1:
        return dragon(suit(card))
    if count in COURTS:
        return COURTS[count](suit(card))
    return _PIPS[suit(card)](count)


def _sign(card: int, style: str) -> str:
    if card == EXTRA:
        return "化" if style == "kanji" else "G"
    return _KANJI[suit(card)] if style == "kanji" else SUITS[suit(card)]


ISE = Pack(id="ise", cards=tuple(range(EXTRA + 1)), face=_face, back=back, sign=_sign)
