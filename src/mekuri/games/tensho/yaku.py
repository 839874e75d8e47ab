"""The table of the yaku of Tensho, in the order of the rule book, with their points in both sets."""

from __future__ import annotations

from typing import NamedTuple

from mekuri.cards import parse_cards
from mekuri.engine.compiled import bit

INSTANT = -1  # in place of points: the round is won at once


class Yaku(NamedTuple):
    """A yaku: its id, its cards, and its points in set one and in set two; 0 where the set does not have it."""

    id: str
    cards: str
    one: int
    two: int


# tensho.yaku.*
TABLE = (
    Yaku("front-one-two-three", "1I 2I 3I", 100, 100),
    Yaku("back-one-two-three", "1H 2H 3H", 50, 50),
    Yaku("front-one-two-ten", "1I 2I 10I", 100, 100),
    Yaku("back-one-two-ten", "1H 2H 10H", 50, 50),
    Yaku("front-three-four-five", "3I 4I 5I", 100, 100),
    Yaku("back-three-four-five", "3H 4H 5H", 50, 50),
    Yaku("front-nakazo", "7I 8I 9I", 100, 100),
    Yaku("back-nakazo", "7H 8H 9H", 50, 50),
    Yaku("front-ten-horse-king", "10I 11I 12I", 100, 100),
    Yaku("back-ten-horse-king", "10H 11H 12H", 50, 50),
    Yaku("front-nine-horse-three", "9I 11I 3I", 100, 100),
    Yaku("back-nine-horse-three", "9H 11H 3H", 50, 50),
    Yaku("front-seven-five-three", "7I 5I 3I", 100, 0),
    Yaku("back-seven-five-three", "7H 5H 3H", 50, 0),
    Yaku("front-eight-islands", "8I 4I 11I", 100, 0),
    Yaku("back-eight-islands", "8H 4H 11H", 50, 0),
    Yaku("front-four-horse-king", "4I 11I 12I", 100, 0),
    Yaku("back-four-horse-king", "4H 11H 12H", 50, 0),
    Yaku("front-eight-four-king", "8I 4I 12I", 100, 0),
    Yaku("back-eight-four-king", "8H 4H 12H", 50, 0),
    Yaku("front-eight-islands-king", "8I 4I 11I 12I", 300, 0),
    Yaku("back-eight-islands-king", "8H 4H 11H 12H", 150, 0),
    Yaku("front-young-woman", "7I 8I 10I", 0, 100),
    Yaku("back-young-woman", "7H 8H 10H", 0, 50),
    Yaku("front-old-woman", "8I 9I 10I", 0, 100),
    Yaku("back-old-woman", "8H 9H 10H", 0, 50),
    Yaku("front-women", "7I 8I 9I 10I", 0, 300),
    Yaku("back-women", "7H 8H 9H 10H", 0, 150),
    Yaku("front-elder", "5I 6H 10I", INSTANT, 100),
    Yaku("back-elder", "5H 6H 10H", 100, INSTANT),
    Yaku("red-four", "4I 6H 1H", 0, INSTANT),
)

IDS = tuple(yaku.id for yaku in TABLE)
CARDS = tuple(parse_cards(yaku.cards) for yaku in TABLE)
# The points and the instant wins of each set; nothing has index 0, before a set is chosen.
POINTS = tuple(
    tuple(max(points, 0) for points in row) for row in ((0,) * len(TABLE), [y.one for y in TABLE], [y.two for y in TABLE])
)
IN_SET = (0, sum(bit(i) for i, y in enumerate(TABLE) if y.one), sum(bit(i) for i, y in enumerate(TABLE) if y.two))
INSTANT_IN_SET = (0, sum(bit(i) for i, y in enumerate(TABLE) if y.one < 0), sum(bit(i) for i, y in enumerate(TABLE) if y.two < 0))

# option ten_nine_king: the indices of the two yaku, and their cards with a 9 in place of the horse
TEN_HORSE_KING = tuple(i for i, yaku in enumerate(TABLE) if "ten-horse-king" in yaku.id)
TEN_NINE_KING = (parse_cards("10I 9I 12I"), parse_cards("10H 9H 12H"))

# tensho.score.overlap: for each yaku the set of the yaku that hold all its cards and more
GREATER = tuple(sum(bit(j) for j, other in enumerate(CARDS) if other != cards and other & cards == cards) for cards in CARDS)

# The bounds of a seat's returns under any options: all points of set one, which are more than those of set two and more than an
# instant win may be agreed to count.
RETURNS_RANGE = (-sum(POINTS[1]), sum(POINTS[1]))
