"""The printing of a card: rim, paper, then mark after mark in black and in red, the red never quite where it should be.

A printer brushed colour through a stencil, red first and then black, over the outlines of a wood block, and each lay a little off.
Here the black lies true and the red lies off. How much is drawn by lot for each card, always the same lot, so that a pack looks
like one pack wherever it is drawn.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from mekuri.cards.art.svg import HEIGHT, WIDTH, dotted, element, group, path

BLACK, RED, PAPER, BACK = "#211", "#c31", "#f4ead2", "#4e231a"
DOTS = "#8a4b3a"  # on the back
GOLD, SILVER = "#dfae3c", "#bcc3c9"  # printed over the black and red of some packs, and never lying off

_RIM = 1.8  # the paper of the back, folded over the edge
_OFF = 0.6  # how far the red may lie off, each way
_SOFTNESS = 0.7  # breadth of the line of its own colour that takes the edge off the corners of a shape


@dataclass(frozen=True)
class Mark:
    """One mark on the paper.

    Attributes:
        colour: its colour.
        shape: path data.
        line: how broad a line follows the shape; 0 where the shape is filled instead.
        gap: how broad a line of paper is kept free along the edge of a filled shape.
    """

    colour: str
    shape: str
    line: float = 0
    gap: float = 0


def fill(colour: str, *shapes: str) -> Mark:
    """Shapes brushed in together."""
    return Mark(colour, "".join(shapes))


def lay(colour: str, gap: float, *shapes: str) -> Mark:
    """Shapes brushed in over what is there, from which a gap of paper parts them."""
    return Mark(colour, "".join(shapes), gap=gap)


def draw(colour: str, breadth: float, *shapes: str) -> Mark:
    """Lines of one breadth, with round ends."""
    return Mark(colour, "".join(shapes), line=breadth)


def printed(name: str, marks: Iterable[Mark]) -> str:
    """A card from edge to edge, its marks in their order. Its name decides how the red lies."""
    lot = random.Random(name)
    right, down = (round(lot.uniform(-_OFF, _OFF), 1) for _ in range(2))
    off = {RED: {"transform": f"translate({right:g} {down:g})"}}
    runs = [
        group(*map(_drawn, run), fill=colour, stroke=colour, **off.get(colour, {}))
        for colour, run in groupby(marks, key=lambda mark: mark.colour)
    ]
    return _sheet(PAPER, group(*runs, stroke_width=_SOFTNESS, stroke_linejoin="round", stroke_linecap="round"))


def back() -> str:
    """The back all cards share: dotted, inside the rim."""
    return _sheet(BACK, dotted(DOTS))


def _drawn(mark: Mark) -> str:
    if mark.line:
        return path(mark.shape, fill="none", stroke_width=mark.line)
    if mark.gap:
        return path(mark.shape, stroke=PAPER, stroke_width=mark.gap)
    return path(mark.shape)


def _sheet(paper: str, *inner: str) -> str:
    sheet = {"x": _RIM / 2, "y": _RIM / 2, "width": WIDTH - _RIM, "height": HEIGHT - _RIM, "rx": 3}
    return element("rect", **sheet, fill=paper, stroke=BLACK, stroke_width=_RIM) + "".join(inner)
