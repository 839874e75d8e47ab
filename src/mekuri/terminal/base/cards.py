"""Drawing of single cards as text. The caller decides which card is legal and which is under the cursor.

A card is drawn once for each way it looks: nothing may change the lines that are returned.

Colour is never the only mark: a legal card has a heavy edge, a card that would be captured a double one, and the number of the card
under the cursor is reversed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from rich.text import Text

from mekuri.terminal.base.prose import atoms, lines

THIN, HEAVY, DOUBLE = "╭─╮│╰╯", "┏━┓┃┗┛", "╔═╗║╚╝"
BACK = "▒"


@dataclass(frozen=True)
class Face:
    """A card, or a pile of cards, as it is drawn for a viewer.

    Attributes:
        card: the card; None if it lies face down, or for a word.
        sign: number and suit of the card; for a pile that lies face down, its number of cards; for a word, its text.
        name: the name of the card; for a pile that lies face down, of its zone; for a word, its notation.
        key: the key that picks it; empty for none.
        legal: whether it may be chosen now.
        foot: the word in its lower edge about its fate; empty for none.
        fresh: whether it is new here.
        place: the name of its zone, to be drawn on it; empty for none.
        pile: the number of cards of its pile; 0 for a single card.
        label: the text before it if a new zone begins in a row of small cards.
        covered: whether a cloth covers it.
    """

    card: int | None
    sign: str
    name: str
    key: str = ""
    legal: bool = False
    foot: str = ""
    fresh: bool = False
    place: str = ""
    pile: int = 0
    label: str = ""
    covered: bool = False


@dataclass(frozen=True)
class Look:
    """The styles that cards are drawn in.

    Attributes:
        paper: text and edges on a card.
        faint: the edges of a card that is not legal.
        accent: the cursor and the fate of a card.
        back: the pattern of a card's back.
        ground: text beside the cards.
        mark: emphasized text beside the cards.
        cloth: a cloth over cards.
        PLAIN: all styles empty.
    """

    paper: Style
    faint: Style
    accent: Style
    back: Style
    ground: Style
    mark: Style
    cloth: Style

    PLAIN: ClassVar[Look]


Look.PLAIN = Look(*[Style()] * 7)


def wrap(name: str, width: int, most: int) -> list[str]:
    """Break a name into lines of about equal length, between words if possible.

    Args:
        name: the name.
        width: the most cells of a line.
        most: the most lines. A longer name is cut, with an ellipsis.
    """
    name = " ".join(_hyphenate(word, width) for word in name.split())
    found = lines(name, width)
    longest = max(map(cell_len, atoms(name)), default=0)
    while width > longest and len(found) <= most and len(lines(name, width - 1)) == len(found):
        width -= 1  # lines of equal length
    found = lines(name, width)
    rows = [name[start:end] for start, end in found[:most]]
    if len(found) > most:
        rows[-1] = shorten(name[found[most - 1][0] :], width)
    return rows


def _hyphenate(word: str, width: int) -> str:
    """Split an ASCII word that is longer than a line into two pieces with a hyphen."""
    return f"{word[: width - 1]}- {word[width - 1 :]}" if len(word) > width and word.isascii() else word


def shorten(text: str, width: int) -> str:
    """Cut a text to at most `width` cells, with an ellipsis if something was cut."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(width - 1, 0)).rstrip() + "…"


