"""The prospect of a seat in Mushi, looked up in tables by where the cards of each number lie.

`tools/fit_prospect.py` fits the tables to rounds against `greedy`, and says how to make them anew. They are kept in `prospect.bin`.
"""

from __future__ import annotations

from pathlib import Path

from mekuri.engine.compiled import count, has, rule
from mekuri.games.mushi.scoring import yaku_points
from mekuri.games.mushi.state import MushiState, Phase

NUMBERS = (0, 1, 2, 3, 4, 5, 7, 8, 9, 11)  # the numbers in play, less one
# A card's place is 0 for unseen, 1 for the hand, 2 for the field, 3 for the seat's captures, 4 for the other's. The places of the
# four cards of a number are the digits of an index to the base of five. FIVES[set] is the index with the digit 1 for each card of
# a set.
FIVES = (0, 1, 5, 6, 25, 26, 30, 31, 125, 126, 130, 131, 150, 151, 155, 156)
OF_NUMBER, OF_YAKU = 5**4, 5**3
HAND = 8  # cards in a hand; for each number of cards left in it there is a table for the seat's own turn, and one for the other's
TABLE = len(NUMBERS) * OF_NUMBER + OF_YAKU
FIGURES = 2 * HAND * TABLE
READ = len(NUMBERS) + 1  # the figures of a table that are added up for a state

HALF = 1 << 15
FILE = Path(__file__).with_name("prospect.bin")
BYTES = FILE.read_bytes()  # two bytes for each figure, in hundredths of a point, to which HALF is added


@rule
def lies(h: MushiState, seat: int, card: int) -> int:
    """The place of a card as a seat sees it, 0 to 4."""
    other = 1 - seat
    return has(h.hand[seat], card) + 2 * has(h.field, card) + 3 * has(h.captured[seat], card) + 4 * has(h.captured[other], card)


@rule
def table_of(h: MushiState, seat: int) -> int:
    """The index of the first figure of the table that holds for a seat now."""
    return (min(count(h.hand[seat]), HAND - 1) + HAND * int(h.turn != seat)) * TABLE


@rule
def figure_of(h: MushiState, seat: int, i: int) -> int:
    """The index within a table of the figure for the i-th of `NUMBERS`, or, after these, for the three cards of the first yaku."""
    if i == len(NUMBERS):
        told = 0
        for card in (0, 8, 44):
            told = 5 * told + lies(h, seat, card)
        return i * OF_NUMBER + told
    at = 4 * NUMBERS[i]
    own, table = FIVES[h.hand[seat] >> at & 15], FIVES[h.field >> at & 15]
    won, lost = FIVES[h.captured[seat] >> at & 15], FIVES[h.captured[1 - seat] >> at & 15]
    return i * OF_NUMBER + own + 2 * table + 3 * won + 4 * lost


@rule
def prospect(h: MushiState, seat: int) -> int:
    """The gain that a seat expects beyond its lead over the other, in hundredths of a point.

    At the end it is the seats' difference in yaku points, by which their difference in `returns` exceeds that in `outlook`.
    """
    if h.phase == Phase.OVER:
        return 100 * (yaku_points(h, seat) - yaku_points(h, 1 - seat))
    hoped, table = -READ * HALF, table_of(h, seat)
    for i in range(READ):
        at = 2 * (table + figure_of(h, seat, i))
        hoped += 256 * BYTES[at] + BYTES[at + 1]
    return hoped
