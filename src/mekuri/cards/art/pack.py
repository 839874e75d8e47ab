"""The class of drawn packs of cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Pack:
    """A drawn pack of cards.

    Every drawing is SVG for a viewBox of 62 by 102 half millimetres, which is the whole card, without an `svg` element around it.

    Attributes:
        id: the pack's name.
        cards: the cards that it has.
        face: a function that draws the face of a card.
        back: a function that draws the back that all cards share.
        sign: a function that returns the text of a card's corner mark beside its number, in a style, `latin` or `kanji`.
    """

    id: str
    cards: tuple[int, ...]
    face: Callable[[int], str]
    back: Callable[[], str]
    sign: Callable[[int, str], str]
