"""The courts of Ise: the maid (10), the horse (11) and the king (12), told apart by the sweep of a few broad strokes.

Their suits are told apart by the sign they carry and by their bodies: black for clubs, in thin lines for swords, spotted for coins,
banded for cups.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from mekuri.cards.art.ise_signs import sign
from mekuri.cards.art.printing import BLACK, PAPER, RED, Mark, draw, fill, lay
from mekuri.cards.art.strokes import Touch, across, bar, blob, brush, dabs, line
from mekuri.cards.deck import CLUBS, COINS, SWORDS

_ROBE: tuple[Touch, ...] = (
    (18 + 35j, 6),
    (9 + 52j, 9),
    (10 + 80j, 10),
    (31 + 98j, 11),
    (52 + 80j, 10),
    (53 + 52j, 9),
    (45 + 34j, 5),
)
_HORSE: tuple[Touch, ...] = (
    (55 + 88j, 2),
    (56 + 68j, 7),
    (46 + 61j, 14),
    (29 + 65j, 14),
    (16 + 53j, 13),
    (17 + 34j, 12),
    (6 + 45j, 8),
)
_CLOAK: tuple[Touch, ...] = (
    (57 + 44j, 5),
    (40 + 42j, 11),
    (16 + 43j, 13),
    (9 + 68j, 13),
    (18 + 91j, 14),
    (43 + 92j, 12),
    (57 + 87j, 5),
)


def maid(suit: int) -> list[Mark]:
    """A tall open robe under a head bar, with the sign in its lap."""
    hair = brush((10 + 18j, 3), (22 + 11j, 9), (39 + 10j, 10), (53 + 16j, 5))
    return [
        *_face(31 + 25j, 8.5),
        *_body(suit, _ROBE),
        fill(RED, bar(17 + 21j, 21 + 33j, 3.4), bar(45 + 21j, 41 + 33j, 3.4)),
        fill(BLACK, hair),
        *sign(suit, 31 + 63j, 42),
    ]


def horse(suit: int) -> list[Mark]:
    """An arch, which is the horse from its tail to its nose; red lines are its legs. The sign flies behind its rider."""
    legs = [bar(hip + 62j, foot + 96j, 4.4) for hip, foot in ((21, 13), (28, 25), (42, 43), (50, 54))]
    rider = brush((31 + 60j, 13), (31 + 50j, 12), (30 + 42j, 7))
    hat = brush((20 + 30j, 2), (28 + 26j, 7), (38 + 29j, 3))
    mane = brush((20 + 32j, 3), (21 + 42j, 5), (26 + 52j, 2))
    ear = brush((18 + 32j, 4), (18 + 22j, 1))
    return [
        fill(RED, *legs, rider),
        *_face(30 + 36j, 5.5),
        fill(BLACK, hat),
        *_body(suit, _HORSE),
        fill(BLACK, ear),
        draw(PAPER, 3.6, dabs(14.5 + 37j)),
        draw(BLACK, 1.6, dabs(14.5 + 37j)),
        lay(RED, 0.8, mane),
        *sign(suit, 47 + 24j, 37),
    ]


def king(suit: int) -> list[Mark]:
    """A wide hat over a heavy cloak that opens to the right, with the sign in the opening."""
    hat = brush((5 + 25j, 3), (15 + 19j, 9), (31 + 15j, 14), (47 + 19j, 9), (57 + 25j, 3))
    return [
        *_face(32 + 27j, 7.5),
        *_body(suit, _CLOAK),
        draw(RED, 5, dabs(18 + 9j, 31 + 5.6j, 44 + 9j)),
        fill(BLACK, hat),
        *sign(suit, 40 + 66j, 42),
    ]


COURTS = {10: maid, 11: horse, 12: king}


def _body(suit: int, stroke: Sequence[Touch]) -> list[Mark]:
    """A body in the strokes of its suit: thin lines for swords, for the others a black mass with a red shadow."""
    shadow, body = brush(*((point - 2.2 - 0.8j, breadth) for point, breadth in stroke)), brush(*stroke)
    if suit == SWORDS:
        return [fill(PAPER, body), draw(RED, 1.8, shadow), draw(BLACK, 2.4, body)]
    return [fill(RED, shadow), fill(BLACK, body), *_cloth(suit, stroke)]


def _cloth(suit: int, stroke: Sequence[Touch]) -> list[Mark]:
    """The pattern of bare paper on a black body: none for clubs, dots for coins, bands for cups."""
    if suit == CLUBS:
        return []
    places, bands = [], []
    for (point, breadth), (after, later) in pairwise(stroke[:-1]):
        middle, side = (point + after) / 2, across(after - point) * (breadth + later) / 6
        places.append(middle)
        bands.append(line(middle - side, middle + side))
    if suit == COINS:
        return [draw(PAPER, 6.4, dabs(*places)), draw(RED, 3, dabs(*places))]
    return [draw(PAPER, 6.6, *bands), draw(RED, 2, *bands)]


def _face(at: complex, size: float) -> list[Mark]:
    """A face of a few thin lines, as the block cutter left it."""
    cheeks = blob(*(at + size * point for point in (-1 - 0.8j, 1 - 0.8j, 0.95 + 0.6j, 1.3j, -0.95 + 0.6j)))
    eyes = line(at - size * 0.55, at - size * 0.15), line(at + size * 0.15, at + size * 0.55)
    return [draw(BLACK, 0.9, cheeks, *eyes), draw(RED, size * 0.26, dabs(at + size * 0.55j))]
