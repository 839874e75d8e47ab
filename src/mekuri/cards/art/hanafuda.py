"""The hanafuda pack, in the order of Nagoya: 2 is the willow, 6 the paulownia, 11 the peony, 12 the plum.

Flowers differ in shape, never in colour alone; the two chaff cards of a flower have different pictures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mekuri.cards.art.hanafuda_one_to_six import ONE_TO_SIX
from mekuri.cards.art.hanafuda_seven_to_twelve import SEVEN_TO_TWELVE
from mekuri.cards.art.hanafuda_things import back
from mekuri.cards.art.pack import Pack
from mekuri.cards.deck import ALL, CLUBS, COINS, SUITS, card, each, number, suit

FLOWERS = "松柳桜藤菖桐萩芒菊楓牡梅"  # one character for each number

FACES = ONE_TO_SIX + SEVEN_TO_TWELVE


def face(one: int) -> str:
    """The picture of a card, as SVG."""
    return FACES[number(one) - 1][suit(one)]()


def sign(one: int, style: str) -> str:
    """The text of a corner mark beside the number: the letter of the suit, or in the style `kanji` the flower's character."""
    return FLOWERS[number(one) - 1] if style == "kanji" else SUITS[suit(one)]


HANAFUDA = Pack(id="hanafuda", cards=each(ALL), face=face, back=back, sign=sign)


def _arranged(id: str, shown: Mapping[int, int]) -> Pack:
    """A pack with the same pictures in another order. `shown` maps a card to the card whose picture it has, where that differs."""
    order = [shown.get(one, one) for one in range(len(HANAFUDA.cards))]
    return replace(
        HANAFUDA,
        id=id,
        face=lambda one: face(order[one]),
        sign=lambda one, style: sign(order[one] if style == "kanji" else one, style),
    )


# In the order of the calendar: 2 is the plum, 6 the peony, 11 the willow, 12 the paulownia.
_MONTHS = {2: 12, 6: 11, 11: 2, 12: 6}
CALENDAR = _arranged(
    "hanafuda-calendar", {card(month, of): card(flower, of) for month, flower in _MONTHS.items() for of in range(len(SUITS))}
)
# In the order of Nagoya, with the Rain Man as the 2 of clubs and the swallow as the 2 of coins.
RAIN_MAN = _arranged("hanafuda-rain-man", {card(2, CLUBS): card(2, COINS), card(2, COINS): card(2, CLUBS)})
