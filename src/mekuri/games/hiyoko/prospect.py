"""The prospect of a seat in Hiyoko, looked up in tables by the numbers of its hand, counted from the top of the pile.

`tools/fit_prospect.py` fits the tables to rounds against `greedy`, and says how to make them anew. They are kept in `prospect.bin`.
"""

from __future__ import annotations

from pathlib import Path

from mekuri.cards import NONE
from mekuri.engine.compiled import rule
from mekuri.games import sequence_figures
from mekuri.games.figures import figure, figures_of
from mekuri.games.hiyoko.scoring import outlook, returns
from mekuri.games.hiyoko.state import HiyokoState
from mekuri.games.sequence import Phase

READ, FIGURES, figure_of = sequence_figures.READ, sequence_figures.FIGURES, sequence_figures.pile_figure
SCALE, LEAD = 1000, 0
FITTED = 16_000_000, 40  # rounds, and in how many parts with smaller and smaller steps
FILE = Path(__file__).with_name("prospect.bin")
BYTES = figures_of(FILE)


@rule
def prospect(h: HiyokoState, seat: int) -> int:
    """What a seat expects of the round, in `SCALE`ths of a point, less its lead in hundredths."""
    hoped = -100 * (outlook(h, seat) - outlook(h, 1 - seat))
    if h.phase == Phase.OVER:
        return hoped + SCALE * returns(h, seat)
    if h.top != NONE:
        for i in range(READ):
            hoped += figure(BYTES, figure_of(h, seat, i))
    return hoped
