"""The Fukutoku pack, as it was played with from the Hokuriku coast to Nagano: 48 cards and the red oni."""

from __future__ import annotations

from mekuri.cards.art.fukutoku_clubs import clubs
from mekuri.cards.art.fukutoku_coins import coins
from mekuri.cards.art.fukutoku_courts import COURTS
from mekuri.cards.art.fukutoku_cups import cups
from mekuri.cards.art.fukutoku_dragons import dragon
from mekuri.cards.art.fukutoku_oni import oni
from mekuri.cards.art.fukutoku_overprint import overprint
from mekuri.cards.art.fukutoku_swords import swords
from mekuri.cards.art.pack import Pack
from mekuri.cards.art.printing import back, printed
from mekuri.cards.art.suited import figure, sign
from mekuri.cards.deck import EXTRA
from mekuri.cards.notation import card_text

_PIPS = (clubs, swords, coins, cups)


def _face(card: int) -> str:
    return printed(card_text(card), [*figure(card, _PIPS, dragon, COURTS, oni), *overprint(card)])


def _sign(card: int, style: str) -> str:
    return sign(card, style, "鬼")


FUKUTOKU = Pack(id="fukutoku", cards=tuple(range(EXTRA + 1)), face=_face, back=back, sign=_sign)
