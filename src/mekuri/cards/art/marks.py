"""Corner marks: a card's number and suit in letters, for players who do not know the pictures yet.

A mark is a tab of paper in the upper left corner, which stays in sight when cards overlap. It is text, so its shape depends on the
fonts of the screen; its size is chosen to be read on a card 41 pixels wide.
"""

from __future__ import annotations

from mekuri.cards.art.packs import Pack
from mekuri.cards.art.svg import element, group, number, path
from mekuri.cards.deck import EXTRA
from mekuri.cards.deck import number as count_of

MARKS = ("latin", "kanji")

Row = tuple[str, float, float]  # a text, its font size and its width, in units of the card's viewBox

_DIGITS = "一二三四五六七八九十"
_PAPER, _INK = "#f8f1de", "#1e1a17"  # a little lighter than the paper of the cards
_FONTS = {"latin": "Georgia, serif", "kanji": "serif"}
_LINES = {"latin": 0.84, "kanji": 0.98}  # the height of a line for letters of size 1, none of which hangs below its line
_EDGE = 1.8  # the width of a card's rim, which the mark leaves in sight
_ROUND = 2.6  # the radius of the corner within the rim
_PAD = 2.0


def mark(pack: Pack, card: int, style: str) -> str:
    """The corner mark of a card in a style of `MARKS`, as SVG for the viewBox of the card."""
    rows = _latin(pack, card) if style == "latin" else _kanji(pack, card)
    breadth = max(broad for _, _, broad in rows) + 2 * _PAD
    foot = _EDGE
    written = []
    for text, size, _ in rows:
        foot += size * _LINES[style]
        written.append(element("text", text, x=_EDGE + breadth / 2, y=foot, font_size=size))
    # Chinese and Japanese fonts draw some of these characters differently.
    language = {"xml:lang": "ja"} if style == "kanji" else {}
    letters = group(*written, fill=_INK, text_anchor="middle", font_family=_FONTS[style], font_weight="bold", **language)
    return _tab(breadth, foot - _EDGE + _PAD) + letters


def _latin(pack: Pack, card: int) -> list[Row]:
    sign = pack.sign(card, "latin")
    rows: list[Row] = [(sign, 15, 11 * len(sign))]
    if card != EXTRA:
        count = str(count_of(card))
        size = 18 if len(count) == 1 else 16
        rows.insert(0, (count, size, size * 0.52 * len(count)))
    return rows


def _kanji(pack: Pack, card: int) -> list[Row]:
    signs = "" if card == EXTRA else kanji_number(count_of(card))
    return [(sign, 14, 14) for sign in signs + pack.sign(card, "kanji")]


def kanji_number(count: int) -> str:
    """A number from 1 to 12 in kanji."""
    return _DIGITS[count - 1] if count <= 10 else f"十{_DIGITS[count - 11]}"


def _tab(breadth: float, height: float) -> str:
    """The tab of paper behind the letters, with a round corner where the card has one, and another at its opposite corner."""
    return path(
        f"M{number(_EDGE)} {number(_EDGE + _ROUND)}q0-{_ROUND} {_ROUND}-{_ROUND}h{number(breadth - _ROUND)}"
        f"v{number(height - 3)}q0 3-3 3h{number(3 - breadth)}z",
        fill=_PAPER,
    )
