"""What a seat of Mushi may hope for: where the cards of each number lie, and what that has come to on average.

The figures are those of `tools/fit_prospect.py`, which plays against `greedy` and tells how to make them anew.
"""

from __future__ import annotations

from pathlib import Path

from mekuri.engine.compiled import count, has, rule
from mekuri.games.mushi.scoring import yaku_points
from mekuri.games.mushi.state import MushiState, Phase

NUMBERS = (0, 1, 2, 3, 4, 5, 7, 8, 9, 11)  # those in play, less one
# A card lies where it is not seen, in the hand, on the table, in the captures of the seat or of the other: 0 to 4. For the cards of
# a number these are the digits of one to the base of five; here is what a set of them comes to, each as 1.
FIVES = (0, 1, 5, 6, 25, 26, 30, 31, 125, 126, 130, 131, 150, 151, 155, 156)
OF_NUMBER, OF_YAKU = 5**4, 5**3
HAND = 8  # cards in a hand; for each number of those that are left, before a card is turned up and after it, there is a table
TABLE = len(NUMBERS) * OF_NUMBER + OF_YAKU
FIGURES = 2 * HAND * TABLE
READ = len(NUMBERS) + 1  # of the figures of a table

HALF = 1 << 15
FILE = Path(__file__).with_name("prospect.bin")
BYTES = FILE.read_bytes()  # of each figure, plus HALF, two


@rule
def lies(h: MushiState, seat: int, card: int) -> int:
    """Where a card lies, as a seat sees it."""
    other = 1 - seat
    return has(h.hand[seat], card) + 2 * has(h.field, card) + 3 * has(h.captured[seat], card) + 4 * has(h.captured[other], card)


@rule
def table_of(h: MushiState, seat: int) -> int:
    """Where the table begins in which a seat looks."""
    return (min(count(h.hand[seat]), HAND - 1) + HAND * int(h.turn != seat)) * TABLE


@rule
def figure_of(h: MushiState, seat: int, i: int) -> int:
    """Which figure of a table tells of the i-th number, or after these of the three cards of the first yaku."""
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
    """What a seat may hope for, in hundredths of a point that it stands before the other: at the end what yaku count once more."""
    if h.phase == Phase.OVER:
        return 100 * (yaku_points(h, seat) - yaku_points(h, 1 - seat))
    hoped, table = -READ * HALF, table_of(h, seat)
    for i in range(READ):
        at = 2 * (table + figure_of(h, seat, i))
        hoped += 256 * BYTES[at] + BYTES[at + 1]
    return hoped
