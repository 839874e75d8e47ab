"""The dragons of Fukutoku, which are the ones: a solid black block between two red strips, in which a dragon lies.

Only a line of paper tells the dragon from the block. It holds the sign of its suit.
"""

from __future__ import annotations

from itertools import pairwise

from mekuri.cards.art.fukutoku_signs import sign
from mekuri.cards.art.printing import BLACK, PAPER, RED, Mark, draw, fill, lay
from mekuri.cards.art.strokes import Touch, across, bar, blob, box, brush, dabs, polygon
from mekuri.cards.deck import CLUBS, COINS, CUPS, SWORDS

# From the neck to the tip of the tail: clubs a swoop, swords a Z, coins a ring, cups an S.
_BODIES: dict[int, tuple[Touch, ...]] = {
    CLUBS: ((24 + 30j, 9), (40 + 26j, 12), (46 + 44j, 14), (44 + 64j, 16), (32 + 79j, 13), (16 + 80j, 7), (9 + 72j, 2)),
    SWORDS: (
        (24 + 30j, 9),
        (38 + 24j, 12),
        (48 + 34j, 13),
        (34 + 50j, 14),
        (17 + 66j, 14),
        (26 + 80j, 13),
        (42 + 79j, 8),
        (52 + 68j, 2),
    ),
    COINS: (
        (38 + 29j, 9),
        (22 + 29j, 12),
        (16 + 46j, 13),
        (17 + 66j, 14),
        (31 + 81j, 14),
        (45 + 68j, 13),
        (48 + 52j, 8),
        (45 + 42j, 2),
    ),
    CUPS: (
        (38 + 29j, 9),
        (22 + 23j, 12),
        (16 + 36j, 13),
        (30 + 49j, 14),
        (46 + 60j, 14),
        (42 + 78j, 13),
        (26 + 83j, 8),
        (12 + 78j, 2),
    ),
}
_HEADS = {
    CLUBS: (25 + 30j, -9.5 - 1j),
    SWORDS: (25 + 30j, -9.5 - 1j),
    COINS: (37 + 29j, 9.5 - 1j),
    CUPS: (37 + 29j, 9.5 - 1j),
}
_SIGNS = {
    CLUBS: (20 + 58j, 32),
    SWORDS: (44 + 62j, 30),
    COINS: (31 + 56j, 30),
    CUPS: (19 + 65j, 30),
}
_BACKS = {CLUBS: 1, SWORDS: 1, COINS: -1, CUPS: -1}  # on which side of the body the fins are


def dragon(suit: int) -> list[Mark]:
    """The dragon of a suit."""
    body = _BODIES[suit]
    return [
        fill(RED, bar(5 + 7j, 57 + 7j, 5), bar(57 + 95j, 5 + 95j, 5)),
        fill(BLACK, box(31 + 51j, 53, 78)),
        lay(RED, 1, *_fins(body, _BACKS[suit])),
        lay(BLACK, 1.6, brush(*body)),
        draw(PAPER, 1.6, dabs(*(point for point, _ in body[1:-1]))),
        *_head(*_HEADS[suit]),
        *sign(suit, *_SIGNS[suit]),
    ]


def _fins(body: tuple[Touch, ...], back: int) -> list[str]:
    """The jagged back: a fin between each two points on the way of the body."""
    fins = []
    for (point, breadth), (after, later) in pairwise(body[:-1]):
        way = (after - point) / abs(after - point)
        side = across(way) * back
        foot = (point + after) / 2 + side * (breadth + later) / 5
        fins.append(polygon(foot - way * 5, foot + side * 6 + way * 4, foot + way * 5))
    return fins


def _head(at: complex, size: complex) -> list[Mark]:
    """A head with its jaws open, looking along `size`; one that looks left is turned over, so that its horns stay up."""

    def placed(*points: complex) -> list[complex]:
        return [at + size * (point if size.real > 0 else point.conjugate()) for point in points]

    def drawn(points: list[complex], *breadths: float) -> str:
        return brush(*zip(points, breadths, strict=True))

    upper = blob(*placed(-1.1 - 0.2j, -0.6 - 1j, 0.4 - 0.9j, 0.9 - 0.8j, 1.8 - 0.9j, 1.7 - 0.1j, 0.7 - 0.1j, 0.1 + 0.3j))
    lower = blob(*placed(-1.1, 0.1 + 0.1j, 0.7 + 0.6j, 1.5 + 0.5j, 1.2 + 1.1j, 0.2 + 1j, -0.8 + 0.7j))
    horn = drawn(placed(-0.2 - 0.7j, -0.8 - 1.3j, -1.9 - 1.3j), 3.4, 3, 1)
    tongue = drawn(placed(0.25j, 1 + 0.25j, 1.95 + 0.1j), 2.6, 2.6, 1)
    (eye,) = placed(0.05 - 0.35j)
    return [
        lay(BLACK, 1.6, horn, lower, upper),
        fill(RED, tongue),
        draw(PAPER, 4.4, dabs(eye)),
        draw(RED, 2, dabs(eye)),
    ]
