"""The crest of Mekuri: a lozenge whose lower corner is turned up. It stands where old makers put their own crest."""

from __future__ import annotations

from mekuri.cards.art.printing import PAPER, Mark, draw, fill
from mekuri.cards.art.strokes import polygon


def crest(colour: str, centre: complex, size: float) -> list[Mark]:
    """The crest around a centre, `size` wide."""
    half = size / 2
    left_fold, right_fold = centre + half * (-0.5 + 0.5j), centre + half * (0.5 + 0.5j)
    whole = polygon(centre - half * 1j, centre + half, right_fold, left_fold, centre - half)
    corner = polygon(left_fold, right_fold, centre + half * 0.05j)
    return [fill(colour, whole), fill(PAPER, corner), draw(colour, size * 0.08, corner)]
