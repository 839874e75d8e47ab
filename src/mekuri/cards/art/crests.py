"""Crests of characters, each drawn as SVG path data in two colours, ink over red.

Each fits a square of SIZE units. Where shapes of one colour overlap, the paper shows (fill rule `evenodd`).
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable

from mekuri.cards.art.strokes import bar, blade, blob, box, brush, disc, lozenge, polygon

SIZE = 48
_MIDDLE = 24 + 24j


def _around(radius: float, degrees: float, centre: complex = _MIDDLE) -> complex:
    """A point on a circle, by its angle in degrees from the top, clockwise."""
    return centre + radius * cmath.rect(1, math.radians(degrees - 90))


def _bell() -> tuple[str, str]:
    """A round bell with its slit, on a red cord."""
    body, middle = 24 + 28j, 24 + 26j
    ink = disc(body, 15) + box(middle, 29, 2) + disc(24 + 33j, 3) + box(24 + 40j, 2.5, 5.5)
    red = disc(24 + 8j, 5) + disc(24 + 8j, 2.2) + bar(15 + 12.5j, 11 + 4j, 3) + bar(33 + 12.5j, 37 + 4j, 3)
    return ink, red


def _kite() -> tuple[str, str]:
    """A kite with a red sun, and its two tails."""
    ink = polygon(24 + 2j, 40 + 17j, 24 + 36j, 8 + 17j) + disc(24 + 17j, 7)
    ink += brush((22 + 38j, 2), (18 + 41j, 3), (20 + 44j, 3), (16 + 47j, 1.5))
    ink += brush((26 + 38j, 2), (30 + 41j, 3), (28 + 44j, 3), (32 + 47j, 1.5))
    return ink, disc(24 + 17j, 5)


def _gourd() -> tuple[str, str]:
    """A gourd bottle, its waist bound with a red cord."""
    ink = blob(17 + 14j, 18 + 7j, 24 + 5j, 31 + 7j, 31.5 + 14j, 27 + 20j, 20 + 20j)
    ink += blob(18 + 25j, 30 + 25j, 38 + 31j, 37 + 41j, 29 + 46j, 18 + 46j, 10.5 + 41j, 10 + 31j)
    ink += box(24 + 3j, 4, 3.5) + disc(24.5 + 36j, 4.5)
    red = brush((16 + 22.5j, 3.2), (24 + 23j, 2.6), (32 + 22.5j, 3.2)) + brush((31 + 23j, 2.4), (37 + 27j, 2), (36 + 33j, 1.4))
    return ink, red + disc(24.5 + 36j, 3.5)


def _chrysanthemum() -> tuple[str, str]:
    """Twelve petals around a red heart."""
    petals = (
        blob(*(_around(r, 30 * n + turn) for r, turn in ((8, -6), (17, -12), (22.5, -7), (22.5, 7), (17, 12), (8, 6))))
        for n in range(12)
    )
    return "".join(petals), disc(_MIDDLE, 6)


def _moon() -> tuple[str, str]:
    """A red moon, half behind three bars of cloud."""
    ink = brush((5 + 27j, 4), (15 + 25j, 6), (27 + 27j, 5), (35 + 26j, 3.5))
    ink += brush((13 + 34j, 3.5), (25 + 33.5j, 6), (36 + 35j, 5.5), (43.5 + 34j, 3.5))
    ink += brush((9 + 42j, 3), (20 + 41j, 5), (31 + 42j, 3))
    return ink, blob(*(_around(15.5, degrees, 25 + 17j) for degrees in range(-105, 106, 30)), 36 + 21.5j, 15 + 21.5j)


def _crane() -> tuple[str, str]:
    """A crane whose wings close to a ring, with its red crown."""
    feathers = "".join(
        blade(_around(9 + n * 0.5, side * (168 - 13 * n)), _around(22.5, side * (158 - 19 * n)), 4.6)
        for side in (-1, 1)
        for n in range(7)
    )
    neck = brush((24 + 36j, 8), (23 + 29j, 6), (26 + 22j, 4), (23 + 15j, 4.4), (18 + 13.5j, 3), (13.5 + 15.5j, 1))
    return feathers + neck + polygon(20 + 40j, 28 + 40j, 24 + 46j), blob(20 + 12j, 22 + 8j, 27 + 9j, 26.5 + 13j)


def _ring() -> tuple[str, str]:
    """Six equal dots in a ring."""
    ring = disc(_MIDDLE, 22.5) + disc(_MIDDLE, 19.5)
    return ring + "".join(disc(_around(12, 60 * n), 4) for n in range(6)), disc(_MIDDLE, 3.5)


def _fox() -> tuple[str, str]:
    """The mask of a fox, with red marks."""
    ink = polygon(6 + 5j, 18 + 15j, 30 + 15j, 42 + 5j, 42 + 24j, 24 + 46j, 6 + 24j)
    ink += polygon(11 + 22j, 20 + 26j, 19 + 29.5j, 12 + 26j) + polygon(37 + 22j, 28 + 26j, 29 + 29.5j, 36 + 26j)
    red = polygon(9.5 + 11j, 16 + 16.5j, 10 + 18.5j) + polygon(38.5 + 11j, 32 + 16.5j, 38 + 18.5j) + lozenge(24 + 20j, 5, 8)
    return ink + red + disc(24 + 40.5j, 2.4), red + disc(24 + 40.5j, 2.4)


def _pine() -> tuple[str, str]:
    """A pine of three tiers on a red trunk."""
    tiers = ((24 + 12j, 11), (15 + 24j, 13), (32 + 31j, 14))
    ink = "".join(
        blob(
            *(at + wide * across - up * 1j for across, up in ((-1, 0), (-0.7, 6), (-0.25, 8), (0.3, 8), (0.75, 6), (1, 0), (0, -2)))
        )
        for at, wide in tiers
    )
    return ink, brush((25 + 45j, 5.5), (22 + 38j, 4), (27 + 33j, 3.2)) + bar(10 + 45.5j, 39 + 45.5j, 2.6)


def _lantern() -> tuple[str, str]:
    """A paper lantern of five hoops, with its flame."""
    hoops = "".join(box(24 + (10 + 6.5 * n) * 1j, wide, 4) for n, wide in enumerate((18, 27, 30, 27, 18)))
    return box(24 + 4j, 12, 3.5) + hoops + box(24 + 42.5j, 12, 3.5) + disc(24 + 23j, 5), disc(24 + 23j, 5)


def _wave() -> tuple[str, str]:
    """A wave about to break, under a red sun."""
    ink = brush((4 + 43j, 5), (14 + 36j, 9), (22 + 23j, 8), (33 + 17j, 6), (41 + 21j, 3.5), (40 + 27j, 1.5))
    ink += brush((18 + 44j, 4), (27 + 40j, 6), (37 + 42j, 5), (44 + 40j, 2.5))
    return ink, disc(13 + 13j, 7)


def _abacus() -> tuple[str, str]:
    """Three columns of beads, one of them red."""
    beads = "".join(
        lozenge(complex(x, y), 12, 7.5) for x, y in ((11, 12), (11, 30), (11, 38), (24, 30), (24, 38), (37, 12), (37, 38))
    )
    return box(24 + 4j, 44, 3) + box(24 + 45j, 44, 3) + box(24 + 21j, 44, 2.5) + beads, lozenge(24 + 12j, 12, 7.5)


def _fan() -> tuple[str, str]:
    """An open fan with a red sun on it."""
    ribs = "".join(blade(24 + 42j, _around(33, degrees, 24 + 42j), 5) for degrees in range(-60, 61, 15))
    return ribs + disc(24 + 42j, 3), disc(24 + 19j, 6)


def _snow() -> tuple[str, str]:
    """A flake of snow with a red heart."""
    arms = "".join(bar(_around(6, 60 * n), _around(22, 60 * n), 3) for n in range(6))
    twigs = "".join(bar(_around(13, 60 * n), _around(20, 60 * n + side), 2.4) for n in range(6) for side in (-22, 22))
    return arms + twigs, disc(_MIDDLE, 3.6)


def _sparrow() -> tuple[str, str]:
    """A swollen sparrow with red cheeks."""
    body = blob(7 + 26j, 11 + 13j, 24 + 8j, 37 + 13j, 41 + 26j, 36 + 39j, 24 + 43j, 12 + 39j)
    cheeks = disc(14 + 28j, 4) + disc(34 + 28j, 4)
    return body + cheeks + disc(18 + 19j, 2.4) + disc(30 + 19j, 2.4) + lozenge(24 + 26j, 7, 5), cheeks


_DRAWN: dict[str, Callable[[], tuple[str, str]]] = {
    "bell": _bell,
    "kite": _kite,
    "gourd": _gourd,
    "chrysanthemum": _chrysanthemum,
    "moon": _moon,
    "crane": _crane,
    "ring": _ring,
    "fox": _fox,
    "pine": _pine,
    "lantern": _lantern,
    "wave": _wave,
    "abacus": _abacus,
    "fan": _fan,
    "sparrow": _sparrow,
    "snow": _snow,
}


def crest(name: str) -> tuple[str, str]:
    """A crest by its name, as SVG path data: the path in ink, and the path in red that lies under it."""
    return _DRAWN[name]()
