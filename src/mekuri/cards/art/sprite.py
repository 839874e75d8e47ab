"""A pack as SVG texts: all drawings as symbols of one file, or a file for each card."""

from __future__ import annotations

import hashlib
from functools import cache

from mekuri.cards.art.marks import MARKS, mark
from mekuri.cards.art.packs import Pack
from mekuri.cards.art.svg import HEIGHT, WIDTH, element
from mekuri.cards.notation import card_text

_BOX = f"0 0 {WIDTH} {HEIGHT}"
_XMLNS = "http://www.w3.org/2000/svg"


@cache
def sprite(pack: Pack) -> str:
    """A pack as one SVG of symbols.

    The id of a face is its card's notation (`7I`), of the back `back`, and of a corner mark its style and its card's notation
    (`latin-7I`, `kanji-7I`).
    """
    symbols = [_symbol("back", pack.back())]
    for card in pack.cards:
        symbols.append(_symbol(card_text(card), pack.face(card)))
        symbols += (_symbol(f"{style}-{card_text(card)}", mark(pack, card, style)) for style in MARKS)
    return element("svg", *symbols, xmlns=_XMLNS) + "\n"


@cache
def sprite_digest(pack: Pack) -> str:
    """A digest of a pack's sprite, 16 hexadecimal digits, which changes with any drawing."""
    return hashlib.sha256(sprite(pack).encode()).hexdigest()[:16]


def card_svg(pack: Pack, card: int | None, marks: str = "none") -> str:
    """A card as an SVG file of its own, 31 by 51 millimetres.

    Args:
        pack: the pack.
        card: the card; None for the back.
        marks: the style of its corner mark, `latin` or `kanji`; `none` for no mark.
    """
    drawn = pack.back() if card is None else pack.face(card)
    written = "" if card is None or marks == "none" else mark(pack, card, marks)
    return element("svg", drawn, written, xmlns=_XMLNS, viewBox=_BOX, width=f"{WIDTH / 2:g}mm", height=f"{HEIGHT / 2:g}mm") + "\n"


def _symbol(id: str, drawing: str) -> str:
    return element("symbol", drawing, id=id, viewBox=_BOX)
