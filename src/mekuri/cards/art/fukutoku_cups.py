"""The cups of Fukutoku, 2 to 9: round bulbs, black above and red below, with feathery leaves on top."""

from __future__ import annotations

import cmath
import math
from itertools import pairwise

from mekuri.cards.art.ise_crest import crest
from mekuri.cards.art.printing import BLACK, PAPER, RED, Mark, draw, fill
from mekuri.cards.art.strokes import arc, box, brush, line

_ROWS = {2: (1, 1), 3: (1, 2), 4: (2, 2), 5: (2, 1, 2), 6: (3, 3), 7: (3, 1, 3), 8: (3, 2, 3), 9: (3, 3, 3)}
_LEANS = (-58, 0, 58)  # of the leaves of a bulb, in degrees


def cups(count: int) -> list[Mark]:
    """The card with a number of cups. The cups of a row run together into a band."""
    rows = _ROWS[count]
    heights = (21.5, 53.5, 85.5) if len(rows) == 3 else (25, 86) if count == 6 else (32, 81)
    radii = {1: 10.5, 2: 10.5, 3: 9} if len(rows) == 3 else {1: 16, 2: 13.4, 3: 9}
    bands = [mark for height, row in zip(heights, rows, strict=True) for mark in bulbs(31 + height * 1j, row, radii[row])]
    return bands + (_box(31 + 53j) if count == 6 else [])


def bulbs(middle: complex, row: int, radius: float) -> list[Mark]:
    """A row of cups around a middle: `row` is their number, `radius` the size of each."""
    centres = [middle + (place - (row - 1) / 2) * 2 * radius for place in range(row)]
    tops = "".join(arc(at - 0.5j, complex(-radius), 180) for at in centres)
    band = box(middle - radius * 0.55j, (row - 1) * 2 * radius, radius * 0.9) if row > 1 else ""
    size = radius * 0.8
    leaves = [_leaf(at - radius * 0.9j, size if lean else size * 0.8, lean) for at in centres for lean in _LEANS]
    return [
        fill(BLACK, *(leaf for leaf, _ in leaves)),
        draw(PAPER, 0.7, *(slits for _, slits in leaves)),
        fill(BLACK, tops, band),
        fill(RED, *(f"{arc(at + 1j, complex(radius), 180)}z" for at in centres)),
        draw(PAPER, 1, *(arc(at + 1j, complex(radius * 0.6), 180) for at in centres)),
    ]


def _leaf(foot: complex, size: float, lean: float) -> tuple[str, str]:
    """A feathery drooping leaf that leans `lean` degrees to the right, and the slits in it."""
    joints = [foot]
    for place in range(5):
        joints.append(joints[-1] + cmath.rect(size * 0.27, math.radians(lean * (0.55 + 0.26 * place) - 90)))
    breadths = [size * broad for broad in (0.14, 0.4, 0.5, 0.44, 0.28, 0.04)]
    slits = []
    for before, joint in pairwise(joints[2:5]):
        way, foot = joint - before, before + 0.3 * (joint - before)
        slits.append(line(foot + way * cmath.rect(1.8, 0.8), foot, foot + way * cmath.rect(1.8, -0.8)))
    return brush(*zip(joints, breadths, strict=True)), "".join(slits)


def _box(at: complex) -> list[Mark]:
    """6: the maker's box."""
    frame = box(at, 22, 20)
    return [fill(PAPER, frame), draw(BLACK, 2.4, frame), *crest(RED, at, 13)]
