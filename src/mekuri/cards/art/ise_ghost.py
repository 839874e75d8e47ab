"""The ghost of Ise: a long-haired woman in white under a drooping willow, and a red flame at her side."""

from __future__ import annotations

from mekuri.cards.art.printing import BLACK, PAPER, RED, Mark, draw, fill, lay
from mekuri.cards.art.strokes import blob, brush, line


def ghost() -> list[Mark]:
    """The whole figure of the ghost card."""
    hair = blob(
        33 + 15j, 46 + 18j, 50 + 34j, 49 + 58j, 56 + 82j, 44 + 74j, 34 + 56j, 26 + 74j, 12 + 70j, 19 + 54j, 18 + 34j, 22 + 18j
    )
    face = blob(26 + 28j, 41 + 28j, 41 + 42j, 34 + 50j, 27 + 43j)
    robe = blob(25 + 48j, 43 + 48j, 52 + 62j, 46 + 80j, 48 + 92j, 58 + 97j, 38 + 99j, 27 + 88j, 22 + 66j)
    return [
        *_willow(),
        lay(BLACK, 1.6, hair),
        fill(PAPER, face, robe),
        draw(BLACK, 1, face, robe),
        *_features(34 + 37j),
        *_flame(14 + 92j),
    ]


def _willow() -> list[Mark]:
    """A bough from the right, and its twigs hanging down."""
    bough = brush((57 + 40j, 6), (57 + 20j, 6), (42 + 8j, 5), (20 + 7j, 3), (6 + 12j, 1))
    twigs = [
        brush((x + 7j, 1.2), (x - 1.5 + drop * 0.4j, 2.4), (x + 1 + drop * 0.7j, 1.8), (x - 1 + drop * 1j, 0.6))
        for x, drop in ((8, 50), (13.5, 34), (19, 24), (51, 48), (56.5, 66))
    ]
    return [fill(BLACK, bough, *twigs)]


def _features(at: complex) -> list[Mark]:
    """Sad eyes, and the folds of the robe over hands that hang."""
    eyes = line(at - 5 - 1j, at - 1.5 + 0.5j), line(at + 1.5 + 0.5j, at + 5 - 1j)
    folds = line(at - 6 + 14j, at + 2 + 24j, at + 7 + 14j), line(at - 4 + 28j, at - 6 + 40j, at - 1 + 52j)
    return [draw(BLACK, 1, *eyes, *folds), fill(RED, blob(at - 1.4 + 6j, at + 1.4 + 6j, at + 7.6j))]


def _flame(at: complex) -> list[Mark]:
    """A will-o'-the-wisp."""
    outer: tuple[complex, ...] = (5, -6 - 1j, -9 - 10j, -4 - 18j, -5 - 30j, 4 - 20j, 9 - 10j, 8 - 1j)
    return [lay(RED, 1.6, blob(*(at + point for point in outer))), fill(PAPER, blob(*(at - 2j + 0.42 * point for point in outer)))]
