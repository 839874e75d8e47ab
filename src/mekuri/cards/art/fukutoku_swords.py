"""The swords of Fukutoku, 2 to 9: broad red bars with a black outline, and at the hilt of each a fan of fine lines."""

from __future__ import annotations

import cmath
import math

from mekuri.cards.art.fukutoku_letters import character
from mekuri.cards.art.printing import BLACK, PAPER, RED, Mark, draw, fill
from mekuri.cards.art.strokes import Pull, across, bar, blob, box, line, lozenge, mirrored

_NUMERALS = {6: "六", 7: "七", 8: "八", 9: "九"}
_MIDDLE = 31 + 56j


def swords(count: int) -> list[Mark]:
    """The card with a number of swords: half of them lean each way, and an odd one stands upright."""
    each_way = count // 2
    step, breadth, reach = {1: (0, 16, 16), 2: (18, 10.6, 10.6), 3: (9.4, 7.6, 11.6), 4: (7, 5.8, 12)}[each_way]
    aside = [(place - (each_way - 1) / 2) * step for place in range(each_way)]
    rising = [(31 - reach + step + 93j, 31 + reach + step + 26j) for step in aside]
    odd = _upright(breadth * 1.1) if count % 2 else []
    crossed = blades(breadth, *map(mirrored, reversed(rising)), *rising)
    return [*crossed, *odd, *(_seal(count) if count in _NUMERALS else [])]


def _upright(breadth: float) -> list[Mark]:
    """The odd sword, which stands before the others, taller than they are, and hides the fans behind it."""
    pull = 31 + 96j, 31 + 17j
    return [fill(PAPER, box(31 + 57j, breadth + 5, 82), box(31 + 14j, 24, 22)), *blades(breadth, pull)]


def blades(breadth: float, *pulls: Pull) -> list[Mark]:
    """Swords, each over those before it."""
    marks = [draw(BLACK, 0.9, *(_fan(start, end, breadth) for start, end in pulls))]
    for start, end in pulls:
        shape, ridge = bar(start, end, breadth), line(start + 0.06 * (end - start), start + 0.2 * (end - start))
        # The red is moved: without paper under it, marks behind the sword would show at its edge.
        marks += [fill(PAPER, shape), fill(RED, shape), draw(BLACK, 1.4, shape, ridge)]
    return marks


def _fan(start: complex, end: complex, breadth: float) -> str:
    """The fine lines that spread from a hilt."""
    side = across(end - start) * breadth * 0.36
    way = (end - start) / abs(end - start) - 1j  # between that of the sword and upright
    way /= abs(way)
    return "".join(
        line(end + side * lean, end + side * lean + way * cmath.rect(7 + breadth * 0.4, -math.radians(18) * lean))
        for lean in (-1, -0.5, 0, 0.5, 1)
    )


def _seal(count: int) -> list[Mark]:
    """6 to 9: the white lozenge with the numeral, and red drops on both sides of it, more of them as the number grows."""
    shape = lozenge(_MIDDLE, 34, 46)
    drops = [
        blob(at - 3.6j, at + 2 + 0.6j, at + 1.4 + 2.8j, at - 1.4 + 2.8j, at - 2 + 0.6j)
        for x in (6.5, 55.5)
        for at in (x + (_MIDDLE.imag + (place - (count - 6) / 2) * 8) * 1j for place in range(count - 5))
    ]
    return [
        fill(PAPER, lozenge(_MIDDLE, 39, 52)),
        draw(BLACK, 2, shape),
        draw(BLACK, 2.8, character(_NUMERALS[count], _MIDDLE, 16, 17)),
        fill(RED, *drops),
    ]
