"""The prospect of a seat in Sakura, looked up in tables by where the cards of each month and of each yaku lie.

`tools/fit_prospect.py` fits the tables to rounds against `greedy`, and says how to make them anew. They are kept in `prospect.bin`.
"""

from __future__ import annotations

from pathlib import Path

from mekuri.cards import each
from mekuri.engine.compiled import has, rule
from mekuri.games.figures import FIVES, OF_NUMBER, PLACES, figure, figures_of
from mekuri.games.fishing import taken
from mekuri.games.sakura.scoring import YAKU_CARDS, pile
from mekuri.games.sakura.state import Phase, SakuraState

MONTHS = 12
ROWS = tuple(each(cards) for cards in YAKU_CARDS)
OF_ROW: int = PLACES**3
LEFT = 4  # turns of a seat that are left; more count as so many
FEW = 3  # up to so many seats have one set of tables, more have another
TABLE: int = MONTHS * OF_NUMBER + len(ROWS) * OF_ROW

READ = MONTHS + len(ROWS)  # the figures that are added up for a state
FIGURES: int = 2 * 2 * LEFT * TABLE
SEATS = (2, 3, 4, 4, 5, 6)  # the numbers of seats of the rounds to which the tables are fitted, in turn
SCALE, LEAD = 100, 1  # a figure is in hundredths of a point, and what a round brings is the lead
FITTED = 1_800_000, 15  # rounds, and in how many parts with smaller and smaller steps
FILE = Path(__file__).with_name("prospect.bin")
BYTES = figures_of(FILE)


@rule
def figure_of(h: SakuraState, seat: int, i: int) -> int:
    """The index of the figure for the i-th month, or, after these, for a yaku."""
    own = pile(h, seat)
    lost = (taken(h) | h.dead) & ~own
    left = min((h.stock + h.seats - 1) // h.seats, LEFT - 1)
    table = (left + LEFT * (int(h.turn != seat) + 2 * int(h.seats > FEW))) * TABLE
    if i < MONTHS:
        at = 4 * i
        lies = FIVES[h.hand[seat] >> at & 15] + 2 * FIVES[h.field >> at & 15]
        return table + i * OF_NUMBER + lies + 3 * FIVES[own >> at & 15] + 4 * FIVES[lost >> at & 15]
    row = 0
    for card in ROWS[i - MONTHS]:
        row = PLACES * row + has(h.hand[seat], card) + 2 * has(h.field, card) + 3 * has(own, card) + 4 * has(lost, card)
    return table + MONTHS * OF_NUMBER + (i - MONTHS) * OF_ROW + row


@rule
def prospect(h: SakuraState, seat: int) -> int:
    """The gain that a seat expects beyond its side's lead, in hundredths of a point; none at the end."""
    hoped = 0
    if h.phase != Phase.OVER:
        for i in range(READ):
            hoped += figure(BYTES, figure_of(h, seat, i))
    return hoped
