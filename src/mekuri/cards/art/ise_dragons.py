"""The dragons of Ise, which are the ones: a fat black loop with a red wing, holding the sign of its suit."""

from __future__ import annotations

from mekuri.cards.art.ise_signs import sign
from mekuri.cards.art.printing import BLACK, PAPER, RED, Mark, draw, fill, lay
from mekuri.cards.art.strokes import Touch, blob, brush, dabs
from mekuri.cards.deck import CLUBS, COINS, CUPS, SWORDS

# From the neck to the tip of the tail: clubs a swoop, swords a Z, coins a ring, cups an S.
_BODIES: dict[int, tuple[Touch, ...]] = {
    CLUBS: ((22 + 20j, 8), (40 + 17j, 12), (50 + 38j, 16), (44 + 68j, 28), (31 + 87j, 20), (12 + 90j, 7), (6 + 84j, 2)),
    SWORDS: (
        (19 + 22j, 8),
        (36 + 14j, 12),
        (51 + 24j, 14),
        (34 + 46j, 17),
        (13 + 70j, 16),
        (22 + 88j, 14),
        (44 + 91j, 10),
        (56 + 82j, 2),
    ),
    COINS: (
        (40 + 25j, 8),
        (21 + 26j, 12),
        (11.5 + 46j, 14),
        (12.5 + 72j, 15),
        (31 + 91j, 17),
        (50 + 74j, 14),
        (52 + 52j, 9),
        (38 + 42j, 2),
    ),
    CUPS: (
        (44 + 21j, 8),
        (24 + 14j, 12),
        (11 + 32j, 14),
        (32 + 48j, 17),
        (51 + 62j, 15),
        (46 + 86j, 14),
        (24 + 93j, 9),
        (8 + 88j, 2),
    ),
}
_HEADS = {
    CLUBS: (22 + 22j, -9.2 - 2.6j),
    SWORDS: (20 + 25j, -8.6 - 3.4j),
    COINS: (41 + 25j, 9 - 0.6j),
    CUPS: (43 + 23j, 9 - 2.4j),
}
_WINGS = {
    CLUBS: (36 + 34j, -0.9 + 0.6j),
    SWORDS: (46 + 41j, 0.05 + 0.95j),
    COINS: (19 + 28j, -0.2 - 0.95j),
    CUPS: (28 + 42j, 0.9 - 0.45j),
}
_SIGNS = {
    CLUBS: (19 + 66j, 37),
    SWORDS: (14 + 50j, 30),
    COINS: (32 + 60j, 37),
    CUPS: (23 + 71j, 37),
}


def dragon(suit: int) -> list[Mark]:
    """The dragon of a suit."""
    body = _BODIES[suit]
    shadow = brush(*((point - 2.4 + 0.4j, breadth) for point, breadth in body))
    return [
        fill(RED, shadow),
        fill(BLACK, brush(*body)),
        draw(PAPER, 2.6, dabs(*(point for point, _ in body[1:-2]))),
        *_wing(*_WINGS[suit]),
        *_head(*_HEADS[suit]),
        *sign(suit, *_SIGNS[suit]),
    ]


def _wing(at: complex, way: complex) -> list[Mark]:
    """Three red feathers from a shoulder."""
    tips = [way * (1 + turn) for turn in (0.6j, 0, -0.6j)]
    return [lay(RED, 0.7, *(brush((at, 3), (at + tip * 12, 8), (at + tip * 19 + way, 1)) for tip in tips))]


def _head(at: complex, size: complex) -> list[Mark]:
    """A head with its jaws open, looking along `size`; one that looks left is turned over, so that its horns stay up."""

    def placed(*points: complex) -> list[complex]:
        return [at + size * (point if size.real > 0 else point.conjugate()) for point in points]

    def drawn(points: list[complex], *breadths: float) -> str:
        return brush(*zip(points, breadths, strict=True))

    upper = blob(*placed(-1.1 - 0.2j, -0.6 - 1j, 0.4 - 0.9j, 0.9 - 0.8j, 1.8 - 0.9j, 1.7 - 0.1j, 0.7 - 0.1j, 0.1 + 0.3j))
    lower = blob(*placed(-1.1, 0.1 + 0.1j, 0.7 + 0.6j, 1.5 + 0.5j, 1.2 + 1.1j, 0.2 + 1j, -0.8 + 0.7j))
    horns = [
        drawn(placed(-0.3 - 0.6j, -0.9 - 1.2j, -1.9 - 1.2j), 2.6, 2.4, 1),
        drawn(placed(0.2 - 0.7j, -0.2 - 1.3j, -1 - 1.7j), 2.6, 2.4, 1),
    ]
    tongue = drawn(placed(0.25j, 1 + 0.25j, 1.75 + 0.15j), 2, 2, 0.8)
    (eye,) = placed(0.05 - 0.35j)
    return [fill(BLACK, upper, lower, *horns), fill(RED, tongue), draw(PAPER, 4, dabs(eye)), draw(RED, 1.6, dabs(eye))]
