"""The hanafuda pack, in the order of Nagoya: 2 is the willow, 6 the paulownia, 11 the peony, 12 the plum.

A flower is told by its shape, never by its colour alone; the two chaff cards of a flower are two pictures.
"""

from __future__ import annotations

from mekuri.cards.art.hanafuda_one_to_six import ONE_TO_SIX
from mekuri.cards.art.hanafuda_seven_to_twelve import SEVEN_TO_TWELVE
from mekuri.cards.art.hanafuda_things import back
from mekuri.cards.art.pack import Pack
from mekuri.cards.deck import ALL, SUITS, each, number, suit

FLOWERS = "松柳桜藤菖桐萩芒菊楓牡梅"  # one character for each number

FACES = ONE_TO_SIX + SEVEN_TO_TWELVE


def face(card: int) -> str:
    """The picture of a card."""
    return FACES[number(card) - 1][suit(card)]()


def sign(card: int, style: str) -> str:
    """What a corner mark says beside the number: the letter of the suit, or in kanji the flower."""
    return FLOWERS[number(card) - 1] if style == "kanji" else SUITS[suit(card)]


HANAFUDA = Pack(id="hanafuda", cards=tuple(each(ALL)), face=face, back=back, sign=sign)
