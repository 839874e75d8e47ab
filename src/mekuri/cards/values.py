"""Cards and sets of cards as values: the numbers that the rules use, which print and travel as notation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mekuri.cards.deck import EXTRA, NONE, each
from mekuri.cards.notation import card_text, cards_text, parse_card


class Card(int):
    """A card: its number, which prints as notation. In arithmetic it is a plain int."""

    __slots__ = ()

    def __str__(self) -> str:
        """Return the card in notation, such as `7I`."""
        return card_text(self)


CARDS = {number: Card(number) for number in range(NONE, EXTRA + 1)}  # each card by its number
_NAMED = {str(card): card for number, card in CARDS.items() if number != NONE}


def card_named(text: str) -> Card:
    """Return the card that a text names. Raises NotationError if it names no card, or several."""
    return _NAMED.get(text) or CARDS[parse_card(text)]


class Cards(int):
    """A set of cards: an int whose bit c stands for card c. It iterates lowest first and prints as notation.

    In arithmetic it is a plain int: `Cards(one & ~other)` is a set again.
    """

    __slots__ = ()

    @classmethod
    def of(cls, cards: Iterable[int]) -> Cards:
        """Return the set of some cards."""
        found = 0
        for card in cards:
            found |= 1 << card
        return cls(found)

    def __iter__(self) -> Iterator[Card]:
        """Iterate over the cards, lowest first."""
        return map(CARDS.__getitem__, each(self))

    def __contains__(self, card: int) -> bool:
        """Return whether a card is in the set."""
        return bool(self >> card & 1)

    def __len__(self) -> int:
        """Return the number of cards."""
        return self.bit_count()

    def __str__(self) -> str:
        """Return the cards in notation, such as `7I 7O`; `-` for the empty set."""
        return cards_text(self)

    def __repr__(self) -> str:
        """Return the set as it is written in Python."""
        return f"Cards.of([{', '.join(map(int.__repr__, each(self)))}])"
