"""The coins of Ise, 2 to 9: small black dots with a red crescent to the left of each."""

from __future__ import annotations

from mekuri.cards.art.ise_crest import crest
from mekuri.cards.art.printing import BLACK, PAPER, RED, Mark, draw, fill
from mekuri.cards.art.strokes import blob, box, dabs, line

_CORNERS = (17 + 18j, 46 + 18j, 17 + 84j, 46 + 84j)
_THREE = (14, 32, 50)
_PLACES: dict[int, tuple[complex, ...]] = {
    3: (16 + 18j, 31.5 + 51j, 47 + 84j),
    4: _CORNERS,
    5: (*_CORNERS, 32 + 51j),
    6: tuple((18, 46)[place % 2] + (14 + place * 15) * 1j for place in range(6)),
    7: (*(x + y * 1j for y in (16, 86) for x in _THREE), 32 + 51j),
    8: (*(x + y * 1j for y in (16, 86) for x in _THREE), 21 + 51j, 43 + 51j),
    9: tuple(x + y * 1j for y in (16, 51, 86) for x in _THREE),
}


def coins(count: int) -> list[Mark]:
    """The card with a number of coins."""
    if count == 2:
        return _ringed(32 + 28j, 32 + 74j)
    dots = coins_at(8.2 if count < 6 else 6.8, *_PLACES[count])
    if count == 3:
        return [*dots, *crest(RED, 45 + 20j, 10), *crest(RED, 17 + 82j, 10)]
    if count == 4:
        return dots + _face(31 + 51j)
    if count == 5:
        return [draw(BLACK, 1.6, blob(31 + 24j, 50 + 42j, 50 + 60j, 31 + 78j, 12 + 60j, 12 + 42j)), *dots]
    if count == 6:
        return [draw(BLACK, 1.2, line(*_PLACES[6])), *dots]
    return dots


def coins_at(radius: float, *places: complex) -> list[Mark]:
    """Coins, and a gap of paper round them."""
    reds = dabs(*(place - radius * 0.42 for place in places))
    return [draw(PAPER, radius * 2 + 2.4, reds), draw(RED, radius * 2, reds), draw(BLACK, radius * 2, dabs(*places))]


def _ringed(*places: complex) -> list[Mark]:
    """2: two big discs, a ring round each and the crest in the middle."""
    rings = dabs(*(place - 1 for place in places))
    return [
        draw(BLACK, 41, rings),
        draw(PAPER, 38.4, rings),
        *coins_at(14.5, *places),
        draw(PAPER, 17, dabs(*places)),
        *(mark for place in places for mark in crest(RED, place, 11)),
    ]


def _face(at: complex) -> list[Mark]:
    """4: the maker's box, with a little face in it."""
    frame = box(at, 26, 28)
    brows = line(at - 8 - 4j, at - 2 - 5.5j), line(at + 2 - 5.5j, at + 8 - 4j)
    return [
        draw(BLACK, 1.6, frame),
        draw(BLACK, 1.4, *brows, line(at - 1j, at - 1 + 3j, at + 1 + 3j)),
        draw(BLACK, 2.4, dabs(at - 4.5 - 1.3j, at + 4.5 - 1.3j)),
        fill(RED, blob(at - 5 + 6j, at + 5 + 6j, at + 9.5j)),
    ]
