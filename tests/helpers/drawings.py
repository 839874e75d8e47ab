"""The parts, colours and paths of drawings of suited packs."""

from xml.etree import ElementTree

import pytest

from mekuri.cards.art.drawings import sheet
from mekuri.cards.deck import CLUBS, COINS, CUPS, SWORDS

BLACK, RED, PAPER, GOLD, SILVER = (sheet("fukutoku").classes[name]["fill"] for name in ("black", "red", "paper", "gold", "silver"))

each_court = pytest.mark.parametrize("count", [10, 11, 12])
each_suit = pytest.mark.parametrize("suit", [CLUBS, SWORDS, COINS, CUPS])


def parts(drawing: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(f"<svg>{drawing}</svg>").iter())[1:]


def colours(drawing: str) -> set[str]:
    return {part.get(paint, "none") for part in parts(drawing) for paint in ("fill", "stroke")} - {"none"}


def paths(drawing: str, colour: str, width: str | None = None) -> list[str]:
    """Return the path data in one colour; with a width, only that of paths with this stroke width."""
    groups = [part for part in parts(drawing) if part.tag == "g" and part.get("fill") == colour]
    found = [path for group in groups for path in group if width is None or path.get("stroke-width") == width]
    return [path.get("d", "") for path in found]
