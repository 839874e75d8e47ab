"""Rules of the side games that are bet on with the pack of 45 cards: three cards count by the last digit of their sum, as in kabu.

Numbers are those of the Nagoya order. The pack has only the clubs of the 6.
"""

from __future__ import annotations

from mekuri.cards import CLUBS, COINS, SWORDS, card, number
from mekuri.engine.compiled import bit, count, first, rule, shared_rule
from mekuri.engine.contract import Text

SIX = card(6, CLUBS)  # the only six in the pack
PACK = tuple(c for c in range(48) if number(c) != 6 or c == SIX)
MOST_NUMBER = 12

# --- Rows of three, and how strong they are ---

ROW = 3  # cards
TSUKE, ARASHI = 10, 11  # above every digit
COURT = 10  # what 11 and 12 count in a row
_ACES, _TWOS = 15 << card(1, CLUBS), 15 << card(2, CLUBS)


@shared_rule
def digit(cards: int, most: int) -> int:
    """The last digit of the sum of some cards' numbers; a number above `most` counts as `most`."""
    total = 0
    while cards:
        # hankan.cards.values, tokotoko.cards.values
        total += min(first(cards) // 4 + 1, most)
        cards &= cards - 1
    return total % 10


@rule
def strength(row: int) -> int:
    """The strength of a row of three cards: `ARASHI` for three of a number, `TSUKE` for 2, 2 and 1, else its digit, 0 to 9."""
    if row & ~(15 << (first(row) & ~3)) == 0:
        return ARASHI
    if count(row & _TWOS) == 2 and count(row & _ACES) == 1:
        return TSUKE
    return digit(row, COURT)


def rank(row: int) -> Text:
    """The text that tells how strong a row of three cards is."""
    strong = strength(row)
    names = {ARASHI: "arashi", TSUKE: "tsuke"}
    return Text(f"ranks.{names[strong]}", {}) if strong in names else Text("ranks.digit", {"number": strong})


@rule
def better(one: int, other: int, table: int) -> int:
    """Compare two rows of three cards by strength, then by card points.

    Args:
        one: the set of the first row's cards.
        other: the set of the second row's cards.
        table: the index in `VALUES` of the table of card points.

    Returns:
        1 if the first row is better, -1 if the second is, 0 if they are equal.
    """
    lead = strength(one) - strength(other)
    if lead == 0:
        lead = points_of(one, table) - points_of(other, table)
    return 1 if lead > 0 else -1 if lead < 0 else 0


# --- Card points: the tables of the games that are played with this pack ---

# Hon-bana's; 0 for every card that is not named.
_HON_BANA = (
    {card(n, CLUBS): 30 for n in (1, 3, 6, 8)}
    | {card(n, CLUBS): 20 for n in (5, 10, 12)}
    | {card(n, CLUBS): 10 for n in (2, 4, 7, 9, 11)}
    | {card(n, SWORDS): 5 for n in range(1, 13) if n != 6}
    | {card(8, SWORDS): 10, card(2, COINS): 10}
)
# Three readings of one other: in all of them the clubs count their number but for 1, 2 and 6; 15 for the 1, and 1 for every card
# that is not named. The first names the 2 of swords, the second the 2 of coins in its place, the third gives the 6 of clubs 1.
_CLUBS = {card(n, CLUBS): n for n in (3, 4, 5, 7, 8, 9, 10, 11, 12)} | {card(1, CLUBS): 15, card(2, CLUBS): 10}
_SWORDS = {card(1, SWORDS): 5, card(10, SWORDS): 10}
_READINGS = (
    _CLUBS | _SWORDS | {card(2, SWORDS): 10, card(6, CLUBS): 10},
    _CLUBS | _SWORDS | {card(2, COINS): 10, card(6, CLUBS): 10},
    _CLUBS | _SWORDS | {card(2, COINS): 10},
)
VALUES = (*(tuple(table.get(c, 1) for c in range(48)) for table in _READINGS), tuple(_HON_BANA.get(c, 0) for c in range(48)))
HON_BANA = len(VALUES) - 1  # the place of its table


@shared_rule
def points_of(cards: int, table: int) -> int:
    """The sum of the points of some cards in the table `VALUES[table]`."""
    points = 0
    while cards:
        points += VALUES[table][first(cards)]
        cards &= cards - 1
    return points


# --- The best three of four cards ---


@shared_rule
def left_out(cards: int) -> int:
    """The one of four cards, as a set, without which the other three have the best last digit; among equals the lowest card."""
    best, out, rest = -1, 0, cards
    while rest:
        one = bit(first(rest))
        rest &= rest - 1
        without = digit(cards & ~one, MOST_NUMBER)
        if without > best:
            best, out = without, one
    return out
