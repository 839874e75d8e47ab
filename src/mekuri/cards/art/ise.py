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
from mekuri.cards.art.printing import back, printed
from mekuri.cards.art.suited import figure, sign
from mekuri.cards.deck import EXTRA
from mekuri.cards.notation import card_text

_PIPS = (clubs, swords, coins, cups)


def _face(card: int) -> str:
    return printed(card_text(card), figure(card, _PIPS, dragon, COURTS, ghost))


def _sign(card: int, style: str) -> str:
    return sign(card, style, "化")


ISE = Pack(id="ise", cards=tuple(range(EXTRA + 1)), face=_face, back=back, sign=_sign)
