"""The coins of Fukutoku, 2 to 9: large discs, the left half red with an arc in it, the right half black."""

from __future__ import annotations

from mekuri.cards.art.fukutoku_letters import character
from mekuri.cards.art.printing import BLACK, GOLD, PAPER, RED, Mark, draw, fill
from mekuri.cards.art.strokes import arc, blob, box, dabs, disc, line

_CORNERS = (17.5 + 18j, 44.5 + 18j, 17.5 + 84j, 44.5 + 84j)
_THREE = (16, 31, 46)
_PLACES: dict[int, tuple[complex, ...]] = {
    3: (20 + 21j, 31 + 51j, 42 + 81j),
    4: _CORNERS,
    5: (*_CORNERS, 31 + 51j),
    6: tuple((19, 43)[place % 2] + (16 + place * 14) * 1j for place in range(6)),
    7: (*(x + y * 1j for y in (17, 85) for x in _THREE), 31 + 51j),
    8: (*(x + y * 1j for y in (17, 85) for x in _THREE), 18 + 51j, 44 + 51j),
    9: tuple(x + y * 1j for y in (17, 51, 85) for x in _THREE),
}
_RADII = {3: 16.5, 4: 12.5, 5: 12.5, 6: 11}


def coins(count: int) -> list[Mark]:
    """The card with a number of coins."""
    if count == 2:
        return _lucky(31 + 28j, 31 + 74j)
    discs = discs_at(_RADII.get(count, 12), *_PLACES[count])
    if count == 4:
        return discs + _face(31 + 51j)
    if count == 5:
        lens = blob(31 + 22j, 52 + 42j, 52 + 60j, 31 + 80j, 10 + 60j, 10 + 42j)
        return [fill(BLACK, lens), *discs]
    if count == 6:
        return [draw(BLACK, 1.4, line(*_PLACES[6])), *discs]
    return discs


def discs_at(radius: float, *places: complex) -> list[Mark]:
    """Coins, each over those before it, with a gap of paper between them."""
    return [
        mark
        for at in places
        for mark in (
            fill(PAPER, disc(at, radius + 1.2)),
            fill(RED, f"{arc(at - 0.5, radius * 1j, 180)}z"),
            fill(BLACK, f"{arc(at + 0.5, radius * -1j, 180)}z"),
            draw(PAPER, 1.4, arc(at - 0.5, radius * 0.55j, 180)),
        )
    ]


def _lucky(*places: complex) -> list[Mark]:
    """2: two golden discs on red, which say good luck and virtue, 福 and 德, and give the pack its name."""
    return [
        fill(RED, box(31 + 51j, 53, 93)),
        fill(BLACK, *(disc(at, 22.4) for at in places)),
        fill(GOLD, *(disc(at, 20.6) for at in places)),
        draw(BLACK, 2.3, *(character(name, at, 22, 24) for name, at in zip("福德", places, strict=True))),
    ]


def _face(at: complex) -> list[Mark]:
    """4: the maker's box, with a little face in it."""
    frame = box(at, 30, 30)
    brows = line(at - 9 - 5.5j, at - 2.5 - 7j), line(at + 2.5 - 7j, at + 9 - 5.5j)
    return [
        fill(PAPER, frame),
        draw(BLACK, 2.4, frame),
        draw(BLACK, 1.8, *brows, line(at - 1.5j, at - 1.4 + 3j, at + 1.4 + 3j)),
        draw(BLACK, 3.4, dabs(at - 5.5 - 2j, at + 5.5 - 2j)),
        fill(RED, blob(at - 7 + 6j, at + 7 + 6j, at + 11.5j)),
    ]
