"""The courts of Ise: the maid (10), the horse (11) and the king (12), told apart by the sweep of a few broad strokes."""

from __future__ import annotations

from mekuri.cards.art.ise_signs import sign
from mekuri.cards.art.printing import BLACK, PAPER, RED, Mark, draw, fill, lay
from mekuri.cards.art.strokes import Touch, bar, blob, brush, dabs, line

_ROBE: tuple[Touch, ...] = (
    (19 + 36j, 6),
    (12 + 52j, 9),
    (11 + 78j, 11),
    (31 + 98j, 14),
    (51 + 78j, 11),
    (50 + 52j, 9),
    (44 + 35j, 5),
)
_HORSE: tuple[Touch, ...] = (
    (55 + 84j, 2),
    (56 + 62j, 7),
    (44 + 54j, 15),
    (29 + 58j, 15),
    (17 + 46j, 14),
    (18 + 27j, 13),
    (7 + 38j, 8),
)
_CLOAK: tuple[Touch, ...] = (
    (55 + 45j, 5),
    (40 + 41j, 12),
    (19 + 44j, 16),
    (13 + 68j, 17),
    (24 + 90j, 17),
    (43 + 92j, 13),
    (56 + 86j, 5),
)


def maid(suit: int) -> list[Mark]:
    """A tall open robe under a head bar, with the sign in its lap."""
    hair = brush((10 + 18j, 3), (22 + 11j, 9), (39 + 10j, 10), (53 + 16j, 5))
    return [
        *_face(31 + 25j, 8.5),
        *_shaded(_ROBE),
        fill(RED, bar(17 + 21j, 21 + 33j, 3.4), bar(45 + 21j, 41 + 33j, 3.4)),
        fill(BLACK, hair),
        *sign(suit, 31 + 62j, 36),
    ]


def horse(suit: int) -> list[Mark]:
    """An arch, which is the horse from its tail to its nose; red lines are its legs. Its rider holds up the sign."""
    legs = [bar(hip + 56j, foot + 95j, 4.4) for hip, foot in ((21, 13), (28, 25), (42, 43), (50, 54))]
    rider = brush((35 + 54j, 13), (34 + 42j, 12), (33 + 35j, 7))
    hat = brush((22 + 24j, 2), (30 + 20j, 7), (42 + 22j, 3))
    mane = brush((23 + 24j, 3), (25 + 34j, 5), (30 + 44j, 2))
    ear = brush((20 + 25j, 4), (20 + 16j, 1))
    return [
        fill(RED, *legs, rider),
        *_face(32 + 29j, 5.5),
        fill(BLACK, hat),
        *_shaded(_HORSE),
        fill(BLACK, ear),
        draw(PAPER, 2.6, dabs(14 + 31j)),
        lay(RED, 0.8, mane),
        *sign(suit, 49 + 31j, 25),
    ]


def king(suit: int) -> list[Mark]:
    """A wide hat over a heavy cloak that opens to the right, with the sign in the opening."""
    hat = brush((5 + 25j, 3), (15 + 19j, 9), (31 + 15j, 14), (47 + 19j, 9), (57 + 25j, 3))
    return [
        *_face(33 + 28j, 7.5),
        *_shaded(_CLOAK),
        draw(RED, 5, dabs(18 + 9j, 31 + 5.6j, 44 + 9j)),
        fill(BLACK, hat),
        *sign(suit, 42 + 67j, 33),
    ]


COURTS = {10: maid, 11: horse, 12: king}


def _shaded(stroke: tuple[Touch, ...]) -> list[Mark]:
    """A black stroke, and the thin red one beside it."""
    return [fill(RED, brush(*((point - 2.2 - 0.8j, breadth) for point, breadth in stroke))), fill(BLACK, brush(*stroke))]


def _face(at: complex, size: float) -> list[Mark]:
    """A face of a few thin lines, as the block cutter left it."""
    cheeks = blob(*(at + size * point for point in (-1 - 0.8j, 1 - 0.8j, 0.95 + 0.6j, 1.3j, -0.95 + 0.6j)))
    eyes = line(at - size * 0.55, at - size * 0.15), line(at + size * 0.15, at + size * 0.55)
    return [draw(BLACK, 0.9, cheeks, *eyes), draw(RED, size * 0.26, dabs(at + size * 0.55j))]
