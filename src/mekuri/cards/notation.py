"""Cards as text: a number and a suit letter, `7I` for the 7 of swords, `12H` for the king of clubs, `G` for the extra card."""

import re

from mekuri.cards.deck import EXTRA, NONE, SUITS, card, each, number, suit
from mekuri.cards.given import typed

# The text of every card, indexed by the card. NONE is -1, so it finds the last text.
_TEXTS = (*(f"{number(card)}{SUITS[suit(card)]}" for card in range(EXTRA)), "G", "?")
_CARD = re.compile(r"(1[0-2]|[1-9])([HIOK])|(G)|(\?)", re.IGNORECASE)


class NotationError(ValueError):
    """A text that names no card."""


def card_text(card: int) -> str:
    """The notation of a card; `?` for NONE, a card that may not be seen."""
    return _TEXTS[card]


def cards_text(cards: int) -> str:
    """The notation of a set of cards, lowest first; `-` for the empty set."""
    return " ".join(card_text(c) for c in each(cards)) or "-"


def parse_row(text: str) -> list[int]:
    """The cards that a text names, in its order. Spaces between cards may be left out; `-` is no card, and `?` is NONE.

    Full-width digits and letters count as the usual ones.

    Raises:
        NotationError: if a part of the text is no card.
    """
    row: list[int] = []
    rest = typed(text).strip()
    if rest == "-":
        return row
    while rest:
        found = _CARD.match(rest)
        if not found:
            raise NotationError(
                f"{rest.split()[0]!r} is no card: write a number 1 to 12 and a suit H, I, O or K, or G for the extra card"
            )
        if found[3]:
            row.append(EXTRA)
        elif found[4]:
            row.append(NONE)
        else:
            row.append(card(int(found[1]), SUITS.index(found[2].upper())))
        rest = rest[found.end() :].lstrip()
    return row


def parse_card(text: str) -> int:
    """The one card that a text names.

    Raises:
        NotationError: if the text names no card, several cards, or `?`.
    """
    row = parse_row(text)
    if len(row) != 1 or row[0] == NONE:
        raise NotationError(f"{text!r} is not one card, such as 7I or 12H")
    return row[0]


def parse_cards(text: str) -> int:
    """The set of cards that a text names.

    Raises:
        NotationError: if a part of the text is no card, if one is `?`, or if one stands twice.
    """
    cards = 0
    for one in parse_row(text):
        if one == NONE or cards >> one & 1:
            raise NotationError(f"{card_text(one)} cannot stand in a set" if one == NONE else f"{card_text(one)} stands twice")
        cards |= 1 << one
    return cards
