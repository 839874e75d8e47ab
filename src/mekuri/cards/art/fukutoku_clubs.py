"""The clubs of Fukutoku, 2 to 9: the rods of Ise in solid black, with red strokes above them."""

from __future__ import annotations

from mekuri.cards.art.fukutoku_letters import character
from mekuri.cards.art.ise_crest import crest
from mekuri.cards.art.printing import BLACK, PAPER, RED, Mark, draw, fill, lay
from mekuri.cards.art.strokes import Pull, bar, lozenge, mirrored

_NUMERALS = {7: "七", 8: "八", 9: "九"}
_GAP = 1.2  # the width of bare paper around a rod that lies over others


def clubs(count: int) -> list[Mark]:
    """The card with a number of rods: half of them lean each way, and an odd one stands upright."""
    return _chevrons(count) if count >= 6 else _crossed(count)


def rods(breadth: float, *pulls: Pull) -> list[Mark]:
    """Rods, each over those before it."""
    return [lay(BLACK, _GAP, bar(start, end, breadth)) for start, end in pulls]


def _crossed(count: int) -> list[Mark]:
    """2 to 5: they cross in the middle of the card; two each way leave a small white gap between them."""
    steps, breadth, reach = ((0,), 19, 17) if count < 4 else ((-10.4, 10.4), 11, 11.6)
    rising = [(31 - reach + step + 93j, 31 + reach + step + 25j) for step in steps]
    falling = [mirrored(pull) for pull in rising]
    upright = (31 + 96j, 31 + 23j)
    if count == 3:
        return [_strokes(), *rods(14, upright), *rods(breadth * 0.8, *falling, *rising)]
    (low, *high), (near, *far) = falling, rising
    middle = rods(8.6, upright) if count == 5 else []
    return [_strokes(), *rods(breadth, low, near, *far, *high), *middle]


def _strokes() -> Mark:
    """The two red strokes over crossed rods."""
    return fill(RED, bar(6 + 9j, 56 + 8j, 5), bar(6 + 16.5j, 56 + 16j, 5))


def _chevrons(count: int) -> list[Mark]:
    """6 to 9: a lozenge hides the crossing, only the lower halves are left, nested like roofs. Red strokes lie beside the lozenge.

    An odd rod stands between the halves.
    """
    space, breadth = (17.5, 12) if count < 8 else (13.4, 8.8)
    apart = 5.5 if count % 2 else 0
    reach = 26.5 - apart - breadth * 0.36
    left = [
        (apex, apex + (-1 + 1.1j) * min(reach, (94 - apex.imag) / 1.1))
        for apex in (31 - apart + (44 + place * space) * 1j for place in range(count // 2))
    ]
    legs = [leg for pull in reversed(left) for leg in (pull, mirrored(pull))]
    upright = rods(8.4, (31 + 40j, 31 + 97j)) if count % 2 else []
    strokes = [
        bar(side + (9 + place * 8) * 1j, side + 13 + (8.6 + place * 8) * 1j, 4.6) for side in (5, 44) for place in range(count - 5)
    ]
    middle = 31 + 25j
    within = [draw(BLACK, 2.2, character(_NUMERALS[count], middle, 12, 13))] if count in _NUMERALS else crest(RED, middle, 13)
    return [
        *(lay(BLACK, _GAP, bar(start, end, breadth)) for start, end in legs),
        *upright,
        fill(RED, *strokes),
        fill(PAPER, lozenge(middle, 31, 43)),
        draw(BLACK, 2.4, lozenge(middle, 27, 38)),
        *within,
    ]
