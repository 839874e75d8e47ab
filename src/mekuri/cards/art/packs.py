"""The drawn packs, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from mekuri.cards.deck import ALL, CLUBS, COINS, EXTRA, SUITS, card, each, number, suit
from mekuri.cards.notation import card_text

_KANJI = "棍剣貨杯"  # one character for each suit
_FLOWERS = "松柳桜藤菖桐萩芒菊楓牡梅"  # one for each number, in the order of Nagoya


class UnknownPack(LookupError):
    """The name of no drawn pack."""


@dataclass(frozen=True)
class Pack:
    """A drawn pack of cards.

    Every drawing is SVG for a viewBox of 62 by 102 half millimetres, which is the whole card, without an `svg` element around it.

    Attributes:
        id: the pack's name.
        cards: the cards that it has.
        face: a function that draws the face of a card.
        back: a function that draws the back that all cards share.
        sign: a function that returns the text of a card's corner mark beside its number, in a style, `latin` or `kanji`.
    """

    id: str
    cards: tuple[int, ...]
    face: Callable[[int], str]
    back: Callable[[], str]
    sign: Callable[[int, str], str]


def _drawing(file: str, id: str) -> str:
    # Most programs that use Mekuri draw no card, and read no file.
    from mekuri.cards.art.drawings import drawing

    return drawing(file, id)


def _suited(id: str, extra: str) -> Pack:
    """Return a pack of four suits and an extra card, whose kanji is `extra`."""

    def sign(card: int, style: str) -> str:
        if card == EXTRA:
            return extra if style == "kanji" else "G"
        return (_KANJI if style == "kanji" else SUITS)[suit(card)]

    face, back = (lambda card: _drawing(id, card_text(card))), partial(_drawing, id, "back")
    return Pack(id=id, cards=tuple(range(EXTRA + 1)), face=face, back=back, sign=sign)


def _flowers(id: str, shown: Mapping[int, int]) -> Pack:
    """Return a pack of flowers. `shown` maps a card to the card whose picture it has in the order of Nagoya, if that differs."""

    def face(card: int) -> str:
        return _drawing("hanafuda", card_text(shown.get(card, card)))

    def sign(card: int, style: str) -> str:
        return _FLOWERS[number(shown.get(card, card)) - 1] if style == "kanji" else SUITS[suit(card)]

    return Pack(id=id, cards=each(ALL), face=face, back=partial(_drawing, "hanafuda", "back"), sign=sign)


# In the order of the calendar 2 is the plum, 6 the peony, 11 the willow, 12 the paulownia.
_MONTHS = {2: 12, 6: 11, 11: 2, 12: 6}
_CALENDAR = {card(month, of): card(flower, of) for month, flower in _MONTHS.items() for of in range(len(SUITS))}
# The Rain Man is the 2 of clubs, and the swallow the 2 of coins.
_RAIN_MAN = {card(2, CLUBS): card(2, COINS), card(2, COINS): card(2, CLUBS)}

_PACKS = {
    pack.id: pack
    for pack in (
        _suited("ise", "化"),
        _suited("fukutoku", "鬼"),
        _flowers("hanafuda", {}),
        _flowers("hanafuda-calendar", _CALENDAR),
        _flowers("hanafuda-rain-man", _RAIN_MAN),
    )
}


def pack_names() -> tuple[str, ...]:
    """The names of all packs."""
    return tuple(_PACKS)


def find_pack(name: str) -> Pack:
    """The pack with a name.

    Raises:
        UnknownPack: if there is no such pack.
    """
    if name not in _PACKS:
        raise UnknownPack(f"no pack called {name} is drawn; there are {', '.join(_PACKS)}")
    return _PACKS[name]
