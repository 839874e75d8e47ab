"""The prospect of an active seat in Tenshu, looked up in tables by where the cards of each number and of two yaku lie.

`tools/fit_prospect.py` fits the tables to rounds against `greedy`, and says how to make them anew. They are kept in `prospect.bin`.
"""

from __future__ import annotations

from pathlib import Path

from mekuri.cards import EXTRA, each
from mekuri.engine.called import lead
from mekuri.engine.compiled import count, rule
from mekuri.games.dealing import hand_size
from mekuri.games.figures import OF_NUMBER, figure, figures_of, number_lies, row_lies
from mekuri.games.fishing import taken
from mekuri.games.tenshu.scoring import AKA, FUKE_CARDS, FUKE_MOST, TAIKOSAN, YAKU_CARDS, card_points, returns
from mekuri.games.tenshu.seats import is_active
from mekuri.games.tenshu.state import PILE, Phase, TenshuState

NUMBERS = 12
# Four cards of Taikosan without its last, and Aka with the onifuda.
ROWS = (each(YAKU_CARDS[TAIKOSAN])[:4], (*each(YAKU_CARDS[AKA]), EXTRA))
LEFT = 2 * PILE + 1  # the sizes of hand and pile together
TIMES = PILE + 1  # a table for two of them each
FEW = FUKE_CARDS + 2  # captured cards, of which so many less one are no longer few

OF_NUMBERS = 2 * TIMES * NUMBERS * OF_NUMBER
OF_ROWS = 2 * TIMES * len(ROWS) * OF_NUMBER
OF_FEW = 2 * LEFT * FEW * FEW * 2
READ, FIGURES = NUMBERS + len(ROWS) + 1, OF_NUMBERS + OF_ROWS + OF_FEW

SCALE, LEAD = 20, 0
FITTED = 8_000_000, 50  # rounds, and in how many parts with smaller and smaller steps
FILE = Path(__file__).with_name("prospect.bin")
BYTES = figures_of(FILE)


@rule
def fewest(h: TenshuState, seat: int) -> int:
    """The number of cards that the active seat with the fewest captures has captured, other than this seat."""
    least = FEW - 1
    for other in range(h.seats):
        if other != seat and is_active(h, other):
            least = min(least, count(h.captured[other]))
    return least


@rule
def figure_of(h: TenshuState, seat: int, i: int) -> int:
    """The index of the figure for the i-th number, for a row of cards, or, last, for how few cards the seats have captured."""
    # A position may give a seat more cards than are dealt.
    left, own, lost = min(hand_size(h, seat) + h.pile_size[seat], LEFT - 1), h.captured[seat], taken(h) & ~h.captured[seat]
    time = (left + 1) // 2 + TIMES * int(h.turn != seat)
    if i < NUMBERS:
        return (time * NUMBERS + i) * OF_NUMBER + number_lies(h, seat, lost, i + 1)
    if i < NUMBERS + len(ROWS):
        row = i - NUMBERS
        return OF_NUMBERS + (time * len(ROWS) + row) * OF_NUMBER + row_lies(h, seat, lost, ROWS[row])
    few = (min(count(own), FEW - 1) * FEW + fewest(h, seat)) * 2 + int(card_points(h, own) <= FUKE_MOST)
    return OF_NUMBERS + OF_ROWS + (left + LEFT * int(h.turn != seat)) * FEW * FEW * 2 + few


@rule
def prospect(h: TenshuState, seat: int) -> int:
    """What an active seat expects of the round, in `SCALE`ths of a point, less its lead in hundredths; 0 for other seats."""
    if not is_active(h, seat):
        return 0
    hoped = -100 * lead(h, seat)
    if h.phase == Phase.OVER:
        return hoped + SCALE * returns(h, seat)
    for i in range(READ):
        hoped += figure(BYTES, figure_of(h, seat, i))
    return hoped
