"""What a drawn pack of cards is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Pack:
    """A drawn pack. Every drawing is SVG inside a viewBox of 62 by 102, from edge to edge of the card, without an `svg` around it.

    Attributes:
        id: its name.
        cards: the cards it has.
        face: draws the face of a card.
        back: draws the back that all its cards share.
        sign: what a corner mark says of a card beside its number, in a style: `latin` or `kanji`.
    """

    id: str
    cards: tuple[int, ...]
    face: Callable[[int], str]
    back: Callable[[], str]
    sign: Callable[[int, str], str]
