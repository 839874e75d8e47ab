"""The prospect of a seat in Koi-Koi, looked up in tables by where the cards of each month and of each set lie.

`tools/fit_prospect.py` fits the tables to rounds against `greedy`, and says how to make them anew. They are kept in `prospect.bin`.
"""

from __future__ import annotations

from pathlib import Path

from mekuri.cards import EXTRA, each, parse_cards
from mekuri.engine.compiled import count, rule
from mekuri.games.figures import OF_NUMBER, figure, figures_of, number_lies, row_lies
from mekuri.games.koikoi.scoring import outlook, payment, returns
from mekuri.games.koikoi.state import KoikoiState, Phase
from mekuri.games.koikoi.yaku import ANIMALS, CHAFF, RIBBONS, SAKE_CUP

MONTHS = 12
# The cards of several yaku together, in rows of four; a row of three ends with a card that no place has.
_ROWS = ("1H 3H 8H 12H", "3H 8H 9H 11O", "6H 7H 10H", "1I 2I 3I", "6I 9I 10I")
GROUPS = tuple((*each(parse_cards(cards)), EXTRA)[:4] for cards in _ROWS)
KINDS = (ANIMALS, RIBBONS, CHAFF | SAKE_CUP)
MOST = 12  # classes of a kind's cards by their number: 0 to 10, and 11 or more
TIMES = 2 * 8  # a table for each size of the hand, for the seat's own turn and for the other's
WORTHS = 6  # how much a seat would score by ending the round: see `worth_of`

OF_MONTHS = TIMES * MONTHS * OF_NUMBER
OF_GROUPS = TIMES * len(GROUPS) * OF_NUMBER
OF_KINDS = TIMES * 2 * len(KINDS) * MOST
STANDING = TIMES * WORTHS * WORTHS * 4
READ, FIGURES = MONTHS + len(GROUPS) + 2 * len(KINDS) + 1, OF_MONTHS + OF_GROUPS + OF_KINDS + STANDING

SCALE, LEAD = 500, 0
FITTED = 24_000_000, 100  # rounds, and in how many parts with smaller and smaller steps
FILE = Path(__file__).with_name("prospect.bin")
BYTES = figures_of(FILE)


@rule
def worth_of(points: int) -> int:
    """The class of what a seat would score: nothing, 1 or 2, to 5, to 8, to 15, more."""
    return int(points > 0) + int(points > 2) + int(points > 5) + int(points > 8) + int(points > 15)


@rule
def figure_of(h: KoikoiState, seat: int, i: int) -> int:
    """The index of the i-th figure: of a month, of a row of cards, of a kind of a seat's captures, or, last, of the standing."""
    lost = h.captured[1 - seat]
    time = min(count(h.hand[seat]), 7) + 8 * int(h.turn != seat)
    if i < MONTHS:
        return (time * MONTHS + i) * OF_NUMBER + number_lies(h, seat, lost, i + 1)
    i -= MONTHS
    if i < len(GROUPS):
        return OF_MONTHS + (time * len(GROUPS) + i) * OF_NUMBER + row_lies(h, seat, lost, GROUPS[i])
    i -= len(GROUPS)
    if i < 2 * len(KINDS):
        cards = h.captured[seat if i < len(KINDS) else 1 - seat] & KINDS[i % len(KINDS)]
        return OF_MONTHS + OF_GROUPS + (time * 2 * len(KINDS) + i) * MOST + min(count(cards), MOST - 1)
    own, other = worth_of(payment(h, seat)), worth_of(payment(h, 1 - seat))
    calls = int(h.called[seat] > 0) + 2 * int(h.called[1 - seat] > 0)
    return OF_MONTHS + OF_GROUPS + OF_KINDS + ((time * WORTHS + own) * WORTHS + other) * 4 + calls


@rule
def prospect(h: KoikoiState, seat: int) -> int:
    """What a seat expects of the round, in `SCALE`ths of a point, less its lead in hundredths."""
    hoped = -100 * (outlook(h, seat) - outlook(h, 1 - seat))
    if h.phase == Phase.OVER:
        return hoped + SCALE * returns(h, seat)
    for i in range(READ):
        hoped += figure(BYTES, figure_of(h, seat, i))
    return hoped