def _edge(left: str, line: str, right: str, inner: int, style: Style, foot: Text | None = None) -> Text:
    """Return the upper or lower edge of a card, with a text in its middle."""
    foot = foot or Text()
    space = inner - foot.cell_len
    return Text(left + line * (space // 2), style).append_text(foot).append(line * (space - space // 2) + right, style)


def _named(name: str, inner: int, rows: int, side: str, line: Style, style: Style) -> list[Text]:
    """Return the rows between the edges of a card, with a name in the middle."""
    names = wrap(name, inner, rows)
    above = (rows - len(names)) // 2
    found = []
    for each in [*[""] * above, *names, *[""] * (rows - len(names) - above)]:
        centred = set_cell_size(" " * ((inner - cell_len(each)) // 2) + each, inner)
        found.append(Text(side, line).append(centred, style).append(side, line))
    return found


@lru_cache(4096)
def draw_card(face: Face, width: int, height: int, look: Look, cursor: bool) -> list[Text]:
    """Draw a card face up: its sign in the upper edge, its name in the middle, its foot, key or zone in the lower edge.

    The top card of a pile also shows the number of cards of the pile.

    Args:
        face: the card.
        width: its width in cells.
        height: its height in rows.
        look: the styles.
        cursor: whether it is under the cursor.

    Returns:
        `height` lines of exactly `width` cells.
    """
    edge = DOUBLE if face.foot else HEAVY if face.legal else THIN
    line = look.accent if cursor else look.paper if face.legal or face.foot else look.faint
    inner = width - 2
    top = Text(edge[0], line)
    bold = Style(bold=face.legal or cursor, reverse=cursor)
    top.append(face.sign, (look.accent if cursor else look.paper) + bold)
    count, dot = f"×{face.pile}" if face.pile else "", "•" if face.fresh else ""
    top.append(edge[1] * (inner - cell_len(face.sign) - len(count) - len(dot)), line)
    top.append(count, look.paper).append(dot, look.accent)
    top.append(edge[2], line)
    foot = shorten(face.foot or (f"[{face.key}]" if face.key else face.place), inner)
    style = look.accent + Style(bold=True) if face.foot else look.faint
    names = _named(face.name, inner, height - 2, edge[3], line, look.paper)
    return [top, *names, _edge(edge[4], edge[1], edge[5], inner, line, Text(foot, style))]


@lru_cache(1024)
def draw_back(face: Face, width: int, height: int, look: Look, cursor: bool) -> list[Text]:
    """Draw a card or a pile face down, with the name of its zone in the lower edge and, for a pile, its number of cards.

    Arguments and result are those of `draw_card`.
    """
    line = look.accent if cursor else look.faint
    inner = width - 2
    rows = []
    for y in range(height - 2):
        count = f" {face.sign} " if face.pile and y == (height - 3) // 2 else ""
        left = (inner - cell_len(count)) // 2
        row = Text(THIN[3], line).append(BACK * left, look.back)
        row.append(count, look.accent + Style(reverse=True) if cursor and count else look.paper + Style(bold=True))
        rows.append(row.append(BACK * (inner - cell_len(count) - left), look.back).append(THIN[3], line))
    foot = Text(shorten(face.place, inner), look.paper)
    return [
        _edge(THIN[0], THIN[1], THIN[2], inner, line),
        *rows,
        _edge(THIN[4], THIN[1], THIN[5], inner, line, foot),
    ]


@lru_cache(1024)
def draw_cloth(face: Face, width: int, height: int, look: Look, cursor: bool) -> list[Text]:
    """Draw a cloth that covers a card, with the name of the zone on it. Arguments and result are those of `draw_card`."""
    line = look.accent if cursor else look.faint
    inner = width - 2
    return [
        _edge(THIN[0], THIN[1], THIN[2], inner, line),
        *_named(face.place, inner, height - 2, THIN[3], line, look.cloth),
        _edge(THIN[4], THIN[1], THIN[5], inner, line),
    ]


@lru_cache(4096)
def draw_chip(face: Face, look: Look, cursor: bool) -> Text:
    """Draw a card in one row: its sign, in brackets if it is legal or would be captured, with a dot if it is new here."""
    style = (look.mark if cursor or face.foot else look.ground) + Style(reverse=cursor, bold=face.legal or bool(face.foot))
    if face.card is None:
        return Text(BACK * 2 if face.pile else face.sign, style)
    chip = Text(f"[{face.sign}]" if face.legal or face.foot else face.sign, style)
    chip.append("•" if face.fresh else "", look.mark)
    return chip


def join(cards: Sequence[list[Text]], gap: int, ground: Style) -> list[Text]:
    """Join drawn cards of equal height side by side, `gap` cells apart."""
    rows = []
    for y in range(len(cards[0]) if cards else 0):
        row = Text(end="")
        for i, card in enumerate(cards):
            if i:
                row.append(" " * gap, ground)
            row.append_text(card[y])
        rows.append(row)
    return rows
