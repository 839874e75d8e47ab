"""Cards and sets of cards as plain ints, their notation, and the values `Card` and `Cards` that print as notation.

A card is an int, `(number - 1) * 4 + suit`, with numbers 1..12 and suits 0..3 (clubs, swords, coins, cups); 48 is the
extra card (ghost, demon). A set of cards is one int whose bit *c* stands for card *c*.
"""

from mekuri.cards.deck import ALL, CLUBS, COINS, CUPS, EXTRA, NONE, SUITS, SWORDS, card, each, number, suit, whole_number
from mekuri.cards.notation import NotationError, card_text, cards_text, parse_card, parse_cards, parse_row
from mekuri.cards.values import Card, Cards

__all__ = [
    "ALL",
    "CLUBS",
    "COINS",
    "CUPS",
    "EXTRA",
    "NONE",
    "SUITS",
    "SWORDS",
    "Card",
    "Cards",
    "NotationError",
    "card",
    "card_text",
    "cards_text",
    "each",
    "number",
    "parse_card",
    "parse_cards",
    "parse_row",
    "suit",
    "whole_number",
]
