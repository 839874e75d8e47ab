"""The extra card of Fukutoku, the red oni: a horned head that grins on solid red, with a seal on its brow."""

from __future__ import annotations

from mekuri.cards.art.ise_crest import crest
from mekuri.cards.art.printing import BLACK, GOLD, PAPER, RED, SILVER, Mark, draw, fill
from mekuri.cards.art.strokes import blob, box, brush, dabs, disc, line, polygon
from mekuri.cards.art.svg import WIDTH


def oni() -> list[Mark]:
    """The red oni."""
    return [
        fill(RED, box(31 + 51j, 54, 94)),
        *_hair(),
        *_horns(),
        *_features(),
        *_grin(),
        fill(GOLD, box(31 + 33j, 13, 13)),
        draw(BLACK, 1.4, box(31 + 33j, 13, 13)),
        *crest(RED, 31 + 33.5j, 10),
    ]


def _both(*points: complex) -> list[list[complex]]:
    """Points on the left of the card, and the same on the right."""
    return [list(points), [WIDTH - point.conjugate() for point in points]]


def _hair() -> list[Mark]:
    """A shaggy mane round the head, and the head in it."""
    left = [
        31 + 20j,
        24 + 15j,
        22 + 22j,
        12 + 19j,
        13 + 28j,
        5 + 30j,
        10 + 38j,
        4 + 46j,
        10 + 52j,
        5 + 62j,
        11 + 66j,
        8 + 78j,
        15 + 80j,
    ]
    left += [16 + 90j, 22 + 90j, 31 + 96j]
    right = [WIDTH - point.conjugate() for point in reversed(left)]
    head = blob(31 + 24j, 46 + 26j, 52 + 42j, 51 + 66j, 44 + 82j, 31 + 89j, 18 + 82j, 11 + 66j, 10 + 42j, 16 + 26j)
    return [fill(BLACK, polygon(*left, *right[1:-1])), fill(RED, head)]


def _horns() -> list[Mark]:
    horns = [brush(*zip(side, (10, 8, 5, 1), strict=True)) for side in _both(19 + 30j, 14 + 22j, 12 + 14j, 17 + 6j)]
    rings = [line(*side) for side in (*_both(13 + 24j, 19 + 22j), *_both(11 + 18j, 16 + 17j))]
    return [draw(BLACK, 2.4, *horns), fill(SILVER, *horns), draw(BLACK, 1.2, *rings)]


def _features() -> list[Mark]:
    """Brows, eyes and the nose."""
    brows = [brush(*zip(side, (3, 7, 3), strict=True)) for side in _both(12 + 43j, 20 + 41j, 28 + 48j)]
    nose = blob(31 + 50j, 36 + 58j, 39 + 63j, 31 + 65j, 23 + 63j, 26 + 58j)
    return [
        fill(BLACK, *brows),
        fill(PAPER, disc(20 + 52j, 5.4), disc(42 + 52j, 5.4)),
        draw(BLACK, 1.4, disc(20 + 52j, 5.4), disc(42 + 52j, 5.4), nose),
        draw(BLACK, 4.4, dabs(21.5 + 52.5j, 40 + 52.5j)),
        draw(BLACK, 2.4, dabs(28 + 62j, 33.5 + 62j)),
    ]


def _grin() -> list[Mark]:
    """A mouth from ear to ear, full of teeth, and two tusks."""
    mouth = blob(11 + 63j, 20 + 69j, 31 + 70j, 42 + 69j, 51 + 63j, 48 + 78j, 38 + 85j, 24 + 85j, 14 + 78j)
    teeth = blob(15 + 68j, 22 + 71j, 31 + 72j, 40 + 71j, 47 + 68j, 44 + 78j, 37 + 82j, 25 + 82j, 18 + 78j)
    gaps = [line(x + 71j, x + 82j) for x in (22, 26.5, 31, 35.5, 40)]
    tusks = [brush(*zip(side, (6, 5, 1), strict=True)) for side in _both(18 + 83j, 13 + 75j, 15 + 64j)]
    return [
        fill(BLACK, mouth),
        fill(PAPER, teeth),
        draw(BLACK, 1, *gaps, line(16 + 75j, 24 + 77.5j, 38 + 77.5j, 46 + 75j)),
        draw(BLACK, 2.4, *tusks),
        fill(PAPER, *tusks),
    ]
