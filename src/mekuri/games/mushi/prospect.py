"""The prospect of a seat in Mushi, looked up in tables by where the cards of each number lie.

`tools/fit_prospect.py` fits the tables to rounds against `greedy`, and says how to make them anew. They are kept in `prospect.bin`.
"""

from __future__ import annotations

from pathlib import Path

from mekuri.engine.compiled import count, rule
from mekuri.games.figures import OF_NUMBER, PLACES, figure, figures_of, number_lies, row_lies
from mekuri.games.mushi.scoring import yaku_points
from mekuri.games.mushi.state import MushiState, Phase

NUMBERS = (1, 2, 3, 4, 5, 6, 8, 9, 10, 12)
YAKU = (0, 8, 44)  # the three cards of the first yaku
HAND = 8  # cards in a hand; for each number of cards left in it there is a table for the seat's own turn, and one for the other's
READ = len(NUMBERS) + 1  # the figures of a table that are added up for a state
TABLE: int = len(NUMBERS) * OF_NUMBER + PLACES ** len(YAKU)
FIGURES = 2 * HAND * TABLE
SCALE, LEAD = 200, 2  # a figure is in hundredths of the lead, which is twice what the round brings
FITTED = 30_000_000, 100  # rounds, and in how many parts with smaller and smaller steps
FILE = Path(__file__).with_name("prospect.bin")
BYTES = figures_of(FILE)


@rule
def figure_of(h: MushiState, seat: int, i: int) -> int:
    """The index of the figure for the i-th of `NUMBERS`, or, after these, for the cards of `YAKU`."""
    lost = h.captured[1 - seat]
    table = (min(count(h.hand[seat]), HAND - 1) + HAND * int(h.turn != seat)) * TABLE
    if i < len(NUMBERS):
        return table + i * OF_NUMBER + number_lies(h, seat, lost, NUMBERS[i])
    return table + i * OF_NUMBER + row_lies(h, seat, lost, YAKU)


@rule
def prospect(h: MushiState, seat: int) -> int:
    """The gain that a seat expects beyond its lead over the other, in hundredths of a point.

    At the end it is the seats' difference in yaku points, by which their difference in `returns` exceeds that in `outlook`.
    """
    if h.phase == Phase.OVER:
        return 100 * (yaku_points(h, seat) - yaku_points(h, 1 - seat))
    hoped = 0
    for i in range(READ):
        hoped += figure(BYTES, figure_of(h, seat, i))
    return hoped
