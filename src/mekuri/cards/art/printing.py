"""Prints a card as SVG: its rim, its paper, and its marks in black and red, with the red a little out of register.

The old printers brushed colour through stencils over the outlines of a wood block, and each colour lay a little off. Here the black
lies true and the red is moved. The move is random, from a seed that is the card's name, so that a card always looks the same.
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
_OFF = 0.6  # the most that the red is moved, each way
_SOFTNESS = 0.7  # the width of a line in a shape's own colour around it, which rounds its corners


@dataclass(frozen=True)
class Mark:
    """One printed shape. Lengths are in units of the card's viewBox.

    Attributes:
        colour: its colour, as in SVG.
        shape: its SVG path data.
        line: the width of the line along the shape; 0 for a filled shape.
        gap: the width of the line of bare paper along the edge of a filled shape; 0 for none.
    """

    colour: str
    shape: str
    line: float = 0
    gap: float = 0


def fill(colour: str, *shapes: str) -> Mark:
    """Filled shapes of one colour, as one mark."""
    return Mark(colour, "".join(shapes))


def lay(colour: str, gap: float, *shapes: str) -> Mark:
    """Filled shapes of one colour over earlier marks, separated from these by a gap of bare paper of width `gap`."""
    return Mark(colour, "".join(shapes), gap=gap)


def draw(colour: str, breadth: float, *shapes: str) -> Mark:
    """Lines of one width with round ends, as one mark."""
    return Mark(colour, "".join(shapes), line=breadth)


def printed(name: str, marks: Iterable[Mark]) -> str:
    """The SVG of a whole card with its marks, in their order. The move of the red depends on the card's name."""
    lot = random.Random(name)
    right, down = (round(lot.uniform(-_OFF, _OFF), 1) for _ in range(2))
    off = {RED: {"transform": f"translate({right:g} {down:g})"}}
    runs = [
        group(*map(_drawn, run), fill=colour, stroke=colour, **off.get(colour, {}))
        for colour, run in groupby(marks, key=lambda mark: mark.colour)
    ]
    return _sheet(PAPER, group(*runs, stroke_width=_SOFTNESS, stroke_linejoin="round", stroke_linecap="round"))


def back() -> str:
    """The SVG of the dotted back that all cards of a pack share."""
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
