"""The silver and gold over the black and red of Fukutoku: on all clubs, and on the swords below 6 and above 9.

On the old cards it began with the three lights of the clubs. No card of coins or cups has any: the golden discs of the 2 of coins
are part of the figure, as are the horns of the oni.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable

from mekuri.cards.art.fukutoku_letters import character
from mekuri.cards.art.printing import BLACK, GOLD, SILVER, Mark, draw, fill
from mekuri.cards.art.strokes import arc, blob, brush, dabs, disc, line, polygon
from mekuri.cards.deck import CLUBS, SWORDS, card


def overprint(which: int) -> list[Mark]:
    """The marks in silver and gold on a card; an empty list for a card without any."""
    return _OVERPRINTS[which]() if which in _OVERPRINTS else []


def _paulownia() -> list[Mark]:
    """1 of clubs: a cloud above, and below a leaf of paulownia, dusted with gold."""
    cloud = blob(34 + 17j, 36 + 12j, 42 + 13j, 44 + 8j, 52 + 9j, 52 + 13j, 59 + 14j, 57 + 20j, 46 + 19j)
    leaf = blob(
        40 + 56j, 48 + 50j, 56 + 58j, 52 + 66j, 57 + 74j, 46 + 77j, 39 + 90j, 32 + 77j, 22 + 74j, 27 + 66j, 25 + 56j, 33 + 51j
    )
    veins = [line(40 + 56j, tip) for tip in (39 + 84j, 51 + 72j, 28 + 72j, 50 + 58j, 30 + 57j)]
    dust = dabs(34 + 64j, 45 + 63j, 35 + 73j, 44 + 74j, 39.5 + 80j, 29 + 62j, 51 + 64j)
    return [
        fill(SILVER, cloud, leaf),
        draw(BLACK, 1, *veins, line(41 + 16j, 50 + 16j), line(45 + 12.5j, 53 + 12.5j)),
        draw(GOLD, 2.6, dust),
    ]


def _patches(*places: complex) -> list[Mark]:
    """2 and 4 of clubs: patches of gold leaf, and lines across the crossing."""
    leaves = [polygon(at - 5 - 4j, at + 4 - 5j, at + 5 + 4j, at - 4 + 5j) for at in places]
    return [fill(GOLD, *leaves), _lines(GOLD, 50, 70, 4)]


def _lines(colour: str, top: float, foot: float, step: float) -> Mark:
    """Thin lines from side to side."""
    count = int((foot - top) / step) + 1
    return draw(colour, 1, *(line(7 + y * 1j, 55 + y * 1j) for y in (top + place * step for place in range(count))))


def _low_lines() -> list[Mark]:
    """7 and 8 of clubs: thin lines over the rods."""
    return [_lines(SILVER, 54, 92, 5)]


def _high_lines() -> list[Mark]:
    """2 to 5 of swords: thin lines from the hilts to the points."""
    return [_lines(SILVER, 30, 92, 5.5)]


def _bound() -> list[Mark]:
    """3 of clubs: upright lines with two bands."""
    lines = [line(x + 26j, x + 94j) for x in (11, 19, 27, 35, 43, 51)]
    return [draw(SILVER, 1, *lines), draw(SILVER, 3.4, line(8 + 42j, 54 + 42j), line(8 + 78j, 54 + 78j))]


def _fountain() -> list[Mark]:
    """5 of clubs: half-circles round one middle, and chains of rings that spread below."""
    middle = 31 + 54j
    bows = [arc(middle, complex(-radius), 180) for radius in (5, 10, 15, 20)]
    return [draw(GOLD, 1.6, *bows), draw(SILVER, 1.2, *_chains(middle, (50, 77, 103, 130), range(2, 5)))]


def _chains(middle: complex, bearings: tuple[float, ...], links: range) -> list[str]:
    """Chains of rings from a middle, each on its bearing in degrees, with links so far out."""
    return [disc(middle + cmath.rect(place * 8, math.radians(bearing)), 3) for bearing in bearings for place in links]


def _long_life() -> list[Mark]:
    """6 of clubs: 壽, a long life."""
    return [draw(GOLD, 2.4, character("壽", 31 + 72j, 32, 38))]


def _ringed() -> list[Mark]:
    """9 of clubs: a big ring, and chains out of it."""
    middle = 31 + 72j
    return [draw(SILVER, 3, disc(middle, 14)), draw(SILVER, 1.2, *_chains(middle, (10, 60, 120, 170, 230, 310), range(2, 4)))]


def _starry() -> list[Mark]:
    """10 of clubs: a ring at the top left, stars, and lines that cross."""
    mesh = [line(x + 66j, x + 16 + 94j) for x in (6, 14, 22, 30, 38)] + [line(x + 66j, x - 16 + 94j) for x in (24, 32, 40, 48, 56)]
    return [
        draw(SILVER, 0.9, *mesh),
        draw(SILVER, 2.2, disc(13 + 17j, 6)),
        fill(GOLD, *(_star(at, 4) for at in (12 + 42j, 50 + 42j, 13 + 55j, 49 + 55j))),
    ]


def _star(at: complex, size: float) -> str:
    """A star with five points."""
    return polygon(*(at + cmath.rect(size * (0.42 if place % 2 else 1), math.radians(36 * place - 90)) for place in range(10)))


def _squiggle() -> list[Mark]:
    """A silver squiggle down the left side, where it hides no sign."""
    return [fill(SILVER, brush(*(((22 if place % 2 else 6) + (34 + place * 9) * 1j, 3) for place in range(7))))]


def _slanting() -> list[Mark]:
    """12 of clubs: a big golden ring on slanting lines."""
    lines = [line(x + 94j, x + 14 + 50j) for x in (6, 14, 22, 30, 38)]
    return [draw(SILVER, 1, *lines), draw(GOLD, 3, disc(31 + 70j, 17))]


_OVERPRINTS: dict[int, Callable[[], list[Mark]]] = {
    card(1, CLUBS): _paulownia,
    card(2, CLUBS): lambda: _patches(13 + 32j, 49 + 32j, 14 + 86j, 48 + 86j),
    card(3, CLUBS): _bound,
    card(4, CLUBS): lambda: _patches(19 + 40j, 43 + 40j, 19 + 79j, 43 + 79j),
    card(5, CLUBS): _fountain,
    card(6, CLUBS): _long_life,
    card(7, CLUBS): _low_lines,
    card(8, CLUBS): _low_lines,
    card(9, CLUBS): _ringed,
    card(10, CLUBS): _starry,
    card(11, CLUBS): _squiggle,
    card(12, CLUBS): _slanting,
    **{card(count, SWORDS): _high_lines for count in (2, 3, 4, 5)},
    **{card(count, SWORDS): _squiggle for count in (1, 10, 11, 12)},
}
