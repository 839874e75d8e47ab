"""Draws cards on a mat as one SVG picture, which stands for a game or the result of a round, as in link previews."""

from __future__ import annotations

from collections.abc import Sequence

from mekuri.cards.art.packs import Pack
from mekuri.cards.art.svg import HEIGHT, WIDTH, element

SIZE = (1200, 630)  # width and height of the picture in pixels, as link previews show it
MOST = 12  # the most cards that are shown
_MAT = "#31473a"
_APART = 22  # pixels between cards
_ROW = 6  # cards in a row
_TALL, _LOW = 340, 264  # the height of a card if they fill less than a row, and otherwise


def scene(pack: Pack, cards: Sequence[int]) -> str:
    """A picture of cards of a pack in one row or two; cards after the first `MOST` are left out."""
    shown = cards[:MOST]
    rows = [shown[at : at + _ROW] for at in range(0, len(shown), _ROW)]
    width, height = SIZE
    tall = _TALL if len(shown) < _ROW else _LOW
    wide = tall * WIDTH / HEIGHT
    top = (height - len(rows) * (tall + _APART) + _APART) / 2
    drawn = [element("rect", width=width, height=height, fill=_MAT)]
    for down, row in enumerate(rows):
        left = (width - len(row) * (wide + _APART) + _APART) / 2
        for across, card in enumerate(row):
            place = {"x": left + across * (wide + _APART), "y": top + down * (tall + _APART), "width": wide, "height": tall}
            drawn.append(element("svg", pack.face(card), viewBox=f"0 0 {WIDTH} {HEIGHT}", **place))
    return element("svg", *drawn, xmlns="http://www.w3.org/2000/svg", width=width, height=height)
