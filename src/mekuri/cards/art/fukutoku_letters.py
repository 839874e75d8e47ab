"""The Chinese characters on cards of Fukutoku, stroke by stroke: the numerals in lozenges, good luck and virtue, and long life.

They are drawn, not written: a font may lack them, and one that has them does not look like a block cutter's hand.
"""

from __future__ import annotations

from mekuri.cards.art.strokes import line

Stroke = tuple[complex, ...]

_SIDE = 12  # the side of the square in which a character is laid out, with its corner at 0


def _frame(near: complex, far: complex) -> Stroke:
    """A closed box between two corners."""
    return (near, far.real + near.imag * 1j, far, near.real + far.imag * 1j, near)


_STROKES: dict[str, tuple[Stroke, ...]] = {
    "六": ((5.6 + 0j, 6.6 + 2j), (0.2 + 4.3j, 11.8 + 4j), (4.2 + 6.4j, 3.2 + 9j, 0.6 + 12j), (7.6 + 6.4j, 9 + 9j, 11.6 + 11.8j)),
    "七": ((0.2 + 6.4j, 11.8 + 4j), (4.8 + 0j, 4.8 + 9.6j, 6 + 11.4j, 11.4 + 11.4j, 11.6 + 9j)),
    "八": ((4.2 + 1.6j, 3.6 + 6.4j, 0.2 + 12j), (5.8 + 0.6j, 7.8 + 0.6j, 8.4 + 6j, 11.8 + 12j)),
    "九": ((5 + 0j, 4.6 + 5.6j, 0.4 + 12j), (0.4 + 3.6j, 8.4 + 3j, 8 + 10.4j, 9.2 + 11.8j, 11.6 + 11.4j, 11.8 + 8.8j)),
    "福": (
        (2 + 0j, 3 + 1.4j),
        (0.4 + 3.2j, 4.6 + 3.2j, 0.2 + 7.4j),
        (2.7 + 5j, 2.7 + 12j),
        (3.6 + 6.2j, 4.8 + 7.4j),
        (5.8 + 0.4j, 12 + 0.4j),
        _frame(6.8 + 2.4j, 11 + 4.8j),
        _frame(6 + 6.8j, 11.8 + 11.8j),
        (8.9 + 6.8j, 8.9 + 11.8j),
        (6 + 9.3j, 11.8 + 9.3j),
    ),
    "德": (
        (2.8 + 0j, 0.4 + 2.6j),
        (3.2 + 3j, 0.2 + 6.6j),
        (2 + 5.2j, 2 + 12j),
        (4.4 + 1.3j, 12 + 1.3j),
        (8.2 + 0j, 8.2 + 3j),
        _frame(4.8 + 3.2j, 11.6 + 5.6j),
        (7 + 3.2j, 7 + 5.6j),
        (9.4 + 3.2j, 9.4 + 5.6j),
        (4.2 + 7.4j, 12 + 7.4j),
        (4.8 + 9.4j, 3.8 + 11.4j),
        (6.2 + 9j, 6.4 + 11.4j, 7.4 + 12j, 9.6 + 11.8j, 9.8 + 10.4j),
        (7.8 + 8.8j, 8.6 + 9.8j),
        (10.8 + 8.8j, 11.8 + 10.6j),
    ),
    "壽": (
        (0.8 + 1j, 11.2 + 1j),
        (6 - 0.4j, 6 + 2.4j),
        (2 + 2.5j, 10 + 2.5j),
        (0.6 + 4j, 11.4 + 4j, 11.4 + 5.4j),
        (2.6 + 5.3j, 8.6 + 5.3j),
        (5.6 + 5.3j, 5.6 + 6.8j),
        (1.6 + 6.8j, 9.8 + 6.8j),
        (0 + 8.2j, 12 + 8.2j),
        _frame(0.8 + 9.6j, 4.2 + 12j),
        (5.6 + 9.7j, 12 + 9.7j),
        (9.4 + 8.4j, 9.4 + 12j, 8 + 11.6j),
        (6.2 + 10.7j, 7.2 + 11.7j),
    ),
}


def character(name: str, centre: complex, breadth: float, height: float) -> str:
    """A character of a width and a height around a centre, as path data to stroke."""
    corner = centre - complex(breadth, height) / 2

    def placed(point: complex) -> complex:
        return corner + complex(point.real * breadth, point.imag * height) / _SIDE

    return "".join(line(*map(placed, stroke)) for stroke in _STROKES[name])
