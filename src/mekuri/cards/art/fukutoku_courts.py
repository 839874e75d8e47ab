"""The courts of Fukutoku: the maid (10) as two leaning lobes, the horse (11) as a mask, the king (12) as a bowl.

A body is cut in quarters, and each quarter is painted as its suit is: clubs black, swords red with a black outline, coins red on
the left and black on the right, cups black above and red below.
"""

from __future__ import annotations

from mekuri.cards.art.fukutoku_signs import sign
from mekuri.cards.art.printing import BLACK, PAPER, RED, Mark, draw, fill, lay
from mekuri.cards.art.strokes import bar, blob, brush, dabs, disc, line, mirrored, polygon
from mekuri.cards.art.svg import WIDTH
from mekuri.cards.deck import CLUBS, COINS, CUPS, SWORDS

Quarter = tuple[complex, ...]

# How the quarters of a body are painted: the upper left and right, the lower left and right.
_PAINTS = {
    CLUBS: (BLACK, BLACK, BLACK, BLACK),
    SWORDS: (RED, RED, RED, RED),
    COINS: (RED, BLACK, RED, BLACK),
    CUPS: (BLACK, BLACK, RED, RED),
}
_OTHER = {BLACK: RED, RED: BLACK}

# The left quarters, upper and lower; the right ones mirror them.
_LOBES: tuple[Quarter, Quarter] = (
    (30 + 27j, 16 + 28j, 5 + 40j, 3 + 60j, 14 + 61j, 26 + 61j, 29 + 44j),
    (4 + 63j, 14 + 63j, 27 + 63j, 28 + 80j, 31 + 97j, 20 + 98j, 7 + 97j, 3 + 80j),
)
_MASK: tuple[Quarter, Quarter] = (
    (30.5 + 13j, 30.5 + 13j, 25 + 13j, 22 + 12j, 21 + 2j, 16 + 4j, 15 + 14j, 9 + 27j, 15 + 51j, 16 + 51j, 30.5 + 51j, 30.5 + 51j),
    (30.5 + 53j, 30.5 + 53j, 17 + 53j, 16 + 54j, 11 + 66j, 16 + 73j, 30.5 + 72j, 30.5 + 72j),
)
_BOWL: tuple[Quarter, Quarter] = (
    (30.5 + 48j, 30.5 + 48j, 4.5 + 48j, 4.5 + 48j, 4.5 + 67j, 4.5 + 67j, 30.5 + 67j, 30.5 + 67j),
    (30.5 + 69j, 30.5 + 69j, 4.5 + 69j, 4.5 + 69j, 5 + 85j, 14 + 98j, 30.5 + 98j, 30.5 + 98j),
)


def maid(suit: int) -> list[Mark]:
    """Two leaning lobes, which are her sleeves and skirts, with stripes across the skirts."""
    hair = blob(31 + 3j, 47 + 6j, 48 + 22j, 42 + 28j, 20 + 28j, 14 + 22j, 15 + 6j)
    return [
        *_body(suit, _LOBES),
        *_across(suit, 2.6, *((6 + y * 1j, 24 + (y + 3) * 1j) for y in (70, 79, 88))),
        fill(BLACK, hair),
        *_face(31 + 18j, 8),
        *sign(suit, 31 + 60j, 38),
    ]


def horse(suit: int) -> list[Mark]:
    """A mask with a forelock, eyes and nostrils, which is the horse from the front, over stripes. Those of cups lie."""
    upright = [bar(x + 52j, x + 97j, 4.6) for x in (6.5, 15, 23.5, 38.5, 47, 55.5)]
    lying = [bar(4.5 + y * 1j, 57.5 + y * 1j, 5) for y in (56, 66, 76, 86, 96)]
    forelock = [brush((31 + 9j, 3), (31 + lean + 18j, 5), (31 + lean * 1.4 + 32j, 1)) for lean in (-4, 0, 4)]
    return [
        fill(RED, *(lying if suit == CUPS else upright)),
        *_body(suit, _MASK),
        lay(_OTHER[_PAINTS[suit][0]], 0.8, *forelock),
        draw(PAPER, 6.5, dabs(17 + 28j, 44 + 28j)),
        draw(BLACK, 2.8, dabs(18 + 29j, 43 + 29j)),
        draw(PAPER, 2.8, line(21 + 62j, 24 + 66j), line(41 + 62j, 38 + 66j)),
        *sign(suit, 31 + 83j, 29),
    ]


def king(suit: int) -> list[Mark]:
    """A bowl with a slit, which is his lap as he sits, under a red and white line."""
    crown = polygon(12 + 22j, 9 + 6j, 21 + 14j, 31 + 4j, 41 + 14j, 53 + 6j, 50 + 22j)
    beard = blob(21 + 24j, 41 + 24j, 41 + 33j, 31 + 44j, 21 + 33j)
    return [
        fill(BLACK, crown, beard),
        *_face(31 + 26j, 7.5),
        fill(RED, bar(4 + 42j, 58 + 42j, 5)),
        *_body(suit, _BOWL),
        *_across(suit, 2.8, (22 + 93j, 30 + 93j)),
        *sign(suit, 31 + 70j, 36),
    ]


COURTS = {10: maid, 11: horse, 12: king}


def _body(suit: int, left: tuple[Quarter, Quarter]) -> list[Mark]:
    """A body, painted as its suit is."""
    upper, lower = left
    quarters = [quarter for row in (upper, lower) for quarter in (row, [WIDTH - point.conjugate() for point in row])]
    marks = []
    for paint, quarter in zip(_PAINTS[suit], quarters, strict=True):
        shape = blob(*quarter)
        marks.append(lay(paint, 1, shape))
        if suit == SWORDS:
            marks.append(draw(BLACK, 1.4, shape))
    return marks


def _across(suit: int, breadth: float, *lines: tuple[complex, complex]) -> list[Mark]:
    """Lines on the lower left quarter, and the same mirrored, in the colour that the quarter has not."""
    left, right = (_OTHER[paint] for paint in _PAINTS[suit][2:])
    return [
        draw(left, breadth, *(line(*pull) for pull in lines)),
        draw(right, breadth, *(line(*mirrored(pull)) for pull in lines)),
    ]


def _face(at: complex, size: float) -> list[Mark]:
    """A face of a few lines."""
    eyes = line(at - size * 0.6, at - size * 0.2), line(at + size * 0.2, at + size * 0.6)
    return [
        fill(PAPER, disc(at, size)),
        draw(BLACK, 1.2, disc(at, size), *eyes),
        draw(RED, size * 0.32, dabs(at + size * 0.5j)),
    ]
