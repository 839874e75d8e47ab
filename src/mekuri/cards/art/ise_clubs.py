"""The clubs of Ise, 2 to 9: thick black rods with blunt ends, each with a thin red stroke beside it."""

from __future__ import annotations

from collections.abc import Sequence

from mekuri.cards.art.ise_crest import crest
from mekuri.cards.art.printing import BLACK, PAPER, RED, Mark, draw, fill, lay
from mekuri.cards.art.strokes import Pull, across, bar, box, line, lozenge, mirrored, wave

_GAP = 1.4  # the width of bare paper around a rod that lies over others


def clubs(count: int) -> list[Mark]:
    """The card with a number of rods: half of them lean each way, and an odd one stands upright."""
    return _chevrons(count) if count >= 6 else _crossed(count)


def rods(breadth: float, *pulls: Pull) -> list[Mark]:
    """Rods, each over those before it, with red to the left of each, and a streak of bare paper in the black."""
    return [
        _reds(breadth, pulls),
        *(lay(BLACK, _GAP, bar(start, end, breadth)) for start, end in pulls),
        _streaks(breadth, pulls),
    ]


def _reds(breadth: float, pulls: Sequence[Pull]) -> Mark:
    """The red to the left of rods, no longer than they are."""
    shadows = []
    for start, end in pulls:
        way, beside = end - start, across(end - start) * breadth * 0.44
        inset = way / abs(way) * breadth * 0.36
        shadows.append(line(start + beside + inset, end + beside - inset))
    return draw(RED, breadth * 0.6, *shadows)


def _streaks(breadth: float, pulls: Sequence[Pull]) -> Mark:
    """Streaks of bare paper towards the end of rods, as a dry brush leaves them."""
    streaks = []
    for start, end in pulls:
        way, side = end - start, across(end - start) * breadth
        streaks.append(line(start + 0.74 * way + side * 0.1, end + side * 0.16))
        streaks.append(line(start + 0.86 * way - side * 0.18, end - side * 0.16))
    return draw(PAPER, 0.5, *streaks)


def _crossed(count: int) -> list[Mark]:
    """2 to 5: they cross in the middle of the card; two each way leave a small white gap between them."""
    steps, breadth, reach = ((0,), 12, 16.5) if count < 4 else ((-8.4, 8.4), 8.6, 13)
    top, foot = (27, 92) if count == 2 else (11, 92)
    rising = [(31 - reach + step + foot * 1j, 31 + reach + step + top * 1j) for step in steps]
    falling = [mirrored(pull) for pull in rising]
    upright = (31 + 93j, 31 + 8j)
    if count == 2:
        waves = [(colour, wave(9 + height * 1j, 53 + height * 1j, 3, 6)) for colour, height in ((RED, 17), (BLACK, 12.5))]
        return [*(draw(colour, 2.4, shape) for colour, shape in waves), *rods(breadth, *falling, *rising)]
    if count == 3:
        return rods(10, upright, *falling, *rising)
    (low, high), (near, far) = falling, rising
    middle = rods(7, upright) if count == 5 else [fill(PAPER, lozenge(31 + 51.5j, 7, 21))]
    return [*rods(breadth, low, near, far, high), *middle]


def _chevrons(count: int) -> list[Mark]:
    """6 to 9: a lozenge hides the crossing, only the lower halves are left, and small squares remain of the upper ends.

    An odd rod parts the halves.
    """
    space, breadth = (16.5, 6.9) if count < 8 else (12.6, 4.9)
    apart, reach = (5.5, 24.5) if count % 2 else (0, 31)
    left = [
        (apex, apex + (-0.7 + 1j) * min(reach, 95 - apex.imag))
        for apex in (31 - apart + (38 + place * space) * 1j for place in range(count // 2))
    ]
    legs = [leg for pull in reversed(left) for leg in (pull, mirrored(pull))]
    upright = rods(8, (31 + 40j, 31 + 95j)) if count % 2 else []
    squares = [box(x + (10 + place * 7.5) * 1j, 5, 5) for x in (9, 53) for place in range(count - 5)]
    seal = lozenge(31 + 33j, 30, 37)
    return [
        _reds(breadth, legs),
        fill(BLACK, *(bar(start, end, breadth) for start, end in legs)),
        *upright,
        *rods(9, (31 + 8j, 31 + 22j)),
        fill(BLACK, *squares),
        fill(PAPER, lozenge(31 + 33j, 35, 43)),
        draw(RED, 2.8, seal),
        *crest(BLACK, 31 + 33.5j, 13),
    ]
