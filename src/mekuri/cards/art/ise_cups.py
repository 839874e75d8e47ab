"""The cups of Ise, 2 to 9, called lips: a black lid over a red underlip, a red dot above, on a thin line."""

from __future__ import annotations

from mekuri.cards.art.ise_crest import crest
from mekuri.cards.art.printing import BLACK, PAPER, RED, Mark, draw, fill, lay
from mekuri.cards.art.strokes import blob, box, brush, dabs, line

_ROWS = {2: (1, 1), 3: (1, 2), 4: (2, 2), 5: (2, 1, 2), 6: (3, 3), 7: (3, 1, 3), 8: (3, 2, 3), 9: (3, 3, 3)}
_BREADTHS = {1: 34, 2: 24, 3: 17.6}  # the width of a cup, by the number of cups in its row


def cups(count: int) -> list[Mark]:
    """The card with a number of cups. The cups of a row run together into a band."""
    rows = _ROWS[count]
    heights = (20, 53, 86) if len(rows) == 3 else (22, 84) if count == 6 else (32, 76)
    bands = [
        mark
        for height, row in zip(heights, rows, strict=True)
        for mark in lips(31 + height * 1j, row, _BREADTHS[row], 8 + _BREADTHS[row] * 0.12)
    ]
    return bands + (_box(31 + 52j) if count == 6 else [])


def lips(middle: complex, row: int, breadth: float, deep: float) -> list[Mark]:
    """A row of cups around a middle: `row` is their number, `breadth` the width of each, and `deep` the depth of its underlip."""
    centres = [middle + (place - (row - 1) / 2) * breadth for place in range(row)]
    half, end = breadth / 2, row * breadth / 2
    under = [
        blob(at - half, at + 3j, at + half, at + half * 0.9 + deep * 0.7j, at + deep * 1j, at - half * 0.9 + deep * 0.7j)
        for at in centres
    ]
    lid = brush(
        (middle - end - 1 - 2j, 2),
        (middle - end * 0.6 - 1.8j, deep * 0.9),
        (middle - 0.4j, deep * 0.68),
        (middle + end * 0.6 - 1.8j, deep * 0.92),
        (middle + end + 1 - 2.4j, 2),
    )
    ground = (deep + 1.4) * 1j
    return [
        lay(RED, 1.4, *under),
        draw(RED, deep * 0.44, dabs(*(at - deep * 0.82j for at in centres))),
        lay(BLACK, 1.2, lid),
        draw(BLACK, 1, line(middle - end + ground, middle + end + ground)),
    ]


def _box(at: complex) -> list[Mark]:
    """6: the maker's box."""
    frame = box(at, 18, 20)
    return [fill(PAPER, frame), draw(BLACK, 1.6, frame), *crest(RED, at, 12)]
