"""Tables of figures by which a game's `prospect` judges: how they are kept, and the place of a card as an index to them.

A card's place is 0 for unseen, 1 for the seat's hand, 2 for the field, 3 for its captures, 4 for another's. The places of several
cards are the digits of an index to the base of five.
"""

from __future__ import annotations

from pathlib import Path

from mekuri.engine.compiled import has, rule
from mekuri.games.fishing import FishingState

HALF = 1 << 15  # is added to a figure, which then takes two bytes
PLACES = 5
# FIVES[set] is the index with the digit 1 for each of the four cards of a number that are in a set.
FIVES = (0, 1, 5, 6, 25, 26, 30, 31, 125, 126, 130, 131, 150, 151, 155, 156)
OF_NUMBER: int = PLACES**4
PACKED = ".xz"  # ends the name of a file that a page without a server has, which is compressed


def figures_of(file: Path) -> bytes:
    """Return the figures of a file; none where they were not fitted yet."""
    packed = file.with_name(file.name + PACKED)
    if packed.is_file():
        import lzma  # which some builds of Python lack

        return lzma.decompress(packed.read_bytes())
    return file.read_bytes() if file.is_file() else b""


@rule
def figure(figures: bytes, index: int) -> int:
    """Return a figure of a table."""
    return 256 * figures[2 * index] + figures[2 * index + 1] - HALF


@rule
def lies(h: FishingState, seat: int, lost: int, card: int) -> int:
    """The place of a card as a seat sees it; `lost` are the cards that the others have captured."""
    return has(h.hand[seat], card) + 2 * has(h.field, card) + 3 * has(h.captured[seat], card) + 4 * has(lost, card)


@rule
def row_lies(h: FishingState, seat: int, lost: int, row: tuple[int, ...]) -> int:
    """The index of the places of some cards, likewise."""
    index = 0
    for card in row:
        index = PLACES * index + lies(h, seat, lost, card)
    return index


@rule
def number_lies(h: FishingState, seat: int, lost: int, number: int) -> int:
    """The index of the places of the four cards of a number, likewise."""
    at = 4 * (number - 1)
    own, table = FIVES[h.hand[seat] >> at & 15], FIVES[h.field >> at & 15]
    return own + 2 * table + 3 * FIVES[h.captured[seat] >> at & 15] + 4 * FIVES[lost >> at & 15]
